// SPDX-License-Identifier: Apache-2.0
// The client itself: the native program from its npm package, pinned, installed into a folder of our own.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { textAt, tryParse } from "./json.ts";

/** The client that docs and scenarios speak of, and the oldest one that is tried. */
export const CLIENT_VERSION = "2.1.332";
export const OLD_CLIENT_VERSION = "2.1.197";

const PACKAGE = "@anthropic-ai/claude-code-linux-x64";

/** Path of the client's program in `folder`; installs it unless this version is there. Throws if npm fails. */
export function installClient(folder: string, version: string): string {
  const home = join(folder, "node_modules", PACKAGE);
  const program = join(home, "claude");
  if (existsSync(program) && installedVersion(home) === version) return program;
  mkdirSync(folder, { recursive: true });
  // Marks the folder as npm's; `--prefix` would make npm overlook the machine's settings.
  writeFileSync(join(folder, "package.json"), "{}");
  const quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  execFileSync("npm", ["install", "--ignore-scripts", ...quiet, `${PACKAGE}@${version}`], {
    cwd: folder,
    env: { ...process.env, PATH: systemPath() },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!existsSync(program)) throw new Error(`${PACKAGE}@${version} has no program "claude"`);
  return program;
}

/** npm on the Node.js it came with: ours may not trust the certificates that the system's is set up for. */
function systemPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.endsWith("node_modules/.bin")).join(delimiter);
}

function installedVersion(home: string): string {
  return textAt(tryParse(readFileSync(join(home, "package.json"), "utf8")), "version");
}
