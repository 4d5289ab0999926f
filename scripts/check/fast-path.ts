// SPDX-License-Identifier: Apache-2.0
// Fails if starting the command loads more than its own sources and the few built-ins that are cheap: walks the
// static imports of src/cli.ts in the bundle's metafile. What loads later, inside functions, is not its matter.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DIST, runStep } from "../build/project.ts";

interface Import {
  readonly path: string;
  readonly kind: string;
  readonly external?: boolean;
}

type Inputs = Readonly<Record<string, { readonly imports: readonly Import[] }>>;

const ENTRY = "src/cli.ts";

// Loaded before the first line of script runs, or in less than 1 ms. node:tty and node:crypto are not: 10 and 5 ms.
const CHEAP_BUILT_INS: ReadonlySet<string> = new Set(["node:fs", "node:path", "node:os"]);

/** The chains from the entry to each thing that must not be loaded at start. */
export function findBreaches(inputs: Inputs): string[] {
  const breaches: string[] = [];
  const chains = new Map([[ENTRY, ENTRY]]);
  for (const [file, chain] of chains) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== "import-statement" || chains.has(path)) continue;
      const next = `${chain} → ${path}`;
      if (external === true ? !CHEAP_BUILT_INS.has(path) : !path.startsWith("src/")) breaches.push(next);
      else if (external !== true) chains.set(path, next);
    }
  }
  return breaches;
}

if (import.meta.main) {
  await runStep(() => {
    const { inputs } = JSON.parse(readFileSync(join(DIST, "meta.json"), "utf8")) as { inputs: Inputs };
    if (inputs[ENTRY] === undefined) throw new Error(`dist/meta.json knows no ${ENTRY}: run npm run bundle`);
    const breaches = findBreaches(inputs);
    if (breaches.length > 0) throw new Error(`loaded at every start:\n  ${breaches.join("\n  ")}`);
    console.log("fast-path: nothing heavy is loaded at start");
  });
}
