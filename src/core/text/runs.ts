// SPDX-License-Identifier: Apache-2.0
import { markerBytes } from "../marker.ts";
import { type Lines, trimLineEnd } from "./lines.ts";
import { FIXED, REPEATED } from "./marks.ts";

/** A pair says what its marker would say, in more bytes. */
const RUN_MIN_LINES = 3;

/** Sets REPEATED on the lines of each run of equal lines (all bytes) but its first, where a marker is shorter. */
export function markRuns(lines: Lines, marks: Uint8Array): void {
  const { count } = lines;
  for (let first = 0; first < count; ) {
    let next = first + 1;
    while (next < count && isSameLine(lines, first, next) && ((marks[next]! | marks[first]!) & FIXED) === 0)
      next++;
    if (next - first >= RUN_MIN_LINES && isRunWorthMarker(lines, first + 1, next)) {
      for (let line = first + 1; line < next; line++) marks[line]! |= REPEATED;
    }
    first = next;
  }
}

/** True if lines `from` to `to` (half-open, all repeats) take more bytes than the marker that stands for them. */
export function isRunWorthMarker({ text, starts }: Lines, from: number, to: number): boolean {
  const bytes = trimLineEnd(text, starts[to - 1]!, starts[to]!) - starts[from]!;
  return bytes > markerBytes({ kind: "repeat", times: to - from });
}

function isSameLine({ text, starts }: Lines, a: number, b: number): boolean {
  const from = starts[a]!;
  const other = starts[b]!;
  const length = starts[a + 1]! - from;
  if (starts[b + 1]! - other !== length) return false;
  for (let i = length - 1; i >= 0; i--) if (text[from + i] !== text[other + i]) return false;
  return true;
}
