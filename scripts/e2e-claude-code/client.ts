// SPDX-License-Identifier: Apache-2.0
import { installProgram } from "../npm-program.ts";

/** The client that docs and scenarios speak of, and the oldest one that is tried. */
export const CLIENT_VERSION = "2.1.332";
export const OLD_CLIENT_VERSION = "2.1.197";

const PACKAGE = "@anthropic-ai/claude-code-linux-x64";

/** Path of the client's native program in `folder`; installs it unless this version is there. Throws if npm fails. */
export function installClient(folder: string, version: string): string {
  return installProgram(folder, { name: PACKAGE, version, file: "claude" });
}
