// SPDX-License-Identifier: Apache-2.0
// src/index.ts → dist/index.js and dist/index.cjs, each one file without dependencies, and dist/types.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** What a relative import in a declaration looks like: its path without the extension, and that. */
const IMPORT = /((?:from |import\()"(\.{1,2}\/[^"]*))\.ts"/g;

// Only what the entry's declarations reach is published, and twice, so that TypeScript finds ES modules from
// `import` and CommonJS from `require`.
function emitTypes(): void {
  const emitted = mkdtempSync(join(DIST, ".types-"));
  try {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const args = [tsc, "-p", join(ROOT, "scripts/build/tsconfig.types.json"), "--outDir", emitted];
    execFileSync(process.execPath, args, { stdio: "inherit" });
    rmSync(TYPES, { recursive: true, force: true });
    const modules = new Set(["index"]);
    for (const module of modules) {
      const text = readFileSync(join(emitted, `${module}.d.ts`), "utf8");
      for (const [, , path = ""] of text.matchAll(IMPORT)) modules.add(join(dirname(module), path));
      mkdirSync(dirname(join(TYPES, module)), { recursive: true });
      writeFileSync(join(TYPES, `${module}.d.ts`), text.replace(IMPORT, '$1.js"'));
      writeFileSync(join(TYPES, `${module}.d.cts`), text.replace(IMPORT, '$1.cjs"'));
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

await runStep(async () => {
  await bundleCommand();
  copyFileSync(join(ROOT, "scripts/build/npm-bin.cjs"), join(DIST, "bin.cjs"));
  await bundleLibrary();
  emitTypes();
});
