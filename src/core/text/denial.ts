// SPDX-License-Identifier: Apache-2.0
// What says that a failure word tells of none: "no", a count of zero, a test that passed.
import { endsEscape, isDigit, isWordByte, previousWord, skipBlank, skipBlankBack, textOf } from "./bytes.ts";
import { COUNT_LEADS, DENIALS, DENYING_ENDS } from "./failure-words.ts";

/** One line of a text, its end without the line end. */
export interface LineSpan {
  readonly text: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Up to here goes a token that is too long to be a word; set by `isFailure`, so that each is measured once. */
  longUntil: number;
  /** Whether a test passed on it; set by `isPassing`. */
  passes: boolean | undefined;
}

/** What a passing line starts with, whatever the test's name. */
const PASS_HEAD = /^(?:\xe2\x9c[\x93\x94\x85]|\xe2\x88\x9a|ok [0-9]+ [-#] |ok ? ?\t|--- PASS|\[ +OK \])/;
/** The same, unless the line goes on to tell of a failure ("PASS: 3 FAIL: 1"). */
const PASS_WORD = /^(?:ok [0-9]|PASS|SKIP)/;
const CONTRADICTION =
  /\bbut\b|\b[1-9][0-9]* (?:not ok|fail|error)|\b(?:fail|error)[a-z]* ?[:=(] ?[1-9]|\s(?:error|failure|fatal): /i;
/** What it ends with. "3 failed, 2 ok" counts; it does not pass. */
const PASS_TAIL =
  /(?:[^\d\s,;]\s+|\.{3}\s*)(?<!\bnot\s{1,4})(?:PASSED|PASS|ok|OK)(?:\s*[([][^)\]]{0,16}[)\]])?\s*$|\.{3}\s*ignored/;

/** A line on which a test passed, whatever its name: "ok 3 - throws an error", "✓ …", "… PASSED". */
export function isPassing(line: LineSpan): boolean {
  line.passes ??= looksPassing(line);
  return line.passes;
}

function looksPassing({ text, start, end }: LineSpan): boolean {
  const last = Math.min(end, start + 160);
  const head = textOf(text, skipBlank(text, start, last), last);
  if (/^(?:not ok|--- FAIL|FAIL(?:ED)?[:\s])/.test(head)) return false;
  if (PASS_HEAD.test(head) || (PASS_WORD.test(head) && !CONTRADICTION.test(head))) return true;
  const tail = textOf(text, Math.max(start, end - 48), end).replace(/\x1b\[[0-9;]*m/g, "");
  // "1 failed, the rest ok" is a summary.
  return PASS_TAIL.test(tail) && !/\bfailed[,;][^,;.]*\bok\s*$/.test(tail);
}

/** "no errors", "0 tests failed", "3/12 failed": what stands before the word, at most `reach` words back. */
export function isDenied({ text, start, end: lineEnd }: LineSpan, a: number, b: number, reach = 4): boolean {
  let at = a;
  let mayDeny = 2;
  for (let words = 0; words < reach; words++) {
    let end = skipBlankBack(text, start, at);
    if (end > start && text[end - 1] === 0x2d && end === at) end--;
    if (end === start) return false;
    let from = end;
    while (from > start && isNegatable(text[from - 1]!) && end - from < 24 && !endsEscape(text, start, from))
      from--;
    if (from === end) return false;
    const word = textOf(text, from, end).toLowerCase();
    const count = /^([0-9]+)[^0-9a-z]*$/.exec(word);
    if (count !== null) {
      return isZeroCount(text, start, from, Number(count[1]), b) && !hasOwnCount(text, b, lineEnd);
    }
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
  if (count !== 0 || before === 0x2e || before === 0x2d || before === 0x3a || before === 0x3d) return false;
  return (
    word === "" || COUNT_LEADS.has(word) || text[b - 1] === 0x73 || text[b] === 0x28 || text[b - 1]! >= 0x80
  );
}

/** "FAIL: 1": the count before belongs to another word ("PASS: 0 FAIL: 1"). */
function hasOwnCount(text: Uint8Array, b: number, end: number): boolean {
  return /^\s?[:=]\s{0,8}0{0,8}[1-9]/.test(textOf(text, b, Math.min(end, b + 20)));
}

function isNegatable(byte: number): boolean {
  return isWordByte(byte) || byte >= 0x80 || byte === 0x27;
}
