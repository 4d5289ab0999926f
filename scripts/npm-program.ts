// SPDX-License-Identifier: Apache-2.0
// A program out of an npm package, pinned, installed into a folder of our own.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { textAt, tryParse } from "./e2e-claude-code/json.ts";

/** The package, its version, and the program's path in it. */
export interface NpmProgram {
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

/** Path of the program in `folder`; installs it unless this version is there. Throws if npm fails. */
export function installProgram(folder: string, { name, version, file }: NpmProgram): string {
  const home = join(folder, "node_modules", name);
  const program = join(home, file);
  if (existsSync(program) && installedVersion(home) === version) return program;
  mkdirSync(folder, { recursive: true });
  // Marks the folder as npm's; `--prefix` would make npm overlook the machine's settings.
  writeFileSync(join(folder, "package.json"), "{}");
  const quiet = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  execFileSync("npm", ["install", "--ignore-scripts", ...quiet, `${name}@${version}`], {
    cwd: folder,
    env: { ...process.env, PATH: systemPath() },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (!existsSync(program)) throw new Error(`${name}@${version} has no program "${file}"`);
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
