// SPDX-License-Identifier: Apache-2.0
// max_str for a string of many lines: head and tail of the whole string, cut on line ends where they are
// near, with the failing lines between them. All its holes are holes of bytes.
import { cutAfter, cutBefore } from "./boundary.ts";
import {
  type Hole,
  isWorthMarker,
  MARKER_COST_BYTES,
  spareFailures,
  tailBytes,
  WINDOW_BYTES,
  WINDOW_MIN_BYTES,
} from "./clip.ts";
import { markFailing } from "./failing.ts";
import { contentEnd, trimLineEnd } from "./lines.ts";
import { CITING, FIXED, KEPT, REPEATED } from "./marks.ts";
import { choosePins } from "./pins.ts";
import { freeRepeats, type Site } from "./site.ts";
import { findTraces } from "./traceback.ts";

/** How far a cut moves to fall on a line end. */
const LINE_END_REACH_BYTES = 200;
/** A repeat marker's bytes, about. */
const REPEAT_BYTES = 48;
/** Pinned lines longer than this show a window only. */
const PIN_MAX_BYTES = 400;
/** An inner marker and its line end, about. */
const HOLE_BYTES = 48;
/** Of windows, the first size with which all failures find room. */
const WINDOW_SIZES_BYTES = [WINDOW_BYTES, 96, WINDOW_MIN_BYTES];
/** Room for one failure, however small the limit. */
const PIN_ROOM_MIN_BYTES = WINDOW_BYTES + MARKER_COST_BYTES;

/** A place to cut: `line` holds it; at that line's start or end, the line is not cut itself. */
interface Cut {
  readonly line: number;
  readonly at: number;
}

/**
 * The holes that leave about `limit` bytes of the string, `tail` of them at the end, and at most as many again for
 * failures. Changes the marks.
 */
export function clipWhole(site: Site, limit: number, tail = tailBytes(limit)): Hole[] {
  const { lines, marks, field } = site;
  const { text, starts } = lines;
  const head = headCut(site, limit - tail);
  const end = tailCut(site, tail);
  const holes: Hole[] = [];
  if (head.at < end.at) {
    const first = head.at === starts[head.line]! ? head.line : head.line + 1;
    const last = end.at === starts[end.line + 1]! ? end.line + 1 : end.line;
    if (head.line === end.line && first > head.line && last === end.line) {
      holes.push(
        ...spareFailures(
          text,
          starts[head.line]!,
          contentEnd(lines, head.line),
          { from: head.at, to: end.at },
          limit,
        ),
      );
    } else {
      const edgeRoom = Math.max(limit >> 2, Math.min(limit, WINDOW_BYTES));
      if (first > head.line) holes.push(...clipEdge(site, head.line, head.at, starts[first]!, edgeRoom));
      for (let line = first; line < last; line++) if ((marks[line]! & FIXED) === 0) marks[line]! &= ~KEPT;
      if (last === end.line && end.at > starts[end.line]!) {
        holes.push(...clipEdge(site, end.line, starts[end.line]!, end.at, edgeRoom));
      }
      freeRepeats(site);
      const edges =
        (head.at < starts[first]! ? starts[first]! - head.at : 0) + Math.max(0, end.at - starts[last]!);
      const spared = edges - holes.reduce((sum, { from, to }) => sum + to - from, 0);
      pinLines(site, first, last, Math.max(limit - spared, PIN_ROOM_MIN_BYTES), holes);
    }
  }
  for (let line = 0; line < lines.count; line++) {
    if ((marks[line]! & KEPT) !== 0) continue;
    const from = starts[line]!;
    while (line + 1 < lines.count && (marks[line + 1]! & KEPT) === 0) line++;
    holes.push({ from, to: starts[line + 1]! });
  }
  return joinHoles(site, holes).filter(({ from, to }) => isWorthMarker(from, to, field));
}

/** Where the head of `room` bytes ends. */
function headCut({ lines, marks }: Site, room: number): Cut {
  const { text, starts, count } = lines;
  let left = room;
  for (let line = 0; line < count; line++) {
    const mark = marks[line]!;
    if ((mark & KEPT) === 0) continue;
    const isRepeat = (mark & REPEATED) !== 0;
    const bytes = isRepeat
      ? isGroupStart(marks, line)
        ? REPEAT_BYTES
        : 0
      : starts[line + 1]! - starts[line]!;
    if (bytes <= left) {
      left -= bytes;
      continue;
    }
    const start = starts[line]!;
    const isNear = left < room && left <= Math.min(LINE_END_REACH_BYTES, room / 2);
    if (isNear || isRepeat || (mark & FIXED) !== 0) return { line, at: start };
    return {
      line,
      at: cutBefore(text, start, Math.min(start + left, contentEnd(lines, line)), contentEnd(lines, line)),
    };
  }
  return { line: count, at: text.length };
}

/** Where the tail of `room` bytes starts. */
function tailCut({ lines, marks }: Site, room: number): Cut {
  const { text, starts, count } = lines;
  let left = room;
  for (let line = count - 1; line >= 0; line--) {
    if ((marks[line]! & KEPT) === 0) continue;
    const end = starts[line + 1]!;
    // A repeat marker is nothing without the line before it.
    const isRepeat = (marks[line]! & REPEATED) !== 0;
    let first = line;
    while ((marks[first]! & REPEATED) !== 0) first--;
    const bytes = starts[first + 1]! - starts[first]! + (isRepeat ? REPEAT_BYTES : 0);
    if (bytes <= left) {
      left -= bytes;
      line = first;
      continue;
    }
    const isNear = left < room && left <= Math.min(LINE_END_REACH_BYTES, room / 2);
    if (isNear || isRepeat || (marks[line]! & FIXED) !== 0) return { line, at: end };
    const content = contentEnd(lines, line);
    const at = end - left >= content ? end : cutAfter(text, starts[line]!, end - left, content);
    return { line, at: at === content ? end : at };
  }
  return { line: 0, at: 0 };
}

function isGroupStart(marks: Uint8Array, line: number): boolean {
  return line === 0 || (marks[line - 1]! & REPEATED) === 0;
}

/** The hole in a line that is partly shown; towards hidden lines it takes the line end with it. */
function clipEdge({ lines }: Site, line: number, from: number, to: number, limit: number): Hole[] {
  const end = contentEnd(lines, line);
  const holes = spareFailures(lines.text, lines.starts[line]!, end, { from, to: Math.min(to, end) }, limit);
  const last = holes.at(-1);
  if (to > end && last?.to === end) holes[holes.length - 1] = { from: last.from, to };
  return holes;
}

/** Pins failing lines among the hidden ones from `first` to `last`, by `room` bytes; of long ones, windows, by more `holes`. */
function pinLines(site: Site, first: number, last: number, room: number, holes: Hole[]): void {
  const { lines, marks } = site;
  const { text, starts } = lines;
  markFailing(lines, marks, first, last);
  const costOf = (line: number) => {
    const bytes = starts[line + 1]! - starts[line]!;
    if (bytes <= PIN_MAX_BYTES) return bytes + HOLE_BYTES;
    return (marks[line]! & CITING) !== 0 ? PIN_ROOM_MIN_BYTES : Number.POSITIVE_INFINITY;
  };
  const traces = findTraces(lines, marks);
  const before = marks.slice();
  let windows: ReadonlySet<number> = new Set();
  let size = 0;
  for (size of WINDOW_SIZES_BYTES) {
    const windowCostOf = () => size + HOLE_BYTES;
    marks.set(before);
    const pins = choosePins({ lines, marks, traces, room, costOf, windowCostOf });
    windows = pins.windows;
    if (pins.missed === 0 || pins.missed > room / WINDOW_BYTES) break;
  }
  freeRepeats(site);
  // Also what an earlier cut of lines had hidden.
  for (const line of windows) {
    const start = starts[line]!;
    const end = contentEnd(lines, line);
    holes.push(...spareFailures(text, start, end, { from: start, to: end }, size));
  }
}

/** The holes in order, those that touch made one; a line end after the last hidden line stays. */
function joinHoles({ lines }: Site, holes: readonly Hole[]): Hole[] {
  const joined: Hole[] = [];
  for (const hole of [...holes].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && hole.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, hole.to) };
    else joined.push(hole);
  }
  return joined.map(({ from, to }) => ({ from, to: trimLineEnd(lines.text, from, to) }));
}
