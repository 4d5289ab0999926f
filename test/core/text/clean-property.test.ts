// SPDX-License-Identifier: Apache-2.0
// Clean-ups and limits at once, on texts of what is written over, coloured, long and failing: cuts never cross, and
// with the ranges that markers name put back, the text is the cleaned original.
import fc from "fast-check";
import { expect, it } from "vitest";
import { applySplices, checkSplices, type Splice } from "../../../src/core/splice.ts";
import { cleanText } from "../../../src/core/text/clean.ts";
import { compressText, type TextLimits } from "../../../src/core/text/text.ts";
import { decodeUtf8 } from "../../../src/core/utf8.ts";
import { CONTEXT, ID } from "./support.ts";

const RUNS = process.env.SLOW ? 50_000 : 400;

const word = fc.constantFrom("word", "build", "ab", "100%", "naïve", "漢字", "  ", "x", "e\u0301", "🌍");
const words = fc.integer({ min: 1, max: 90 }).chain((n) => word.map((text) => `${text} `.repeat(n)));
const edge = fc.constantFrom(
  "ma\b\b\b ",
  "\b \b",
  "\r",
  "\rstart",
  "\r\r",
  "\b\b",
  "ab\b\bcd",
  "          \r",
  "\x1b[K",
  "\x1b[3Dabc",
  "\x1b[1G",
  "\x1b[2K\x1b[1G",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b[5;1H",
  "\x1b]8;;http://e.x/\x07",
  "\x1b[",
  "\x1b",
  "\x9b",
  "\t",
);
const failing = fc.constantFrom("error: boom ", "ERROR: zq1 broke", "\x1b[31merr\x1b[0mor: zq2 ", "FAILED x");
const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\r", "\r");
const line = fc.tuple(
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: words },
      { weight: 3, arbitrary: edge },
      { weight: 1, arbitrary: failing },
    ),
    {
      maxLength: 6,
    },
  ),
  end,
);
const lines = fc.oneof(
  { weight: 4, arbitrary: line.map(([parts, last]) => parts.join("") + last) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(line, fc.integer({ min: 2, max: 12 }))
      .map(([[parts, last], n]) => (parts.join("") + last).repeat(n)),
  },
);
const text = fc
  .tuple(fc.array(lines, { minLength: 1, maxLength: 12 }), fc.oneof(fc.constant(""), edge))
  .map(([blocks, last]) => new TextEncoder().encode(blocks.join("") + last));
const limits: fc.Arbitrary<TextLimits> = fc
  .record({
    stripAnsi: fc.boolean(),
    collapseCr: fc.constantFrom(true, true, true, false),
    maxLines: fc.constantFrom(0, 0, 1, 2, 3, 8),
    keepLast: fc.constantFrom(undefined, 0, 1, 4),
    maxStr: fc.constantFrom(0, 1, 20, 100, 200),
    dedup: fc.boolean(),
    bytes: fc.constantFrom(0, 0, 256, 300, 800, 2000),
    ends: fc.constantFrom(1, 100, 1000),
  })
  .map(({ bytes, ends, ...rest }) => ({
    ...rest,
    ...(bytes > 0 && { budget: { maxBytes: bytes, headBytes: ends, tailBytes: ends } }),
  }));
const unit = fc.constantFrom("line", "line", "whole" as const);

/** Bytes `from` to `to` of the original once the clean-up is done; it crosses neither edge. */
function cleanRange(bytes: Uint8Array, from: number, to: number, clean: readonly Splice[]): Uint8Array {
  const inside = clean.filter(({ start, end }) => start >= from && end <= to);
  const moved = inside.map((splice) => ({ ...splice, start: splice.start - from, end: splice.end - from }));
  return applySplices(bytes.subarray(from, to), moved);
}

function trimEnd(line: string): string {
  return line.replace(/\r?\n$/, "");
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

it("C1, C4, C5: cuts and clean-ups never cross, and markers name what they hide", () => {
  let cut = 0;
  fc.assert(
    fc.property(text, limits, unit, (bytes, rules, unit) => {
      const { splices } = compressText(bytes, rules, { ...CONTEXT, unit });
      checkSplices(bytes.length, splices);
      const rendered = applySplices(bytes, splices, ID);
      expect(decodeUtf8(rendered)).toBeDefined();
      if (splices.length > 0) expect(rendered.length).toBeLessThan(bytes.length);
      const clean = cleanText(bytes, rules);
      const removed = clean?.splices ?? [];
      const starts = [0];
      for (const [i, c] of bytes.entries()) if (c === 0x0a && i + 1 < bytes.length) starts.push(i + 1);
      starts.push(bytes.length);
      let whole = "";
      let from = 0;
      for (const splice of splices) {
        whole += latin1(bytes.subarray(from, splice.start));
        from = splice.end;
        const hidden = latin1(cleanRange(bytes, splice.start, splice.end, removed));
        const marker = splice.insert[0];
        if (typeof marker === "object") cut++;
        if (typeof marker === "object" && marker.kind === "repeat") {
          const previous = whole.slice(whole.lastIndexOf("\n", whole.length - 2) + 1);
          expect(hidden).toBe(trimEnd(previous.repeat(marker.times)));
        } else if (typeof marker === "object" && "from" in marker) {
          const isLines = marker.unit === "lines";
          expect(splice.start).toBe(isLines ? starts[marker.from - 1] : marker.from);
          // Of the last line only its end is left.
          if (isLines) {
            const rest = cleanRange(bytes, splice.end, starts[marker.to] ?? -1, removed);
            expect(latin1(rest)).toMatch(/^(?:\r?\n)?$/);
          } else expect(splice.end).toBe(marker.to);
          if (marker.kind === "cut" && isLines) expect(marker.total).toBe(starts.length - 1);
        }
        whole += hidden;
      }
      expect(whole + latin1(bytes.subarray(from))).toBe(latin1(clean?.text ?? bytes));
    }),
    { numRuns: RUNS },
  );
  expect(cut).toBeGreaterThan(RUNS);
});
