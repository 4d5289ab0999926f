// SPDX-License-Identifier: Apache-2.0
// Are clues kept? Makes tool outputs of many shapes with one clue in each, compresses them by the starter rules, and
// counts which clues are in view and which one reveal gives back; then real diffs, which must apply afterwards.
// Prints Markdown tables; exit 1 where a promise is broken.
//
//   node scripts/retention/main.ts [--seeds N] [--diffs N] [--misses]
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../../src/index.ts";
import { type Counts, findShortfalls, measureRetention } from "./counts.ts";
import { checkDiffs } from "./diffs.ts";
import { listCases } from "./generate.ts";
import { SHAPES } from "./shapes/all.ts";
import { loadStarterRules } from "./starter-rules.ts";

// The sources load packages lazily by `require`, which the bundle resolves.
globalThis.require = createRequire(import.meta.url);

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "4" },
    diffs: { type: "string", default: "500" },
    misses: { type: "boolean", default: false },
  },
});

const dir = mkdtempSync(join(tmpdir(), "isthmos-retention-"));
try {
  const rules = loadStarterRules();
  const store = openStore({ stateDir: join(dir, "state"), keyFile: join(dir, "store.key") });
  const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => i + 1);
  const { total, byShape, misses } = measureRetention(listCases(SHAPES, seeds), rules, store);
  const rows = [...byShape].map(([name, counts]) => rowOf(name, counts));
  console.log(
    "| Shape | Outputs | Failures in view | Rare values and ids in view | By one reveal | Lost | Bytes left |",
  );
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  for (const row of [...rows, rowOf("**all**", total)]) console.log(`| ${row.join(" | ")} |`);
  console.log(`\nBytes of one reveal, median: ${median(total.revealBytes)}\n`);
  if (options.misses) {
    for (const { shape, position, kind, seed, fate, clue } of misses) {
      console.log(`${fate}: ${shape.name}, ${kind}, ${position}, seed ${seed}, ${clue}`);
    }
  }
  const diffs = checkDiffs(Number(options.diffs), join(dir, "diffs"), rules, store);
  console.log(
    `${diffs.count} diffs (${diffs.sources}): ${diffs.alone} apply alone, ${diffs.inside} out of a longer log`,
  );
  const problems = [...findShortfalls(total), ...diffs.problems];
  for (const problem of problems) console.error(`isthmos: error: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function rowOf(name: string, counts: Counts): (string | number)[] {
  const { cases, errors, errorsVisible, others, othersVisible, revealed, lost, inBytes, outBytes } = counts;
  const share = `${((100 * outBytes) / inBytes).toFixed(1)} %`;
  return [
    name,
    cases,
    `${errorsVisible} of ${errors}`,
    `${othersVisible} of ${others}`,
    revealed,
    lost,
    share,
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
