// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { expect, it } from "vitest";
import { applySplices, insertBytes, splicedLength } from "../../../src/core/splice.ts";
import { compressText, type TextContext, type TextLimits } from "../../../src/core/text/text.ts";
import { decodeUtf8 } from "../../../src/core/utf8.ts";
import { ID, insertsOf, restore } from "./support.ts";

const RUNS = process.env.SLOW ? 3000 : 100;

const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    "error: disk full",
    "0 errors",
    "FAILED",
    "ошибка",
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;x\x1b\\",
    "👩‍👩‍👧",
    "e\u0301",
    "\0",
    "Traceback (most recent call last):",
    "    at f (a.js:1:1)",
    "@@ -1 +1 @@",
    "--- a",
    "+++ b",
    "-x",
    "+y",
    "[isthmos: lines 2-9 truncated]",
    `[isthmos: 3 of 9 lines truncated, lines 2-4, full: isthmos reveal ${ID.replace("0", "1")}]`,
  ),
  fc.integer({ min: 1, max: 900 }).map((n) => "abc déf ".repeat(n).slice(0, n)),
);
const line = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(" "));
const block = fc.oneof(
  { weight: 3, arbitrary: line },
  {
    weight: 1,
    arbitrary: fc
      .tuple(line, fc.integer({ min: 2, max: 40 }))
      .map(([text, n]) => Array(n).fill(text).join("\n")),
  },
  {
    weight: 2,
    arbitrary: fc
      .integer({ min: 5, max: 60 })
      .map((n) => Array.from({ length: n }, (_, i) => `step ${i} is done`).join("\n")),
  },
);
const utf8Text = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 14 }), fc.constantFrom("\n", "\n", "\r\n"), fc.boolean())
  .map(([blocks, end, ends]) =>
    new TextEncoder().encode(blocks.join("\n").replaceAll("\n", end) + (ends ? end : "")),
  );
const brokenText = fc
  .tuple(
    utf8Text,
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0x80, max: 0xff })), { minLength: 1, maxLength: 9 }),
  )
  .map(([text, changes]) => {
    for (const [at, byte] of changes) if (text.length > 0) text[at % text.length] = byte;
    return text;
  });
const text = fc.oneof({ weight: 3, arbitrary: utf8Text }, { weight: 1, arbitrary: brokenText });
const limits: fc.Arbitrary<TextLimits> = fc.record({
  maxLines: fc.constantFrom(0, 1, 2, 3, 5, 8, 20),
  keepLast: fc.constantFrom(undefined, 0, 1, 4, 99),
  maxStr: fc.constantFrom(0, 1, 16, 64, 200, 600),
  dedup: fc.boolean(),
});
const context: fc.Arbitrary<TextContext> = fc
  .record({
    cut: fc.constantFrom("any", "any", "any", "tail"),
    content: fc.constantFrom("text", "text", "names"),
    unit: fc.constantFrom("line", "whole"),
    field: fc.option(fc.constant("/a/b"), { nil: undefined }),
  })
  .map(({ field, ...rest }) => ({
    ...rest,
    stored: new Set<string>(),
    ...(field !== undefined && { field }),
  }));

const given = { text, limits, context };
const check = (name: string, test: (text: Uint8Array, limits: TextLimits, context: TextContext) => void) =>
  it(name, () => {
    fc.assert(
      fc.property(given.text, given.limits, given.context, (text, limits, context) =>
        test(text, limits, context),
      ),
      { numRuns: RUNS },
    );
  });

check(
  "C2: a text becomes strictly smaller or stays, and each hole is larger than what stands in it",
  (text, limits, context) => {
    const { splices } = compressText(text, limits, context);
    if (splices.length > 0) expect(splicedLength(text.length, splices)).toBeLessThan(text.length);
    let from = 0;
    for (const { start, end, insert } of splices) {
      expect(start).toBeGreaterThanOrEqual(from);
      expect(end - start).toBeGreaterThan(insert.reduce((sum, part) => sum + insertBytes(part), 0));
      from = end;
    }
    expect(from).toBeLessThanOrEqual(text.length);
  },
);

check("C4, C5: with what its markers name put back, the text is the original", (text, limits, context) => {
  const { splices } = compressText(text, limits, context);
  const rendered = applySplices(text, splices, ID);
  for (const { insert } of splices) expect(insert).toHaveLength(1);
  fc.pre(!new TextDecoder("latin1").decode(text).includes("[isthmos: "));
  expect(Buffer.from(restore(text, rendered)).equals(Buffer.from(text))).toBe(true);
});

check("C5: the last hole has the totals and the id, and the totals are true", (text, limits, context) => {
  const { splices, cuts } = compressText(text, limits, context);
  const holes = insertsOf(splices).filter((part) => typeof part !== "string" && part.kind !== "repeat");
  const last = holes.at(-1);
  if (last === undefined || typeof last === "string") return;
  expect(last.kind).toBe("cut");
  const hidden = holes.reduce(
    (sum, part) =>
      sum +
      (typeof part !== "string" && "from" in part && part.unit === "lines" ? part.to - part.from + 1 : 0),
    0,
  );
  expect(cuts.lines ?? 0).toBe(hidden);
  for (const part of holes) {
    if (typeof part !== "string" && part.kind === "cut" && part.unit === "lines")
      expect(part.count).toBe(hidden);
    if (typeof part !== "string" && part.kind === "cut" && part.unit === "bytes")
      expect(part.count).toBe(part.to - part.from);
  }
});

check("C11: the same text and limits give the same splices", (text, limits, context) => {
  expect(compressText(text.slice(), limits, context)).toEqual(compressText(text, limits, context));
});

check("C4: valid UTF-8 stays valid", (text, limits, context) => {
  fc.pre(decodeUtf8(text) !== undefined);
  const { splices } = compressText(text, limits, context);
  expect(decodeUtf8(applySplices(text, splices, ID))).toBeDefined();
});

check(
  "C9: what is shown stays within twice the limit, diffs, markers and small gaps aside",
  (text, limits, context) => {
    fc.pre(
      limits.maxLines > 0 && limits.maxStr === 0 && !new TextDecoder("latin1").decode(text).includes("@@ "),
    );
    const { splices, cuts } = compressText(text, limits, context);
    fc.pre(cuts.lines !== undefined);
    const rendered = new TextDecoder("latin1").decode(applySplices(text, splices, ID)).split("\n");
    const shown = rendered.filter((line) => line.length > 60 && !line.startsWith("[isthmos: "));
    expect(shown.length).toBeLessThanOrEqual(2 * limits.maxLines + 1);
  },
);

check("C10: an own cut whose id is stored is not cut again", (text, limits, context) => {
  fc.pre(!new TextDecoder("latin1").decode(text).includes("[isthmos: "));
  const { splices } = compressText(text, limits, context);
  fc.pre(insertsOf(splices).some((part) => typeof part !== "string" && part.kind === "cut"));
  const once = applySplices(text, splices, ID);
  const again = compressText(once, limits, { ...context, stored: new Set([ID]) });
  expect(again.splices).toEqual([]);
});

it("the generator makes texts that are cut", () => {
  let cut = 0;
  const samples = fc.sample(fc.tuple(text, limits, context), { numRuns: 400, seed: 1 });
  for (const [bytes, rules, where] of samples)
    if (compressText(bytes, rules, where).splices.length > 0) cut++;
  expect(cut).toBeGreaterThan(200);
});
