// SPDX-License-Identifier: Apache-2.0
// Makes an executable of the base Node.js, a script and its bytecode. pkg's SEA function is called directly:
// its command line cannot hand on the base binary and the settings that make the start fast and safe.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DIST, findBaseNode, ROOT } from "./project.ts";

interface SeaOptions {
  readonly targets: readonly { platform: string; arch: string; nodeRange: string; output: string }[];
  readonly signature: boolean;
  readonly nodePath: string;
  readonly seaConfig: Readonly<Record<string, unknown>>;
}

type BuildSea = (entry: string, options: SeaOptions) => Promise<void>;

/** Fixed at build time, so that no variable of the environment it is called from changes or breaks the program. */
export function runtimeOptions(platform: string): Readonly<Record<string, unknown>> {
  return {
    disableExperimentalSEAWarning: true,
    // A broken OPENSSL_CONF would end the process before the first line of script.
    execArgv: [`--openssl-config=${platform === "win32" ? "NUL" : "/dev/null"}`],
    // NODE_OPTIONS could add a script, an unknown flag or a debugger.
    execArgvExtension: "none",
  };
}

/** CommonJS files in ASCII: what every call runs, the command tree, and the MCP server. */
export interface Bundle {
  readonly cli: string;
  readonly program: string;
  readonly mcp: string;
}

/** The bundle as `bundleCommand` left it in dist/. */
export function readBundle(): Bundle {
  const read = (name: string): string => readFileSync(join(DIST, name), "latin1");
  return { cli: read("cli.cjs"), program: read("program.cjs"), mcp: read("mcp.cjs") };
}

/** Writes `output` (absolute), at once and whole; `makeBytecode` fills the cache file for `cli`. */
export async function packExecutable(
  bundle: Bundle,
  output: string,
  makeBytecode: (sourceFile: string, cacheFile: string) => void,
): Promise<void> {
  const base = findBaseNode();
  const work = mkdtempSync(join(DIST, ".pack-"));
  try {
    const parts = writeParts(bundle, work);
    const bytecode = join(work, "bytecode");
    makeBytecode(parts.cli, bytecode);
    const made = join(work, "isthmos");
    await buildSea(join(ROOT, "scripts/build/loader.cjs"), {
      targets: [{ platform: process.platform, arch: process.arch, nodeRange: "node22", output: made }],
      signature: true,
      nodePath: base,
      seaConfig: { ...runtimeOptions(process.platform), assets: { ...parts, bytecode } },
    });
    renameSync(made, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Writes each file of the bundle into `folder`, as a function that the loader calls with its own `require`. */
export function writeParts(bundle: Bundle, folder: string): Record<keyof Bundle, string> {
  const write = (name: keyof Bundle): string => {
    const file = join(folder, `${name}.js`);
    writeFileSync(file, `(function(require,module){${bundle[name]}\n})`, "latin1");
    return file;
  };
  return { cli: write("cli"), program: write("program"), mcp: write("mcp") };
}

/** Bytecode made by running the bundle on samples. */
export function makeWarmBytecode(sourceFile: string, cacheFile: string): void {
  const args = [join(ROOT, "scripts/build/warm.ts"), sourceFile, cacheFile];
  const { status } = spawnSync(findBaseNode(), args, { stdio: ["ignore", "ignore", "inherit"], env: {} });
  if (status !== 0) throw new Error("no bytecode was made");
}

async function buildSea(entry: string, options: SeaOptions): Promise<void> {
  const { log } = console;
  // pkg reports its steps there, and stdout is the caller's.
  console.log = console.error;
  try {
    await loadPkg()(entry, options);
  } finally {
    console.log = log;
  }
}

// Internal to pkg, so its version is pinned exactly.
function loadPkg(): BuildSea {
  const require = createRequire(import.meta.url);
  const sea: unknown = require("@yao-pkg/pkg/lib-es5/sea.js");
  if (typeof sea === "object" && sea !== null && "default" in sea && typeof sea.default === "function") {
    return sea.default as BuildSea;
  }
  throw new Error("this version of @yao-pkg/pkg has no SEA function: install the pinned one");
}
