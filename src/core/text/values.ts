// SPDX-License-Identifier: Apache-2.0
import { isDigit, isLetter, isWordByte, skipBlank, textOf } from "./bytes.ts";
import { COUNT_NOUNS, EMPTY_VALUES } from "./failure-words.ts";

const COLON = 0x3a;
const EQUALS = 0x3d;

/**
 * What the text says after a failure word or a name: `empty` (`: 0`, `=null`, `": ""`, ` 0`), `count` (a
 * number that is not zero), `some` (another value after `:` or `=`), or `absent`.
 */
export function valueAfter(
  text: Uint8Array,
  from: number,
  end: number,
): "empty" | "count" | "some" | "absent" {
  const isPlural = text[from - 1] === 0x73;
  let at = from;
  if (text[at] === 0x28 && text[at + 1] === 0x73 && text[at + 2] === 0x29) at += 3;
  while (at < end && isQuote(text[at]!)) at++;
  at = skipBlank(text, at, end);
  const noun = wordAt(text, at, end);
  if (COUNT_NOUNS.has(noun)) at = skipBlank(text, at + noun.length, end);

  let separator = separatorBytes(text, at);
  if (separator === 0) return isDigit(text[at] ?? 0) && at > from ? countAt(text, at, end, true) : "absent";
  const isComparison = text[at] === EQUALS && text[at + 1] === EQUALS;
  while (at < end && separator > 0) {
    at += separator;
    separator = text[at] === EQUALS || text[at] === 0x3e ? 1 : 0;
  }
  at = skipBlank(text, at, end);
  while (at < end && isQuote(text[at]!)) {
    at++;
    if (isQuote(text[at] ?? 0) && text[at - 1] !== 0x5c) return "empty";
  }
  if (at >= end) return isComparison ? "empty" : "some";
  const c = text[at]!;
  if (c === 0x5b || c === 0x7b) {
    const close = skipBlank(text, at + 1, end);
    return text[close] === c + 2 ? "empty" : "some";
  }
  if (isDigit(c)) return countAt(text, at, end, isPlural);
  let to = at;
  while (to < end && (isWordByte(text[to]!) || text[to] === 0x2f) && to - at < 12) to++;
  if (!EMPTY_VALUES.has(textOf(text, at, to).toLowerCase())) return "some";
  // "error: no space left" and "null pointer" are messages, "none found" is not.
  const rest = skipBlank(text, to, end);
  if (rest === to || rest === end || !isLetter(text[rest]!)) return "empty";
  return COUNT_NOUNS.has(wordAt(text, rest, end)) ? "empty" : "some";
}

/** The word of letters at `at`, in lower case; of long ones the start. */
function wordAt(text: Uint8Array, at: number, end: number): string {
  let to = at;
  while (to < end && isLetter(text[to]!) && to - at < 12) to++;
  return textOf(text, at, to).toLowerCase();
}

/** Bytes of `:`, `=` or the wide colon at `at`; 0: none stands there. */
function separatorBytes(text: Uint8Array, at: number): number {
  if (text[at] === COLON || text[at] === EQUALS) return 1;
  return text[at] === 0xef && text[at + 1] === 0xbc && text[at + 2] === 0x9a ? 3 : 0;
}

/** `empty` for a number of zeros (0, 0.0, 00, 0%, 0x0). "error: 0 is no port" is a message unless `mayGoOn`. */
function countAt(text: Uint8Array, at: number, end: number, mayGoOn: boolean): "empty" | "count" | "some" {
  let to = at;
  let isZero = true;
  if (text[to] === 0x30 && text[to + 1] === 0x78) to += 2;
  while (to < end && (isDigit(text[to]!) || text[to] === 0x2e || text[to] === 0x25)) {
    if (text[to]! >= 0x31 && text[to]! <= 0x39) isZero = false;
    to++;
  }
  if (to < end && isWordByte(text[to]!)) return "some";
  if (!isZero) return "count";
  return mayGoOn || !isLetter(text[skipBlank(text, to, end)] ?? 0) ? "empty" : "some";
}

function isQuote(byte: number): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x60 || byte === 0x5c;
}

/**
 * The whole number that follows within `reach` bytes of letters, spaces and `:=("'`, or -1. A number with a
 * sign counts as 1; so does more than nine digits.
 */
export function numberAfter(text: Uint8Array, from: number, end: number, reach: number): number {
  const last = Math.min(end, from + reach);
  let at = from;
  while (at < last && !isDigit(text[at]!)) {
    const c = text[at]!;
    const mayStand =
      isLetter(c) || c === 0x20 || c === COLON || c === EQUALS || c === 0x28 || c === 0x5f || isQuote(c);
    if (c === 0x2d && isDigit(text[at + 1] ?? 0)) return 1;
    // The version and the quote of an access log: HTTP/1.1" 503
    if (!mayStand && c !== 0x2e) return -1;
    at++;
  }
  if (at >= last) return -1;
  let to = at;
  while (to < end && isDigit(text[to]!)) to++;
  if (text[to] === 0x2e && text[from - 1] === 0x2f) return numberAfter(text, to + 2, end, reach);
  return to - at > 9 ? 1 : Number(textOf(text, at, to));
}

/** A number other than 0, with nothing before it but blanks, and no part of a name or a version. */
export function hasCodeAfter(text: Uint8Array, from: number, end: number): boolean {
  const rest = textOf(text, from, Math.min(end, from + 20));
  return /^[ \t]{0,2}(?:-?0{0,3}[1-9][0-9]{0,9})(?![\w$]|\.[0-9])/.test(rest);
}

/** A setting's value: ": 30s", "=5", " of 10 s". */
export function hasSettingAfter(text: Uint8Array, from: number, end: number): boolean {
  return /^["']?\s{0,8}(?:[:=]\s{0,8}["']?[0-9]|(?:to|of|is|in)\s)/.test(
    textOf(text, from, Math.min(end, from + 24)),
  );
}

/** True if a count and an age follow, as after the status in a table: `Error   0   5d`, `Error  2 (3m ago)  1h`. */
export function isStatusColumn(text: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && text[at]! <= 0x20 && at - from < 32) at++;
  if (at === from || at === end || !isDigit(text[at]!)) return false;
  const rest = textOf(text, from, Math.min(end, from + 80));
  return /^\s{1,32}[0-9]{1,9}(?:\s\([^)]{1,16}\))?\s{1,32}(?:[0-9]{1,6}[smhdy]){1,3}(?:\s|$)/.test(rest);
}
