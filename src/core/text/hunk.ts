// SPDX-License-Identifier: Apache-2.0
// The bodies of diffs, measured by their own numbers: how far a hunk, a binary patch or a context diff goes.
import { ESCAPE, isDigit, isLetter } from "./bytes.ts";
import { contentEnd, type Lines } from "./lines.ts";

const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const AT = 0x40;
const BACKSLASH = 0x5c;
const STAR = 0x2a;

/** git writes at most 52 bytes a line: a length letter and 65 digits in base 85. */
const BINARY_LINE_MAX_BYTES = 66;
/** A merge of more parents is no text that a tool prints. */
const PARENTS_MAX = 16;

/** Where the line's text starts, colour sequences (`ESC [ … m`) aside. */
export function bodyStart({ text, starts }: Lines, line: number): number {
  let at = starts[line]!;
  const end = starts[line + 1]!;
  while (at + 2 < end && text[at] === ESCAPE && text[at + 1] === 0x5b) {
    let to = at + 2;
    while (to < end && (isDigit(text[to]!) || text[to] === 0x3b)) to++;
    if (to >= end || text[to] !== 0x6d) return at;
    at = to + 1;
  }
  return at;
}

/** True if the line exists and starts with `prefix` (ASCII). */
export function startsLine(lines: Lines, line: number, prefix: string): boolean {
  if (line >= lines.count) return false;
  const at = bodyStart(lines, line);
  if (at + prefix.length > lines.starts[line + 1]!) return false;
  for (let i = 0; i < prefix.length; i++) if (lines.text[at + i] !== prefix.charCodeAt(i)) return false;
  return true;
}

/** The line after the hunk that starts at `line`, or `line` if none does: `@@ -a,b +c,d @@`, or one more `@` for each further parent. */
export function hunkEnd(lines: Lines, line: number): number {
  const counts = hunkCounts(lines, line);
  if (counts === undefined) return line;
  const parents = counts.length - 1;
  let next = line + 1;
  while (next < lines.count && counts.some((count) => count > 0)) {
    if (!countHunkLine(lines, next, counts, parents)) break;
    next++;
  }
  if (next === line + 1) return line;
  while (startsLine(lines, next, "\\ ")) next++;
  return next;
}

/** Lines left for each parent and for the result, or undefined if no hunk starts here. */
function hunkCounts(lines: Lines, line: number): number[] | undefined {
  const { text } = lines;
  const end = lines.starts[line + 1]!;
  let at = bodyStart(lines, line);
  let ats = 0;
  while (at < end && text[at] === AT) {
    at++;
    ats++;
  }
  if (ats < 2 || ats > PARENTS_MAX) return undefined;
  const counts: number[] = [];
  for (let range = 0; range < ats; range++) {
    if (text[at] !== SPACE || text[at + 1] !== (range === ats - 1 ? PLUS : MINUS)) return undefined;
    at += 2;
    let count = 1;
    for (let part = 0; part < 2; part++) {
      let number = 0;
      const first = at;
      while (at < end && isDigit(text[at]!) && at - first < 10) number = number * 10 + text[at++]! - 0x30;
      if (at === first) return undefined;
      if (part === 1) count = number;
      else if (text[at] === 0x2c) at++;
      else break;
    }
    counts.push(count);
  }
  return text[at] === SPACE && text[at + 1] === AT && text[at + 2] === AT ? counts : undefined;
}

/** Takes the line off the counts; false if it cannot be a line of the hunk. */
function countHunkLine(lines: Lines, line: number, counts: number[], parents: number): boolean {
  const { text } = lines;
  const at = bodyStart(lines, line);
  const end = contentEnd(lines, line);
  if (text[at] === BACKSLASH) return true;
  let deleted = false;
  for (let p = 0; p < parents; p++) {
    // Editors strip a blank context line; `git apply` takes it all the same.
    const sign = at + p < end ? text[at + p]! : SPACE;
    if (sign !== SPACE && sign !== PLUS && sign !== MINUS) return false;
    if (sign === MINUS) deleted = true;
  }
  for (let p = 0; p < parents; p++) {
    const sign = at + p < end ? text[at + p]! : SPACE;
    if (deleted ? sign === MINUS : sign === SPACE) counts[p]!--;
  }
  if (!deleted) counts[parents]!--;
  return counts.every((count) => count >= 0);
}

/** The line after the blocks that follow `GIT binary patch` at `line - 1`, their blank lines included. */
export function binaryEnd(lines: Lines, line: number): number {
  let next = line;
  while (startsLine(lines, next, "literal ") || startsLine(lines, next, "delta ")) {
    next++;
    while (next < lines.count && isBinaryLine(lines, next)) next++;
    if (next < lines.count && contentEnd(lines, next) === lines.starts[next]) next++;
  }
  return next;
}

function isBinaryLine(lines: Lines, line: number): boolean {
  const start = lines.starts[line]!;
  const bytes = contentEnd(lines, line) - start;
  return bytes > 1 && bytes <= BINARY_LINE_MAX_BYTES && isLetter(lines.text[start]!);
}

/** The line after a context diff's hunks, the first of which starts at `line` (`***************`). */
function contextEnd(lines: Lines, line: number): number {
  let next = line;
  while (startsLine(lines, next, "***************")) {
    if (!startsLine(lines, next + 1, "*** ")) return next;
    next += 2;
    while (next < lines.count && isContextLine(lines, next)) next++;
    if (!startsLine(lines, next, "--- ")) return next;
    next++;
    while (next < lines.count && isContextLine(lines, next)) next++;
  }
  return next;
}

function isContextLine(lines: Lines, line: number): boolean {
  const at = bodyStart(lines, line);
  const c = lines.text[at];
  if (c === BACKSLASH) return true;
  if (c !== SPACE && c !== PLUS && c !== MINUS && c !== 0x21) return false;
  return at + 1 >= contentEnd(lines, line) || lines.text[at + 1] === SPACE;
}

/** The line after a context diff that starts at `line`, or `line`. */
export function contextDiffEnd(lines: Lines, line: number): number {
  if (lines.text[bodyStart(lines, line)] !== STAR || !startsLine(lines, line, "*** ")) return line;
  if (!startsLine(lines, line + 1, "--- ") || !startsLine(lines, line + 2, "***************")) return line;
  const end = contextEnd(lines, line + 2);
  return end > line + 2 ? end : line;
}
