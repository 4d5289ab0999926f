// SPDX-License-Identifier: Apache-2.0
// A home in which isthmos is wired and unwired, and a stand-in for the client's program.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type InitArgs, run as init } from "../../src/commands/init.ts";
import { type UninstallArgs, run as uninstall } from "../../src/commands/uninstall.ts";
import { readEnv } from "../../src/env.ts";
import { captureIo } from "./io.ts";

const PROGRAM = ["/opt/isthmos/isthmos"] as const;

export interface InstallHome {
  readonly path: string;
  /** The folder that commands run in. */
  readonly project: string;
  write(name: string, text: string | Uint8Array): string;
  read(name: string): string;
  has(name: string): boolean;
  /** Every file below the home with its bytes, in latin1. */
  snapshot(): Record<string, string>;
  /** Makes the home hold these files and no others. */
  reset(snapshot: Readonly<Record<string, string>>): void;
  init(args?: InitArgs, program?: readonly [string, ...string[]]): Promise<{ code: number; out: string }>;
  uninstall(args?: UninstallArgs): Promise<{ code: number; out: string }>;
  /** Puts a program `claude` into PATH that says `version` and edits its file as the client does. */
  addClient(version: string, how?: "works" | "fails"): void;
  remove(): void;
}

export function makeInstallHome(
  variables: (home: string) => Readonly<Record<string, string>> = () => ({}),
): InstallHome {
  const path = mkdtempSync(join(tmpdir(), "isthmos install "));
  const project = join(path, "work/deep/project");
  mkdirSync(project, { recursive: true });
  const env = readEnv(
    { HOME: path, PATH: join(path, "bin"), ...variables(path) },
    () => path,
    () => project,
  );
  const write: InstallHome["write"] = (name, text) => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const files = () =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
      .filter((name) => !name.startsWith("bin/"))
      .sort();
  return {
    path,
    project,
    write,
    read: (name) => readFileSync(join(path, name), "utf8"),
    has: (name) => existsSync(join(path, name)),
    snapshot: () =>
      Object.fromEntries(files().map((name) => [name, readFileSync(join(path, name), "latin1")])),
    reset: (snapshot) => {
      for (const name of readdirSync(path).filter((one) => one !== "work" && one !== "bin")) {
        rmSync(join(path, name), { recursive: true });
      }
      for (const [name, text] of Object.entries(snapshot)) write(name, Buffer.from(text, "latin1"));
    },
    init: async (args = {}, program = PROGRAM) => {
      const io = captureIo();
      return { code: await init(args, env, io, program), out: io.written() };
    },
    uninstall: async (args = {}) => {
      const io = captureIo();
      return { code: await uninstall(args, env, io, PROGRAM), out: io.written() };
    },
    addClient: (version, how = "works") => {
      const script = write("bin/claude.cjs", clientScript(path, version, how));
      const program = write("bin/claude", `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
      chmodSync(program, 0o755);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

// As clients 2.1.197 and 2.1.332 do it: their file is read, and written anew with two blanks a level.
function clientScript(home: string, version: string, how: string): string {
  return `
const { readFileSync, writeFileSync, appendFileSync } = require("node:fs");
const args = process.argv.slice(2);
if (args[0] === "--version") { console.log("${version} (Claude Code)"); process.exit(0); }
appendFileSync(${JSON.stringify(join(home, "bin/calls"))}, JSON.stringify(args) + "\\n");
if ("${how}" === "fails") process.exit(1);
const file = ${JSON.stringify(join(home, ".claude.json"))};
let all = {};
try { all = JSON.parse(readFileSync(file, "utf8")); } catch {}
all.startups = (all.startups ?? 0) + 1;
const scope = args[args.indexOf("--scope") + 1];
const folder = process.cwd();
const place = scope === "user" ? all : ((all.projects ??= {})[folder] ??= { allowedTools: [] });
const servers = (place.mcpServers ??= {});
if (args[1] === "add") {
  if (servers.isthmos) process.exit(1);
  const [command, ...rest] = args.slice(args.indexOf("--") + 1);
  servers.isthmos = { type: "stdio", command, args: rest, env: {} };
} else {
  if (!servers.isthmos) process.exit(1);
  delete servers.isthmos;
}
writeFileSync(file, JSON.stringify(all, null, 2));
`;
}
