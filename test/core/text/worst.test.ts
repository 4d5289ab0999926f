// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { splicedLength } from "../../../src/core/splice.ts";
import { compressText, type TextContext } from "../../../src/core/text/text.ts";
import { CONTEXT, encode } from "./support.ts";

const SIZE = 20 * 1024 * 1024;
/** Far above what a linear pass takes on a slow machine, far below what a quadratic one would. */
const BOUND_MS = 20_000;

function filled(unit: string | Uint8Array, size = SIZE): Uint8Array {
  const part = typeof unit === "string" ? encode(unit) : unit;
  const out = new Uint8Array(size);
  out.set(part.subarray(0, size));
  for (let at = part.length; at < size; at *= 2) out.copyWithin(at, 0, Math.min(at, size - at));
  return out;
}

const LINES: readonly [string, string | Uint8Array][] = [
  ["line ends", "\n"],
  ["lines of one letter", "a\n"],
  ["lone \\r", "\r"],
  ["\\r\\n", "\r\n"],
  ["equal lines", "the same line again\n"],
  ["pairs of equal lines", "aa\naa\nbb\nbb\n"],
  ["hunk headers", "@@ -1 +1 @@\n"],
  ["hunks", "@@ -1 +1 @@\n-a\n+b\n"],
  ["hunks that claim more than there is", "@@ -1,999999999 +1,999999999 @@\n\n"],
  ["file headers", "--- a\n+++ b\n"],
  ["git headers", "diff --git a/x b/x\nold mode 1\n"],
  ["commits", "commit 0123456789\n\n"],
  ["stars", "***************\n*** 1 ****\n--- 1 ----\n"],
  ["binary patches", "diff --git a b\nGIT binary patch\nliteral 9\nAaaa\n"],
  ["Traceback heads", "Traceback (most recent call last):\n"],
  ["Traceback frames", 'Traceback (most recent call last):\n  File "a", line 1\n'],
  ["indented Traceback heads", "  Traceback (most recent call last):\n    x\n"],
  ["stack frames", "    at f (a.js:1:1)\n"],
  ["errors and frames", "Error: x\n    at f (a.js:1:1)\nCaused by: y\n"],
  ["panics", "panic: x\n"],
  ["goroutines", "panic: x\n\ngoroutine 1 [running]:\nf()\n"],
  ["errors", "error\n"],
  ["no errors", "0 errors\n"],
  ["errors and none by turns", "error: x\n0 errors\n"],
  ["markers", "[isthmos: lines 2-9 truncated]\n"],
  ["marker openings", "[isthmos: "],
  ["one line", "x"],
  ["one line of errors", "error "],
  ["one line of no errors", "no errors, 0 failed, "],
  ["one line of words that hold the word", "error_error_errorError"],
  ["one line of words that tell of none", "Killed x, 0 timed out, rc=0 exit 0 failed=0 "],
  ["one line of words on a passing line", "ok 3 - cannot timed out exit 1 Error   0   5x "],
  ["blanks, then words that may stand first", `${" ".repeat(SIZE / 2)}x${" Killed x".repeat(SIZE / 18)}`],
  ["one line of zeros", "error: 0000000000000000"],
  ["one line of quotes", "error\"'\"'"],
  ["one line of blanks", "error                    "],
  ["ESC", "\x1b"],
  ["ESC [", "\x1b["],
  ["ESC ]", "\x1b]"],
  ["ESC \\", "\x1b\\"],
  ["colours", "\x1b[31merror\x1b[0m"],
  ["combining marks", "\u0301"],
  ["joiners", "👩\u200d"],
  ["flags", "🇩"],
  ["CJK errors", "错误"],
  ["Cyrillic", "ошибок: 0 "],
  ["continuation bytes", Uint8Array.of(0x80)],
  ["lead bytes", Uint8Array.of(0xf0)],
  ["NUL", "\0"],
];

const STORED = new Set(["0011223344556677"]);
const limits = { maxLines: 200, keepLast: undefined, maxStr: 2000, dedup: true };

function compressTimed(text: Uint8Array, context: TextContext): void {
  const started = performance.now();
  const { splices } = compressText(text, limits, context);
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
  if (splices.length > 0) expect(splicedLength(text.length, splices)).toBeLessThan(text.length);
}

it.each(LINES)("C15: 20 MB of %s take linear time", (_name, unit) => {
  compressTimed(filled(unit), { ...CONTEXT, stored: STORED });
});

it.each(LINES.filter(([name]) => /errors|Trace|ESC|markers|hunks/.test(name)))(
  "C15: 20 MB of %s take linear time as a string and where only the end goes",
  (_name, unit) => {
    const text = filled(unit);
    compressTimed(text, { ...CONTEXT, unit: "whole", stored: STORED });
    compressTimed(text, { ...CONTEXT, cut: "tail" });
  },
);

it("C15: a link that never ends, over 20 MB, takes linear time", () => {
  const text = filled("error ");
  text.set(encode("\x1b]8;;"));
  compressTimed(text, CONTEXT);
});

it("C15: many long lines, each cut, take linear time", () => {
  const text = filled(`${"x".repeat(2500)} error \x1b[31m${"é".repeat(500)}\n`);
  const started = performance.now();
  const { cuts } = compressText(
    text,
    { maxLines: 0, keepLast: undefined, maxStr: 400, dedup: false },
    CONTEXT,
  );
  expect(cuts.strings).toBeGreaterThan(5000);
  expect(performance.now() - started).toBeLessThan(BOUND_MS);
});
