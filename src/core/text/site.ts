// SPDX-License-Identifier: Apache-2.0

import { type Marker, markerBytes } from "../marker.ts";
import type { Splice } from "../splice.ts";
import type { Hole } from "./clip.ts";
import { type Lines, trimLineEnd } from "./lines.ts";
import { FAILING, KEPT, REPEATED } from "./marks.ts";
import { isRunWorthMarker } from "./runs.ts";

/** One text under treatment: its lines, what is known of each, and how its markers name it. */
export interface Site {
  readonly lines: Lines;
  readonly marks: Uint8Array;
  readonly field: string | undefined;
}

/** Lines `from` to `to`, 0-based, half-open. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Sees to it that no shown repeat marker has lost the line it speaks of: of such a group the last line is
 * shown as it is, and the others are hidden.
 */
export function freeRepeats({ lines, marks }: Site): void {
  for (let line = 0; line < lines.count; line++) {
    if ((marks[line]! & (KEPT | REPEATED)) !== (KEPT | REPEATED)) continue;
    let end = line + 1;
    while (end < lines.count && (marks[end]! & (KEPT | REPEATED)) === (KEPT | REPEATED)) end++;
    if (line === 0 || (marks[line - 1]! & KEPT) === 0) {
      for (let at = line; at < end - 1; at++) marks[at]! &= ~KEPT;
      marks[end - 1]! &= ~REPEATED;
    }
    line = end - 1;
  }
}

/**
 * The hidden lines as ranges, each larger than its marker; those of ranges that are not become shown. The
 * last range is larger than the marker with totals and id.
 */
export function settleLineHoles({ lines, marks, field }: Site): LineRange[] {
  const ranges: LineRange[] = [];
  let hidden = 0;
  let failing = 0;
  for (let line = 0; line < lines.count; line++) {
    if ((marks[line]! & KEPT) !== 0) continue;
    let to = line + 1;
    while (to < lines.count && (marks[to]! & KEPT) === 0) to++;
    const range = { from: line, to };
    if (rangeBytes(lines, range) > markerBytes({ kind: "hole", unit: "lines", from: line + 1, to })) {
      ranges.push(range);
      hidden += to - line;
      failing += failingIn(marks, range);
    } else show(marks, range);
    line = to - 1;
  }
  for (let last = ranges.at(-1); last !== undefined; last = ranges.at(-1)) {
    if (rangeBytes(lines, last) > markerBytes(lineMarker(last, hidden, failing, lines.count, field))) break;
    show(marks, last);
    hidden -= last.to - last.from;
    failing -= failingIn(marks, last);
    ranges.pop();
  }
  return ranges;
}

/** The marker with totals and id, for the last hole of a text. */
function lineMarker(
  range: LineRange,
  hidden: number,
  failing: number,
  total: number,
  field: string | undefined,
): Marker {
  const { from, to } = range;
  return {
    kind: "cut",
    unit: "lines",
    count: hidden,
    total,
    ...(failing > 0 && { failing }),
    from: from + 1,
    to,
    ...(field !== undefined && { field }),
  };
}

function failingIn(marks: Uint8Array, { from, to }: LineRange): number {
  let count = 0;
  for (let line = from; line < to; line++) if ((marks[line]! & FAILING) !== 0) count++;
  return count;
}

function rangeBytes({ text, starts }: Lines, { from, to }: LineRange): number {
  return trimLineEnd(text, starts[to - 1]!, starts[to]!) - starts[from]!;
}

function show(marks: Uint8Array, { from, to }: LineRange): void {
  for (let line = from; line < to; line++) marks[line]! |= KEPT;
}

/**
 * The splices for holes of whole lines (`ranges`), holes of bytes (sorted, apart from the ranges) and shown
 * groups of repeated lines. A marker keeps the line end of the last line that it stands for.
 */
export function spliceHoles(site: Site, ranges: readonly LineRange[], holes: readonly Hole[]): Splice[] {
  const { lines, field } = site;
  const { text, starts } = lines;
  const splices = repeatSplices(site);
  const total = lines.count;
  const hidden = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const failing = ranges.reduce((sum, range) => sum + failingIn(site.marks, range), 0);
  ranges.forEach((range, index) => {
    const marker: Marker =
      index === ranges.length - 1
        ? lineMarker(range, hidden, failing, total, field)
        : { kind: "hole", unit: "lines", from: range.from + 1, to: range.to };
    const end = trimLineEnd(text, starts[range.to - 1]!, starts[range.to]!);
    splices.push({ start: starts[range.from]!, end, insert: [marker] });
  });
  const lastLine = ranges.length > 0 ? starts[ranges.at(-1)!.from]! : -1;
  holes.forEach(({ from, to }, index) => {
    const cites = index === holes.length - 1 && from > lastLine;
    const marker: Marker = cites
      ? { kind: "cut", unit: "bytes", count: to - from, from, to, ...(field !== undefined && { field }) }
      : { kind: "hole", unit: "bytes", from, to };
    splices.push({ start: from, end: to, insert: [marker] });
  });
  return splices.sort((a, b) => a.start - b.start);
}

function repeatSplices({ lines, marks }: Site): Splice[] {
  const { text, starts, count } = lines;
  const splices: Splice[] = [];
  for (let line = 0; line < count; line++) {
    if ((marks[line]! & (KEPT | REPEATED)) !== (KEPT | REPEATED)) continue;
    let to = line + 1;
    while (to < count && (marks[to]! & (KEPT | REPEATED)) === (KEPT | REPEATED)) to++;
    if (isRunWorthMarker(lines, line, to)) {
      const end = trimLineEnd(text, starts[to - 1]!, starts[to]!);
      splices.push({ start: starts[line]!, end, insert: [{ kind: "repeat", times: to - line }] });
    }
    line = to - 1;
  }
  return splices;
}
