// SPDX-License-Identifier: Apache-2.0
// src/cli.ts → dist/cli.cjs, src/program.ts → dist/program.cjs, src/commands/mcp.ts → dist/mcp.cjs, and dist/meta.json
// for the checks. Three files: what hook and filter need is loaded at every tool call, the command tree only when a
// person asks, the MCP SDK only where a server starts. CommonJS because esbuild keeps `require()` and `import()`
// inside functions lazy.
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

/** Leaves the module to a file of its own, which is loaded when it is asked for. */
function apart(module: RegExp, file: string): Plugin {
  return {
    name: "apart",
    setup: ({ onResolve }) => {
      onResolve({ filter: module }, () => ({ path: `./${file}`, external: true }));
    },
  };
}

const programApart = apart(/\/program\.ts$/, "program.cjs");
const mcpApart = apart(/\/commands\/mcp\.ts$/, "mcp.cjs");

/** The SDK's own check of what a user filled in; this server never asks a user. It is a third of the SDK. */
const withoutAjv: Plugin = {
  name: "without-ajv",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\/ajv-provider\.js$/ }, () => ({ path: "ajv-provider", namespace: "without-ajv" }));
    onLoad({ filter: /.*/, namespace: "without-ajv" }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
  },
};

/** Writes dist/cli.cjs, dist/program.cjs, dist/mcp.cjs and dist/meta.json; answers every file that went into them, from ROOT. */
export async function bundleCommand(): Promise<string[]> {
  const options = {
    ...bundleOptions(),
    metafile: true as const,
    format: "cjs" as const,
    minify: true,
    // The executable runs the bundle as a script, where a native `import()` has no loader.
    supported: { "dynamic-import": false },
  } satisfies BuildOptions;
  const built = await Promise.all([
    build({
      ...options,
      entryPoints: ["src/cli.ts"],
      outfile: "dist/cli.cjs",
      plugins: [programApart, mcpApart],
    }),
    build({
      ...options,
      entryPoints: ["src/program.ts"],
      outfile: "dist/program.cjs",
      plugins: [mcpApart],
    }),
    build({
      ...options,
      entryPoints: ["src/commands/mcp.ts"],
      outfile: "dist/mcp.cjs",
      plugins: [withoutAjv],
    }),
  ]);
  mkdirSync(DIST, { recursive: true });
  writeFileSync(join(DIST, "meta.json"), JSON.stringify(built[0].metafile));
  return [...new Set(built.flatMap(({ metafile }) => Object.keys(metafile.inputs)))];
}

if (import.meta.main) await runStep(async () => void (await bundleCommand()));
