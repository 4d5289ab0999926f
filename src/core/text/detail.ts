// SPDX-License-Identifier: Apache-2.0
import { ESCAPE, isDigit } from "./bytes.ts";
import { contentEnd, type Lines } from "./lines.ts";

/** What tells more of one failure than so many lines is read by a reveal. */
const DETAIL_MAX_LINES = 8;
/** Deeper than any layout. */
const COLUMN_MAX = 120;
const SPACE = 0x20;
const TAB = 0x09;
const BAR = 0x7c;

/**
 * The lines after a failing one that go on to tell of it, as compilers and test runners write them: indented deeper
 * than it, gutters (`77 |`, `│`) aside, with single blank lines between them.
 */
export function detailsOf(lines: Lines, failing: number): number[] {
  const depth = columnOf(lines, failing);
  const found: number[] = [];
  if (depth === undefined) return found;
  for (let line = failing + 1; line < lines.count && found.length < DETAIL_MAX_LINES; line++) {
    const column = columnOf(lines, line);
    if (column === undefined) {
      const next = line + 1 < lines.count ? columnOf(lines, line + 1) : undefined;
      if (next === undefined || next <= depth) break;
    } else if (column <= depth) break;
    found.push(line);
  }
  return found;
}

/** Where the line's text begins, in columns; undefined if it has none. */
function columnOf(lines: Lines, line: number): number | undefined {
  const { text, starts } = lines;
  const end = contentEnd(lines, line);
  let column = 0;
  for (let at = starts[line]!; at < end && column < COLUMN_MAX; column++) {
    const c = text[at]!;
    const gutter = c === SPACE || c === TAB || c === BAR ? 1 : gutterBytes(text, at, end);
    if (gutter === 0) return column;
    if (c === ESCAPE) column--;
    at += gutter;
  }
  return undefined;
}

/** Bytes of a line number before a bar, of `│`, or of a colour; 0 if the text begins here. */
function gutterBytes(text: Uint8Array, at: number, end: number): number {
  let to = at;
  if (text[at] === ESCAPE && text[at + 1] === 0x5b) {
    to += 2;
    while (to < end && (isDigit(text[to]!) || text[to] === 0x3b)) to++;
    return text[to] === 0x6d ? to + 1 - at : 0;
  }
  // U+2502 and U+2503
  if (text[at] === 0xe2)
    return text[at + 1] === 0x94 && (text[at + 2] === 0x82 || text[at + 2] === 0x83) ? 3 : 0;
  while (to < end && isDigit(text[to]!) && to - at < 7) to++;
  if (to === at) return 0;
  while (to < end && text[to] === SPACE && to - at < 12) to++;
  return text[to] === BAR ? to - at : 0;
}
