// SPDX-License-Identifier: Apache-2.0
// Where the head and the tail of a text end that are to have so many bytes: on a line end, or within a line that
// is longer than what it would leave unused.
import { cutAfter, cutBefore } from "./boundary.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { FIXED, KEPT, REPEATED } from "./marks.ts";

/** What a line end may leave unused of a head or tail: a quarter. */
const UNUSED_SHARE = 4;

/** One end of a text: lines from its edge to `line` (not included) stay whole; of `line` the part up to `at`. */
export interface End {
  readonly line: number;
  /** Offset in `line` up to (head) or from (tail) which it stays; absent: it does not stay. */
  readonly at?: number;
  /** What the end takes. */
  readonly bytes: number;
}

/** The head of at most `room` bytes. `costs[line]` is what a shown line takes. */
export function takeHead(lines: Lines, marks: Uint8Array, costs: Int32Array, room: number): End {
  let left = room;
  let line = 0;
  for (; line < lines.count; line++) {
    if ((marks[line]! & KEPT) === 0) continue;
    if (costs[line]! > left) break;
    left -= costs[line]!;
  }
  if (line === lines.count || !isCuttable(marks[line]!, left, room)) return { line, bytes: room - left };
  const [start, end] = [lines.starts[line]!, contentEnd(lines, line)];
  const at = cutBefore(lines.text, start, Math.min(start + left, end), end);
  return { line, bytes: room - left + at - start, ...(at > start && { at }) };
}

/** The tail of at most `room` bytes, not before line `first`. */
export function takeTail(
  lines: Lines,
  marks: Uint8Array,
  costs: Int32Array,
  room: number,
  first: number,
): End {
  let left = room;
  let line = lines.count - 1;
  for (; line >= first; line--) {
    if ((marks[line]! & KEPT) === 0) continue;
    if (costs[line]! > left) break;
    left -= costs[line]!;
  }
  if (line < first || !isCuttable(marks[line]!, left, room)) return { line, bytes: room - left };
  const [start, end] = [lines.starts[line]!, contentEnd(lines, line)];
  const at = cutAfter(lines.text, start, Math.max(start, end - left), end);
  return { line, bytes: room - left + end - at, ...(at < end && { at }) };
}

function isCuttable(mark: number, left: number, room: number): boolean {
  return (mark & (FIXED | REPEATED)) === 0 && left > 0 && left >= room / UNUSED_SHARE;
}
