// SPDX-License-Identifier: Apache-2.0
import { endsEscape, isDigit, isWordByte, previousWord, skipBlankBack, textOf } from "./bytes.ts";
import { COUNT_LEADS, DENIALS, DENYING_ENDS } from "./failure-words.ts";

/** One line of a text, its end without the line end. */
export interface LineSpan {
  readonly text: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Up to here goes a token that is too long to be a word; set by `isFailure`, so that each is measured once. */
  longUntil: number;
}

/** "no errors", "0 tests failed", "3/12 failed": what stands before the word. */
export function isDenied({ text, start }: LineSpan, a: number, b: number): boolean {
  let at = a;
  let mayDeny = 2;
  for (let words = 0; words < 4; words++) {
    let end = skipBlankBack(text, start, at);
    if (end > start && text[end - 1] === 0x2d && end === at) end--;
    if (end === start) return false;
    let from = end;
    while (from > start && isNegatable(text[from - 1]!) && end - from < 24 && !endsEscape(text, start, from))
      from--;
    if (from === end) return false;
    const word = textOf(text, from, end).toLowerCase();
    const count = /^([0-9]+)[^0-9a-z]*$/.exec(word);
    if (count !== null) return isZeroCount(text, start, from, Number(count[1]), b);
    if (DENIALS.has(word) || DENYING_ENDS.some((ending) => word.endsWith(ending))) return mayDeny > 0;
    if (!/^(?:or|and|any|of)$/.test(word)) mayDeny--;
    else mayDeny = Math.max(mayDeny, 1);
    at = from;
  }
  return false;
}

/** A count of zero before a failure word; the 0 of "Test 0 failed" is a name. */
function isZeroCount(text: Uint8Array, start: number, from: number, count: number, b: number): boolean {
  const before = from > start ? text[from - 1]! : 0x20;
  if (before === 0x2f) {
    let digits = from - 1;
    while (digits > start && isDigit(text[digits - 1]!)) digits--;
    return digits < from - 1 && Number(textOf(text, digits, from - 1)) === 0;
  }
  const word = previousWord(text, start, from);
  if (word === "of") {
    const end = skipBlankBack(text, start, skipBlankBack(text, start, from) - 2);
    let digits = end;
    while (digits > start && isDigit(text[digits - 1]!)) digits--;
    return digits < end && Number(textOf(text, digits, end)) === 0;
  }
  if (count !== 0 || before === 0x2e || before === 0x2d || before === 0x3a) return false;
  return (
    word === "" || COUNT_LEADS.has(word) || text[b - 1] === 0x73 || text[b] === 0x28 || text[b - 1]! >= 0x80
  );
}

function isNegatable(byte: number): boolean {
  return isWordByte(byte) || byte >= 0x80 || byte === 0x27;
}
