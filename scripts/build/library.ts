// SPDX-License-Identifier: Apache-2.0
// src/index.ts → dist/index.js and dist/index.cjs, each one file without dependencies, and dist/types.
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundleCommand, bundleOptions } from "./bundle.ts";
import { DIST, ROOT, runStep } from "./project.ts";

const TYPES = join(DIST, "types");

// Lazy `require` calls of the sources and of bundled CommonJS packages need one in an ES module.
const REQUIRE =
  'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);';

async function bundleLibrary(): Promise<void> {
  const options = { ...bundleOptions(), entryPoints: ["src/index.ts"] };
  await build({ ...options, outfile: "dist/index.js", format: "esm", banner: { js: REQUIRE } });
  await build({ ...options, outfile: "dist/index.cjs", format: "cjs" });
}

// Every declaration twice, so that TypeScript finds ES modules from `import` and CommonJS from `require`.
function emitTypes(): void {
  rmSync(TYPES, { recursive: true, force: true });
  const args = [
    join(ROOT, "node_modules/typescript/bin/tsc"),
    "-p",
    join(ROOT, "scripts/build/tsconfig.types.json"),
  ];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  for (const name of globSync("**/*.d.ts", { cwd: TYPES })) {
    const file = join(TYPES, name);
    const text = readFileSync(file, "utf8");
    writeFileSync(file.replace(/\.d\.ts$/, ".d.cts"), renameImports(text, ".cjs"));
    writeFileSync(`${file}.new`, renameImports(text, ".js"));
    renameSync(`${file}.new`, file);
  }
}

/** Relative imports of `x.ts` become imports of `x` with `extension`. */
function renameImports(declarations: string, extension: string): string {
  return declarations.replace(/((?:from |import\()"\.{1,2}\/[^"]*)\.ts"/g, `$1${extension}"`);
}

await runStep(async () => {
  await bundleCommand();
  copyFileSync(join(ROOT, "scripts/build/npm-bin.cjs"), join(DIST, "bin.cjs"));
  await bundleLibrary();
  emitTypes();
});
