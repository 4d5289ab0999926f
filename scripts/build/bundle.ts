// SPDX-License-Identifier: Apache-2.0
// src/cli.ts → dist/cli.cjs, src/program.ts → dist/program.cjs, and dist/meta.json for the checks. Two files: what
// hook and filter need is loaded at every tool call, the command tree only when a person asks. CommonJS because
// esbuild keeps `require()` and `import()` inside functions lazy.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
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

/** Leaves the command tree to a file of its own. */
const programApart: Plugin = {
  name: "program-apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/program\.ts$/ }, () => ({ path: "./program.cjs", external: true }));
  },
};

/** Writes dist/cli.cjs, dist/program.cjs and dist/meta.json. */
export async function bundleCommand(): Promise<void> {
  const options: BuildOptions = {
    ...bundleOptions(),
    format: "cjs",
    minify: true,
    // The executable runs the bundle as a script, where a native `import()` has no loader.
    supported: { "dynamic-import": false },
  };
  const [{ metafile }] = await Promise.all([
    build({
      ...options,
      entryPoints: ["src/cli.ts"],
      outfile: "dist/cli.cjs",
      metafile: true,
      plugins: [programApart],
    }),
    build({ ...options, entryPoints: ["src/program.ts"], outfile: "dist/program.cjs" }),
  ]);
  mkdirSync(DIST, { recursive: true });
  writeFileSync(join(DIST, "meta.json"), JSON.stringify(metafile));
}

if (import.meta.main) await runStep(bundleCommand);
