// SPDX-License-Identifier: Apache-2.0
import { realpathSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Program } from "../hosts/installer.ts";
import { InstallError } from "./install-error.ts";

/**
 * The words by which the agent is to start isthmos: the `isthmos` of PATH if it is this very program, so that an
 * update in that place is found; else `self`, absolute.
 */
export function findProgram(self: Program, searchPath: readonly string[]): Program {
  const own = tryRealpath(self.at(-1) ?? self[0]);
  if (own?.includes("/_npx/")) {
    throw new InstallError(
      "this is npm's copy for one call (npx), which will be removed",
      "install it to stay: npm install --global isthmos",
    );
  }
  const named = searchPath.map((folder) => join(folder, "isthmos")).find((path) => tryRealpath(path) === own);
  if (own !== undefined && named !== undefined) return [named];
  const [file, ...args] = self;
  // Node.js by its name would be looked for in the agent's PATH.
  return [basename(file) === file ? file : resolve(file), ...args.map((word) => resolve(word))];
}

function tryRealpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
