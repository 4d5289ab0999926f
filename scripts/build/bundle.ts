// SPDX-License-Identifier: Apache-2.0
// src/cli.ts → dist/cli.cjs, one CommonJS file without dependencies, and dist/meta.json for the checks.
// CommonJS because esbuild keeps `require()` and `import()` inside functions lazy in one file.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { DIST, ROOT, readVersion, runStep } from "./project.ts";

/** What the command and the library have in common. */
export function bundleOptions(): BuildOptions {
  return {
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node22",
    // jsonc-parser's CommonJS build hides its requires from bundlers.
    mainFields: ["module", "main"],
    // The executable's loader reads the file as latin1.
    charset: "ascii",
    legalComments: "none",
    define: { ISTHMOS_VERSION: JSON.stringify(readVersion()) },
    logLevel: "warning",
  };
}

/** Writes dist/cli.cjs and dist/meta.json. */
export async function bundleCommand(): Promise<void> {
  const { metafile } = await build({
    ...bundleOptions(),
    entryPoints: ["src/cli.ts"],
    outfile: "dist/cli.cjs",
    format: "cjs",
    minify: true,
    metafile: true,
    // The executable runs the bundle as a script, where a native `import()` has no loader.
    supported: { "dynamic-import": false },
  });
  mkdirSync(DIST, { recursive: true });
  writeFileSync(join(DIST, "meta.json"), JSON.stringify(metafile));
}

if (import.meta.main) await runStep(bundleCommand);
