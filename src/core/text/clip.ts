// SPDX-License-Identifier: Apache-2.0
// max_str: which bytes of a line go. Head and tail stay, and a window around failures between them.
import { markerBytes } from "../marker.ts";
import { cutAfter, cutBefore } from "./boundary.ts";
import { findFailure, hasStartMark } from "./failing.ts";

/** Bytes `from` to `to` (half-open) of the text that go. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

/** A failure shown out of its line: enough for a message and what it is about. */
export const WINDOW_BYTES = 160;
/** However small the limit: less says nothing of a failure. */
export const WINDOW_MIN_BYTES = 64;
/** Windows in one hole; the first ones and the last tell enough. */
const WINDOWS_MAX = 16;
/** Longer than any word or phrase that tells of a failure. */
const PHRASE_MAX_BYTES = 64;
/** Bytes that the marker beside a window or a pinned line takes, about. */
export const MARKER_COST_BYTES = 120;

/** Of a limit of `limit` bytes, how many stay at the end. */
export function tailBytes(limit: number): number {
  return Math.floor(limit / 4);
}

/** The longest offset of a payload, in digits: whether a hole pays must not change with where it stands in the text. */
const OFFSET_MAX = 99_999_999;

/** True if a hole of bytes `from` to `to` is larger than any marker for it. */
export function isWorthMarker(from: number, to: number, field: string | undefined): boolean {
  const count = to - from;
  const named = field !== undefined && { field };
  return (
    count > markerBytes({ kind: "cut", unit: "bytes", count, from: OFFSET_MAX, to: OFFSET_MAX, ...named })
  );
}

/** The holes of the line `start` to `end` (without its line end), which is longer than `limit` bytes. */
export function clipLine(
  text: Uint8Array,
  start: number,
  end: number,
  limit: number,
  field?: string,
): Hole[] {
  const tail = tailBytes(limit);
  const from = cutBefore(text, start, start + limit - tail, end);
  const to = cutAfter(text, start, end - tail, end);
  return spareFailures(text, start, end, { from, to }, limit).filter((hole) =>
    isWorthMarker(hole.from, hole.to, field),
  );
}

/**
 * `hole`, which lies in the line `start` to `end`, without windows around the failures in it and at its edges: `room`
 * bytes of them, at least one.
 */
export function spareFailures(
  text: Uint8Array,
  start: number,
  end: number,
  hole: Hole,
  room: number,
): Hole[] {
  const size = Math.min(WINDOW_BYTES, Math.max(room, WINDOW_MIN_BYTES));
  const most = Math.min(WINDOWS_MAX, Math.max(1, Math.floor(room / (size + MARKER_COST_BYTES))));
  const ahead = (size * 3) >> 3;
  const holes: Hole[] = [];
  let from = hole.from;
  for (const failure of failuresIn(text, start, end, hole, { most, ahead, step: size - ahead })) {
    const first = failure < from ? from : cutBefore(text, from, Math.max(from, failure - ahead), end);
    if (first > from) holes.push({ from, to: first });
    from = Math.max(from, cutAfter(text, first, Math.min(hole.to, failure + size - ahead), end));
  }
  if (from < hole.to) holes.push({ from, to: hole.to });
  return holes;
}

/**
 * Offsets of failures whose windows (`ahead` bytes before, `step` after the offset) reach into the hole, at least `step`
 * bytes apart: the first ones and the last, `most` in all.
 */
function failuresIn(
  text: Uint8Array,
  start: number,
  end: number,
  hole: Hole,
  { most, ahead, step }: { readonly most: number; readonly ahead: number; readonly step: number },
): number[] {
  const found: number[] = [];
  const last = Math.min(end, hole.to + ahead + PHRASE_MAX_BYTES);
  let at = Math.max(start, hole.from - step);
  if (hole.from === start && hasStartMark(text, start, end)) {
    found.push(start);
    at += step;
  }
  while (at < hole.to) {
    const failure = findFailure(text, at, last, start, end);
    if (failure < 0 || failure >= hole.to + ahead) break;
    if (found.length === most && most > 1) found.pop();
    if (found.length < most) found.push(failure);
    if (most === 1) break;
    at = failure + step;
  }
  return found;
}
