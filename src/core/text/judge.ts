// SPDX-License-Identifier: Apache-2.0
// Whether a failure word, seen in its line, tells of a failure: negations, counts of zero, names of files and
// identifiers, passing tests. Looks at a bounded number of bytes around the word. When unsure, it does.
import {
  endsEscape,
  isDigit,
  isLetter,
  isLower,
  isUpper,
  isWordByte,
  previousWord,
  skipBlank,
  skipBlankBack,
  textOf,
} from "./bytes.ts";
import { isDenied, isPassing, type LineSpan } from "./denial.ts";
import { type FailureWord, NOUNS_AFTER } from "./failure-words.ts";
import { hasCodeAfter, hasSettingAfter, isStatusColumn, numberAfter, valueAfter } from "./values.ts";

/** Longer tokens are no words. */
const TOKEN_MAX_BYTES = 64;

/** True if `word` at bytes `from` to `to` makes the line a failing one. */
export function isFailure(line: LineSpan, word: FailureWord, from: number, to: number): boolean {
  const { text, start, end } = line;
  switch (word.kind) {
    case "mark":
      return true;
    case "phrase":
      return startsWord(line, from) && !isPassing(line);
    case "counted":
      return startsWord(line, from) && !isPassing(line) && !isCountedOut(line, from, to);
    case "timeout":
      return (
        startsWord(line, from) &&
        !hasSettingAfter(text, to, end) &&
        !isPassing(line) &&
        !isCountedOut(line, from, to)
      );
    case "upper":
      return !/[a-z]/.test(textOf(text, from, to)) && isOwnWord(line, from, to);
    case "column":
      return isUpper(text[from]!) && isOwnWord(line, from, to) && isStatusColumn(text, to, end);
    case "killed":
      // A shell's whole message, or the kernel's; "3 tasks were killed" is a report.
      return (
        text[from] === 0x4b &&
        isOwnWord(line, from, to) &&
        (to === end || skipBlankBack(text, start, from) === start)
      );
    case "exit":
      return numberAfter(text, to, end, 24) > 0;
    case "code":
      return startsWord(line, from) && hasCodeAfter(text, to, end) && !isPassing(line);
    case "name":
      // Go: "a.go:3:2: undefined: foo", not `{ x: undefined }`.
      return (
        isNamedAlone(line, from) &&
        isLetter(text[skipBlank(text, to, end)] ?? 0) &&
        valueAfter(text, to - 1, end) === "some"
      );
    case "status": {
      const code = numberAfter(text, to, end, 12);
      return code >= 500 && code < 600;
    }
    case "level":
      // pino and bunyan: 50 is error, 60 fatal
      return numberAfter(text, to, end, 2) >= 50;
    case "logcat":
      return text[from + 1] === 0x45 && from > start && isDigit(text[from - 1]!) && hasColon(text, to, end);
    case "word":
      return isFailureWord(line, word, from, to);
  }
}

function isFailureWord(line: LineSpan, word: FailureWord, from: number, to: number): boolean {
  const { text, start, end } = line;
  let a = from;
  let b = to;
  if (text[from]! < 0x80) {
    if (from < line.longUntil) return false;
    a = tokenStart(text, start, from);
    while (b < end && isWordByte(text[b]!) && b - to < TOKEN_MAX_BYTES) b++;
    if (from - a === TOKEN_MAX_BYTES || b - to === TOKEN_MAX_BYTES) {
      line.longUntil = b;
      return false;
    }
    if (word.forms !== undefined && !(a === from && word.forms.includes(textOf(text, to, b).toLowerCase()))) {
      return isTellingName(line, word, { a, from, to, b });
    }
    if (isPartOfName(line, a, b)) return false;
    if (word.text === "err" && !isUpper(text[from]!) && !isLogField(line, b)) return false;
  }
  if (isUpper(text[a]!) && text[b - 1] !== 0x73 && isStatusColumn(text, b, end)) return true;
  if (valueAfter(text, b, end) === "empty" || isDenied(line, a, b) || isPassing(line)) return false;
  return !NOUNS_AFTER.has(nextWord(text, b, end));
}

/** The start of the token that goes on to `from`; the end of an escape sequence before it is no part of it. */
function tokenStart(text: Uint8Array, start: number, from: number): number {
  let a = from;
  while (a > start && isWordByte(text[a - 1]!) && from - a < TOKEN_MAX_BYTES) a--;
  const before = a > start ? text[a - 1]! : 0;
  // A control sequence: ESC [ 1 ; 31 m
  if (a === from || (before !== 0x5b && before !== 0x3b && before !== 0x3a)) return a;
  let at = from;
  while (at > a && !endsEscape(text, start, at)) at--;
  return at;
}

/** `err=timeout` and `"err":"timeout"` of a log, not the `err := f()` of source code. */
function isLogField({ text, end }: LineSpan, b: number): boolean {
  const at = text[b] === 0x22 ? b + 1 : b;
  if (text[at] !== 0x3a && (text[at] !== 0x3d || text[at + 1] === 0x20)) return false;
  return text[at + 1] !== 0x3d && valueAfter(text, b, end) === "some";
}

interface Token {
  readonly a: number;
  readonly from: number;
  readonly to: number;
  readonly b: number;
}

/** A longer name that holds a failure word: `ValueError:`, `E_FAIL`, `error_count=3` tell, `onError` does not. */
function isTellingName(line: LineSpan, word: FailureWord, { a, from, to, b }: Token): boolean {
  const { text, start, end } = line;
  if (a > start && (text[a - 1] === 0x2f || text[a - 1] === 0x5c)) return false;
  const isNamed = word.text === "error" || word.text === "exception" || word.text === "fail";
  if (!isNamed) return false;
  const tail = textOf(text, to, b);
  if (a < from && isUpper(text[from]!) && isLower(text[from + 1]!) && isLetterOrDigit(text[from - 1]!)) {
    if (tail === "" || (word.text === "fail" && tail === "ure"))
      return isErrorName(line, a, b) && !isPassing(line);
  }
  const inCapitals = isUpper(text[from]!) && isUpper(text[to - 1]!);
  const next = b < end ? text[b]! : 0;
  if (
    inCapitals &&
    !/[a-z]/.test(tail) &&
    (a === from || text[from - 1] === 0x5f) &&
    next !== 0x3d &&
    next !== 0x28
  ) {
    if (b === to || text[to] === 0x5f || tail === "ED" || tail === "URE") return !isPassing(line);
  }
  if (/^(?:on|max|allow|ignore)|max/i.test(textOf(text, a, from))) return false;
  return valueAfter(text, b, end) === "count" && (a === from || b - to <= 6 || text[to] === 0x5f);
}

/** `FooError` as the name of something that happened: at the start, or with a colon or the end after it. */
function isErrorName(line: LineSpan, a: number, b: number): boolean {
  const { text, start, end } = line;
  const next = b < end ? text[b]! : 0x0a;
  if (next === 0x3a && text[b + 1] === 0x3a) return false;
  // In source code: `except ValueError:`, `catch (IOException e)`, `raises(KeyError)`, `import FooError`.
  if (text[a - 1] === 0x28 && a - 2 >= start && isWordByte(text[a - 2]!)) return false;
  const before = previousWord(text, start, a);
  if (/^(?:except|catch|import|throws|raises|extends|class|instanceof|new|rescue)$/.test(before))
    return false;
  if (next === 0x20)
    return /^[\s"'\w.$]*$/.test(textOf(text, Math.max(start, a - 80), a)) && skipName(line, a) <= start;
  if (next === 0x2e) return !isWordByte(b + 1 < end ? text[b + 1]! : 0x20);
  return next <= 0x20 || ":,;)]}\"'!".includes(String.fromCharCode(next));
}

/** The start of the line if only white space and a dotted name (`java.lang.`) stand before `a`, else a later offset. */
function skipName({ text, start }: LineSpan, a: number): number {
  let at = a;
  while (at > start && (isWordByte(text[at - 1]!) || text[at - 1] === 0x2e)) at--;
  while (at > start && (text[at - 1]! <= 0x20 || text[at - 1] === 0x22)) at--;
  return at;
}

/** `src/error.ts`, `console.error(`, `--fail`, `error-prone`, `error::Kind`: parts of names. */
function isPartOfName({ text, start, end }: LineSpan, a: number, b: number): boolean {
  if (a > start) {
    const before = text[a - 1]!;
    const twoBefore = a - 1 > start ? text[a - 2]! : 0x20;
    if (before === 0x2f || before === 0x5c || before === 0x40) return true;
    if (before === 0x2e && twoBefore !== 0x2e && twoBefore > 0x20) return true;
    if (before === 0x2d && (isWordByte(twoBefore) || twoBefore <= 0x20)) return true;
    if (before === 0x2d && twoBefore === 0x2d && (a - 3 < start || text[a - 3]! !== 0x2d)) return true;
    if (before === 0x3a && twoBefore === 0x3a && b < end && text[b] === 0x28) return true;
  }
  if (b >= end) return false;
  const next = text[b]!;
  const twoNext = b + 1 < end ? text[b + 1]! : 0x20;
  if (next === 0x2f) return true;
  if (next === 0x2e || next === 0x2d) return isWordByte(twoNext);
  if (next === 0x28) return !(text[b + 1] === 0x73 && text[b + 2] === 0x29);
  if (next === 0x3a && twoNext === 0x3a)
    return !(a - 2 >= start && text[a - 1] === 0x3a && text[a - 2] === 0x3a);
  return next === 0x5b && text[b - 1] === 0x73;
}

function isOwnWord(line: LineSpan, from: number, to: number): boolean {
  return startsWord(line, from) && !(to < line.end && isWordByte(line.text[to]!));
}

function startsWord({ text, start }: LineSpan, from: number): boolean {
  return from === start || !isWordByte(text[from - 1]!) || endsEscape(text, start, from);
}

/** True if `from` is the start of the line or of what follows a colon. */
function isNamedAlone({ text, start }: LineSpan, from: number): boolean {
  const before = skipBlankBack(text, start, from);
  return before === start || (before < from && text[before - 1] === 0x3a);
}

/** "0 timed out", "no merge conflicts", "timed out: 0". */
function isCountedOut(line: LineSpan, from: number, to: number): boolean {
  const { text, end } = line;
  const b = to < end && text[to] === 0x73 ? to + 1 : to;
  return isDenied(line, from, b, 1) || (b < end && text[b]! > 0x20 && valueAfter(text, b, end) === "empty");
}

function isLetterOrDigit(byte: number): boolean {
  return isLetter(byte) || isDigit(byte);
}

function hasColon(text: Uint8Array, from: number, end: number): boolean {
  const at = text.subarray(from, Math.min(end, from + 40)).indexOf(0x3a);
  return at > 0;
}

function nextWord(text: Uint8Array, from: number, end: number): string {
  if (text[from] !== 0x20) return "";
  let to = from + 1;
  while (to < end && isLetter(text[to]!) && to - from < 16) to++;
  return textOf(text, from + 1, to).toLowerCase();
}
