// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetOf, resolveBudget } from "../../../src/core/rules/budget.ts";
import { applySplices, checkSplices } from "../../../src/core/splice.ts";
import { compressText } from "../../../src/core/text/text.ts";
import { CONTEXT, decode, encode, ID, LIMITS, numbered, render, restore } from "./support.ts";

const bytesOf = (text: string): number => encode(text).length;
const budget = (maxBytes: number, shares = {}) => ({ budget: budgetOf(maxBytes, shares) });
const DIFF = `--- a/x\n+++ b/x\n@@ -0,0 +1,40 @@\n${Array.from({ length: 40 }, (_, i) => `+added ${i}\n`).join("")}`;

describe("max_bytes", () => {
  const text = numbered(400, { 200: "error: it failed" });

  it.each([text.length, text.length + 1])("a text of at most %i bytes is untouched", (most) => {
    expect(render(text, budget(most))).toBe(text);
  });

  it("a byte more is cut, on line ends, around the failure", () => {
    const out = render(text, budget(text.length - 1));
    expect(bytesOf(out)).toBeLessThan(text.length - 1);
    expect(out).toContain("line 199\nerror: it failed\nline 201\n");
    expect(decode(restore(encode(text), encode(out)))).toBe(text);
  });

  it("head and tail are whole lines within their shares", () => {
    const out = render(numbered(4000), budget(2000, { headBytes: 1000, tailBytes: 400 }));
    const [head = "", tail = ""] = out.split(/\[isthmos: [^\]]*\]\n/);
    expect(head.length).toBeLessThanOrEqual(1000);
    expect(tail.length).toBeLessThanOrEqual(400);
    expect(head.length + tail.length).toBeGreaterThan(1200);
    expect(out).toMatch(/^line 1\n/);
    expect(out).toMatch(/line 4000\n$/);
  });

  it("a line that is larger than its share is cut at a character", () => {
    const line = "é".repeat(4000);
    const out = render(line, budget(1000));
    expect(out).toMatch(
      /^é{100,}\[isthmos: \d+ bytes truncated, bytes \d+-\d+, full: isthmos reveal \w+\]é{50,}$/,
    );
    expect(bytesOf(out)).toBeLessThanOrEqual(1000);
  });

  it("C9: a failure in the middle of one long line has its window", () => {
    const out = render(`${"x ".repeat(4000)}error: it failed${" y".repeat(4000)}`, budget(1000));
    expect(out).toContain("error: it failed");
    expect(bytesOf(out)).toBeLessThanOrEqual(1000);
  });

  it("it acts on what max_lines left", () => {
    const out = render(text, { ...budget(1500), maxLines: 40 });
    expect(out).toBe(render(text, { maxLines: 40 }));
    const less = render(text, { ...budget(300), maxLines: 40 });
    expect(bytesOf(less)).toBeLessThanOrEqual(300);
    expect(decode(restore(encode(text), encode(less)))).toBe(text);
  });

  it("C8: a diff stays whole within the budget, or above it", () => {
    const log = numbered(300) + DIFF + numbered(300);
    for (const [most, kept] of [
      [2000, undefined],
      [400, "diff"],
    ] as const) {
      const { splices, ...result } = compressText(encode(log), { ...LIMITS, ...budget(most) }, CONTEXT);
      const out = decode(applySplices(encode(log), splices, ID));
      expect(out).toContain(DIFF);
      expect(result.kept).toBe(kept);
      expect(bytesOf(out)).toBeLessThanOrEqual(kept === undefined ? most : most + DIFF.length);
    }
  });

  it("C8: a text that is one diff is unchanged, and that is said", () => {
    expect(compressText(encode(DIFF), { ...LIMITS, ...budget(300) }, CONTEXT)).toEqual({
      ...{ splices: [], cuts: {}, kept: "diff" },
    });
  });

  it("C8: with the profile a traceback has a smaller head, and keeps its end", () => {
    const frames = numbered(3000).replace(/line (\d+)/g, '  File "/app/m$1.py", line $1, in call_$1');
    const trace = `Traceback (most recent call last):\n${frames}ValueError: not a date\n`;
    const out = render(trace, { budget: resolveBudget([{ profile: "sutra" }]) });
    expect(out).toMatch(/^Traceback/);
    expect(out).toMatch(/ValueError: not a date\n$/);
    expect(bytesOf(out)).toBeLessThanOrEqual(4096 + 6144);
  });

  it("a text that may only lose its end keeps whole lines; the marker counts the failing ones (C9)", () => {
    const out = render(text, budget(500), { cut: "tail" });
    expect(bytesOf(out)).toBeLessThanOrEqual(500);
    expect(out).toMatch(/^line 1\n[^[]*\n\[isthmos: \d+ of 400 lines truncated, 1 of them failing, lines /);
    const long = render(`${"z".repeat(900)}\n${text}`, budget(500), { cut: "tail" });
    expect(bytesOf(long)).toBeLessThanOrEqual(500);
    expect(long).toMatch(
      /^z+\[isthmos: bytes \d+-900 truncated\]\n\[isthmos: 400 of 401 lines truncated, 1 of/,
    );
  });

  it("a repeat marker and a hole never cross, whichever try was best", () => {
    const beta = "\u001b[33mdone beta\u001b[0m\u001b[K value\n".repeat(4);
    const trace = 'Traceback (most recent call last):\n  File "a.py", line 27, in f\nValueError: link\n';
    const alpha = `[isthmos: lines 3-6 truncated]\n${"alpha same line\n".repeat(4)}gamma value\rlink FAILED alpha\rz\n`;
    const done = 'done same line\ndone same line\n{"a":65,"level":"error","msg":"value"}\n';
    const quotes = "[isthmos: lines 3-4 truncated]\n[isthmos: lines 3-9 truncated]\n";
    const rest = `${"progress same line\n".repeat(4)}{"a":23,"level":"error","msg":"delta"}\nab\b\bcd compile\b\b\b  \n`;
    const whole = encode(alpha + trace + beta + done + quotes + rest);
    const limits = { ...LIMITS, dedup: true, stripAnsi: true, ...budget(512) };
    const { splices } = compressText(whole, limits, CONTEXT);
    expect(splices.length).toBeGreaterThan(2);
    expect(() => checkSplices(whole.length, splices)).not.toThrow();
  });

  it("names are kept whole", () => {
    const names = render(`${"n".repeat(400)}\nb\nc`, budget(300), { cut: "tail", content: "names" });
    expect(names).toBe(`${"n".repeat(400)}\nb\nc`);
  });
});

const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom("error: it failed", "FAILED test_x", "same", "same", "same") },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 900 }).map((n) => "long ".repeat(n)) },
);
const lines = fc
  .array(line, { minLength: 30, maxLength: 200 })
  .map((all) => all.map((one) => one.replace(/[\r\n]/g, " ")).join("\n"));

it("C2: within the budget; C5: markers name every hole truly", () => {
  let cut = 0;
  fc.assert(
    fc.property(
      lines,
      fc.integer({ min: 256, max: 4000 }),
      fc.record({ maxLines: fc.constantFrom(0, 20), maxStr: fc.constantFrom(0, 300), dedup: fc.boolean() }),
      fc.constantFrom("any" as const, "tail" as const),
      (text, most, others, side) => {
        const bytes = encode(text);
        const limits = { ...LIMITS, ...others, ...budget(most) };
        const out = render(text, limits, { cut: side });
        if (out === text) return;
        cut++;
        expect(bytesOf(out)).toBeLessThanOrEqual(Math.max(most, 0));
        expect(decode(restore(bytes, encode(out)))).toBe(text);
        // What was cut is not cut again.
        expect(render(out, limits, { cut: side, stored: new Set([ID]) })).toBe(out);
      },
    ),
    { numRuns: 300 },
  );
  expect(cut).toBeGreaterThan(150);
});
