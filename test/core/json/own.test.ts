// SPDX-License-Identifier: Apache-2.0
// What was cut before is not cut again (C10), known from a quote of a marker.
import { describe, expect, it } from "vitest";
import { compress } from "../../../src/core/compress.ts";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import { findCitedIds } from "../../../src/core/references.ts";
import { budgetOf } from "../../../src/core/rules/budget.ts";
import type { Policy } from "../../../src/core/rules/policy.ts";
import { applySplices } from "../../../src/core/splice.ts";
import { decode, encode, policyOf } from "./support.ts";

const RUNS = process.env.SLOW === undefined ? 400 : 20_000;
const REVEAL = `full: isthmos reveal ${EXAMPLE_ID}`;

/** One pass; the store holds `stored`. */
function pass(text: string, part: Partial<Policy>, stored: readonly string[] = []): string {
  const bytes = encode(text);
  const facts = { tool: "t", seen: false, stored: new Set(stored), lossy: true };
  const { splices } = compress({ bytes, cut: "any", content: "text" }, policyOf(part), facts);
  return decode(applySplices(bytes, splices, EXAMPLE_ID));
}

function expectStable(text: string, part: Partial<Policy>): string {
  const once = pass(text, part);
  expect(pass(once, part, findCitedIds(encode(once)))).toBe(once);
  return once;
}

const items = (count: number, at: Readonly<Record<number, object>> = {}): object[] =>
  Array.from({ length: count }, (_, i) => at[i] ?? { i, text: "tick tick tick tick tick tick" });
const records = (count: number): string =>
  items(count)
    .map((item) => `${JSON.stringify(item)}\n`)
    .join("");
const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `compiling unit ${i}\n`).join("");
const log = `Traceback (most recent call last)${" deep".repeat(40)}`;

describe("the second pass changes nothing", () => {
  it.each<[string, string, Partial<Policy>]>([
    [
      "a record with an array whose failing item is pinned",
      `{"n":1}\n${JSON.stringify({ a: items(9, { 3: { i: 3, log: "Traceback (most recent call last)" } }) })}\n`,
      { maxItems: 1 },
    ],
    [
      "items that fail by a string that is cut",
      JSON.stringify({ a: items(9, { 4: { log } }) }),
      { maxItems: 2, maxStr: 1 },
    ],
    ["items that all fail by one", JSON.stringify({ a: Array(6).fill({ log }) }), { maxItems: 3, maxStr: 1 }],
    ["records over the budget", records(90), { maxItems: 40, budget: budgetOf(1500) }],
    ["numbers, the marker beside them", JSON.stringify({ e: Array(400).fill(0.125) }), { maxItems: 3 }],
    ["a document in a string", JSON.stringify({ s: JSON.stringify({ a: items(30) }) }), { maxItems: 3 }],
    [
      "a string elided for the budget",
      JSON.stringify({ a: [{ b: lines(900) }] }),
      { budget: budgetOf(2000) },
    ],
    [
      "a text with a quote of a short marker",
      `${lines(4)}[isthmos: lines 3-9 truncated]\n${lines(90)}`,
      { maxLines: 5, budget: budgetOf(600) },
    ],
    [
      "a text with a quote of a short marker, failing lines and repeats",
      `[isthmos: lines 3-9 truncated]\n${"same line again\n".repeat(9)}ERROR: a\n${lines(90)}ERROR: b\n${"same line again\n".repeat(9)}`,
      { maxLines: 7, dedup: true },
    ],
  ])("C10: %s", (_, text, part) => {
    expect(expectStable(text, part)).toContain("truncated");
  });

  it(`C10: of documents, JSON lines and texts under any rules (${RUNS})`, () => {
    let seed = 20_261;
    const pick = <T>(values: readonly T[]): T => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return values[(seed >>> 8) % values.length]!;
    };
    const count = (): number => pick([1, 2, 3, 7, 20, 45]);
    const words = ["alpha", "beta", "漢字😀", "done", "x".repeat(700), "value"];
    const line = (): string =>
      pick([
        () => `${pick(words)} ${pick(words)} ${count()}\n`,
        () => `${pick(words.slice(0, 4))} same line\n`.repeat(count()),
        () => `ERROR: ${pick(words)} broke\n`,
        () => `Traceback (most recent call last):\n  File "a.py", line ${count()}\nValueError: no\n`,
        () => `[isthmos: lines 3-${count() + 3} truncated]\n`,
        () => lines(count()),
      ])();
    const text = (): string => Array.from({ length: count() }, line).join("");
    const value = (depth: number): unknown =>
      pick<() => unknown>([
        text,
        () => pick(words),
        count,
        () => items(count(), { [count()]: { status: "failed", log: text() } }),
        () => Array.from({ length: count() }, () => pick([0.5, 1])),
        () => Array.from({ length: count() }, () => pick(words)),
        () => (depth > 2 ? null : JSON.stringify({ inner: value(depth + 1) })),
        () => (depth > 2 ? null : { a: value(depth + 1), "x/y": value(depth + 1), log: value(depth + 1) }),
        () => (depth > 2 ? null : [value(depth + 1), value(depth + 1)]),
      ])();
    const record = (): string =>
      `${JSON.stringify({ level: pick(["info", "info", "error"]), v: value(1) })}\n`;
    let cut = 0;
    for (let run = 0; run < RUNS; run++) {
      const given = pick([
        text,
        () => JSON.stringify({ v: value(0) }),
        () => Array.from({ length: count() + 1 }, record).join(""),
      ])();
      const budget = pick([undefined, budgetOf(256), budgetOf(900), budgetOf(4000)]);
      const once = expectStable(given, {
        maxItems: pick([0, 1, 2, 5]),
        maxLines: pick([0, 0, 1, 4, 20]),
        maxStr: pick([0, 0, 1, 60, 500]),
        keepLast: pick([undefined, 0, 2]),
        // A document that stays above its budget with only its repeats cut cites no id, and so is not known again.
        dedup: budget === undefined && pick([true, false]),
        compact: pick([true, false]),
        budget,
      });
      if (once.includes(REVEAL)) cut++;
    }
    expect(cut).toBeGreaterThan(RUNS / 3);
  }, 300_000);
});

describe("a quote of a marker does not keep a document from being cut", () => {
  it.each([
    [
      "another pointer",
      { log: `[isthmos: 900 bytes truncated, bytes 5-905, field /other, ${REVEAL}]`, a: items(40) },
    ],
    [
      "an item of an array with other totals",
      { a: [...items(40), { isthmos: `[isthmos: 3 of 9 items truncated, items 2-4, field /a, ${REVEAL}]` }] },
    ],
    [
      "a number that is too small",
      { a: items(40, { 9: { log: `[isthmos: 9 bytes truncated, bytes 1-10, field /a/2/log, ${REVEAL}]` } }) },
    ],
    ["no pointer", { text: `[isthmos: 900 of 950 lines truncated, lines 5-904, ${REVEAL}]`, a: items(40) }],
  ])("%s", (_, document) => {
    const text = JSON.stringify(document);
    expect(pass(text, { maxItems: 4 }, [EXAMPLE_ID]).length).toBeLessThan(text.length / 2);
  });

  it("of JSON lines", () => {
    const quote = `{"isthmos":"[isthmos: 3 of 9 lines truncated, lines 2-4, ${REVEAL}]"}\n`;
    const text = `${records(20)}${quote}${records(40)}`;
    const out = pass(text, { maxItems: 4 }, [EXAMPLE_ID]);
    expect([out.includes(quote), out.length < text.length / 2]).toEqual([true, true]);
  });
});
