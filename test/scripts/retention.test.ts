// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findShortfalls, measureRetention } from "../../scripts/retention/counts.ts";
import { checkDiffs } from "../../scripts/retention/diffs.ts";
import { type Case, generate, KINDS, listCases, POSITIONS } from "../../scripts/retention/generate.ts";
import { SHAPES } from "../../scripts/retention/shapes/all.ts";
import { loadStarterRules } from "../../scripts/retention/starter-rules.ts";
import { openStore } from "../../src/index.ts";

const SEEDS = [11, 12];
const DIFFS = 40;
const TIMEOUT_MS = 300_000;

const dir = mkdtempSync(join(tmpdir(), "isthmos-retention-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const store = openStore({ stateDir: join(dir, "state"), keyFile: join(dir, "store.key") });
const rules = loadStarterRules();

/** Two cases of each shape and seed: over all shapes every position and kind comes up. */
function someCases(): Case[] {
  return listCases(SHAPES, SEEDS).filter(({ shape, position, kind, seed }) => {
    const turn = SHAPES.indexOf(shape) * 5 + seed;
    const place = POSITIONS.indexOf(position) * KINDS.length + KINDS.indexOf(kind);
    const count = POSITIONS.length * KINDS.length;
    return place === turn % count || place === (turn + 5) % count;
  });
}

describe("the generator", () => {
  it("has at least forty shapes, each with a name of its own", () => {
    expect(SHAPES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
  });

  it("puts every kind of clue into every place, once, and makes the same output each time", () => {
    const cases = someCases();
    expect(new Set(cases.map(({ position, kind }) => `${position} ${kind}`)).size).toBe(12);
    for (const one of cases) {
      const { text, clue } = generate(one);
      expect([one.shape.name, one.kind, text.includes(clue)]).toEqual([one.shape.name, one.kind, true]);
      expect(generate(one).text === text).toBe(true);
    }
  });
});

it(
  "C9, C6: failures are in view, and every other clue is in view or given back by one reveal",
  () => {
    const { total, misses } = measureRetention(someCases(), rules, store);
    expect(
      misses.map(({ shape, kind, position, seed }) => `${shape.name}, ${kind}, ${position}, ${seed}`),
    ).toEqual([]);
    expect(findShortfalls(total)).toEqual([]);
    expect(total.revealed).toBeGreaterThan(total.cases / 10);
  },
  TIMEOUT_MS,
);

it.each([
  ["too few failures in view", { errorsVisible: 994 }, ["only 994 of 1000 failures are in view"]],
  ["just enough", { errorsVisible: 995 }, []],
  ["a lost clue", { lost: 1 }, ["1 clues are neither in view nor given back by one reveal"]],
  ["nothing cut", { changed: 10 }, ["only 10 of 2000 results were made smaller"]],
])("the counts tell of %s", (_, counts, problems) => {
  const good = {
    cases: 2000,
    changed: 2000,
    errors: 1000,
    errorsVisible: 1000,
    others: 1000,
    othersVisible: 500,
    revealed: 500,
    lost: 0,
    inBytes: 2,
    outBytes: 1,
    revealBytes: [],
  };
  expect(findShortfalls({ ...good, ...counts })).toEqual(problems);
});

it(
  `C8: git apply takes ${DIFFS} real diffs after compression, alone and out of a longer log`,
  () => {
    // Of installed packages: they are there in every checkout, as a history may not be.
    const report = checkDiffs(DIFFS, join(dir, "diffs"), rules, store, { usesHistory: false });
    expect(report.problems).toEqual([]);
    expect([report.count, report.alone, report.inside]).toEqual([DIFFS, DIFFS, DIFFS]);
  },
  TIMEOUT_MS,
);
