// SPDX-License-Identifier: Apache-2.0
// Which lines tell of a failure (C9): one pass of an automaton over the bytes; each word it finds is judged
// in its line. Built on first use: a text that is not cut never needs it.
import { type Automaton, buildAutomaton, CLASS_BITS } from "./automaton.ts";
import { isDigit, skipBlank, startsWith } from "./bytes.ts";
import { ASCII_WORDS, type FailureWord, WIDE_WORDS } from "./failure-words.ts";
import { isFailure } from "./judge.ts";
import { type Lines, trimLineEnd } from "./lines.ts";
import { FAILING, FIXED, REPEATED } from "./marks.ts";

interface WideWord {
  readonly word: FailureWord;
  readonly bytes: Uint8Array;
}

interface Matcher {
  readonly ascii: Automaton;
  /** By their first three bytes. */
  readonly wide: ReadonlyMap<number, readonly WideWord[]>;
}

let built: Matcher | undefined;

function matcher(): Matcher {
  if (built === undefined) {
    const wide = new Map<number, WideWord[]>();
    const encoder = new TextEncoder();
    for (const word of WIDE_WORDS) {
      const bytes = encoder.encode(word.text);
      const key = wideKey(bytes, 0);
      wide.set(key, [...(wide.get(key) ?? []), { word, bytes }]);
    }
    built = { ascii: buildAutomaton(ASCII_WORDS.map((word) => word.text)), wide };
  }
  return built;
}

function wideKey(text: Uint8Array, at: number): number {
  return (text[at]! << 16) | ((text[at + 1] ?? 0) << 8) | (text[at + 2] ?? 0);
}

/** True if bytes `start` to `end`, taken as one line, tell of a failure. */
export function isFailingLine(text: Uint8Array, start: number, end: number): boolean {
  const to = trimLineEnd(text, start, end);
  return hasStartMark(text, start, to) || findFailure(text, start, to, start, to) >= 0;
}

/** Sets FAILING on those of the lines `from` to `to` (half-open) that fail and are neither fixed nor repeated. */
export function markFailing(lines: Lines, marks: Uint8Array, from: number, to: number): void {
  const { text, starts } = lines;
  for (let line = from; line < to; line++) {
    if ((marks[line]! & (FIXED | REPEATED)) !== 0) continue;
    if (isFailingLine(text, starts[line]!, starts[line + 1]!)) marks[line]! |= FAILING;
  }
}

/** How many of the lines `from` to `to` (half-open) tell of a failure. */
export function countFailing(lines: Lines, from: number, to: number): number {
  let count = 0;
  for (let line = from; line < to; line++) {
    if (isFailingLine(lines.text, lines.starts[line]!, lines.starts[line + 1]!)) count++;
  }
  return count;
}

/**
 * The offset of the first word in bytes `from` to `to` of the line `lineStart` to `lineEnd` that makes it a
 * failing one, or -1.
 */
export function findFailure(
  text: Uint8Array,
  from: number,
  to: number,
  lineStart: number,
  lineEnd: number,
): number {
  const { ascii, wide } = matcher();
  const { classOf, next, word, shorter } = ascii;
  const line = { text, start: lineStart, end: lineEnd, longUntil: 0, passes: undefined };
  let state = 0;
  for (let i = from; i < to; i++) {
    const byte = text[i]!;
    if (byte < 0x80) {
      state = next[(state << CLASS_BITS) | classOf[byte]!]!;
      for (let at = state; word[at] !== 0; at = shorter[at]!) {
        const hit = ASCII_WORDS[word[at]! - 1]!;
        const start = i + 1 - hit.text.length;
        if (isFailure(line, hit, start, i + 1)) return start;
      }
      continue;
    }
    state = 0;
    const candidates = byte >= 0xc0 ? wide.get(wideKey(text, i)) : undefined;
    if (candidates === undefined) continue;
    for (const { word: hit, bytes } of candidates) {
      const end = i + bytes.length;
      if (end <= to && startsWith(text, i, bytes) && isFailure(line, hit, i, end)) return i;
    }
  }
  return -1;
}

/** Marks that count only where a line starts: pytest's `E   `, klog's `E0101 `, logcat's `E/`, apt's `E: `, vitest's ×, mocha's `  1) `. */
export function hasStartMark(text: Uint8Array, start: number, end: number): boolean {
  const at = skipBlank(text, start, end);
  const c = text[at];
  if (c === 0xc3) return text[at + 1] === 0x97 && at + 2 < end && text[at + 2] === 0x20;
  if (at - start >= 2 && isDigit(c ?? 0)) return isNumbered(text, at, end);
  if (c !== 0x45 && c !== 0x46) return false;
  const d = at + 1 < end ? text[at + 1]! : 0;
  if (d === 0x20) return c === 0x45 && text[at + 2] === 0x20 && text[at + 3] === 0x20 && at + 3 < end;
  if (d === 0x2f)
    return (
      at + 2 < end && text[at + 2]! > 0x20 && text.subarray(at, Math.min(end, at + 60)).indexOf(0x3a) > 0
    );
  if (d === 0x3a) return c === 0x45 && text[at + 2] === 0x20;
  return (
    at + 5 < end &&
    isDigit(d) &&
    isDigit(text[at + 2]!) &&
    isDigit(text[at + 3]!) &&
    isDigit(text[at + 4]!) &&
    text[at + 5] === 0x20
  );
}

/** A number of at most four digits and `) `. */
function isNumbered(text: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && at - from < 4 && isDigit(text[at]!)) at++;
  return at + 2 < end && text[at] === 0x29 && text[at + 1] === 0x20;
}
