// SPDX-License-Identifier: Apache-2.0
// For hosts that forbid holes in the middle: the text loses its end, but for a diff there. The marker, its last line,
// counts the failing lines that went.
import { type CutMarker, markerBytes } from "../marker.ts";
import { cutBefore } from "./boundary.ts";
import { isWorthMarker } from "./clip.ts";
import { countFailing } from "./failing.ts";
import { contentEnd, type Lines, trimLineEnd } from "./lines.ts";
import { FIXED } from "./marks.ts";
import type { Site } from "./site.ts";
import type { TextCompression, TextLimits } from "./text.ts";

const UNCHANGED: TextCompression = { splices: [], cuts: {} };
/** A hole within the first line, without an id. */
const INNER_BYTES = markerBytes({ kind: "hole", unit: "bytes", from: 99_999_999, to: 99_999_999 });
/** Larger than any marker of a hole in bytes. */
const HOLE_MIN_BYTES =
  1 + markerBytes({ kind: "cut", unit: "bytes", count: 99_999_999, from: 99_999_999, to: 99_999_999 });

/** The lines after the first `maxLines`, and those that the budget has no room for, as one hole; or nothing. */
export function cutTail(
  { lines, marks, field }: Site,
  { maxLines, budget }: Pick<TextLimits, "maxLines" | "budget">,
  content: "text" | "names",
): TextCompression {
  const { text, count } = lines;
  const isLarge = budget !== undefined && text.length > budget.maxBytes;
  const limit = maxLines > 0 ? Math.min(maxLines, count) : count;
  const failing = content === "text" ? (from: number) => countFailing(lines, from, count) : () => 0;
  const cut = cutLines(lines, marks, limit, failing, field);
  if (!isLarge || text.length - (cut?.saved ?? 0) <= budget.maxBytes) return cut ?? UNCHANGED;

  const room = budget.maxBytes - markerBytes(tailMarker(count, 0, count, field)) - 1;
  let kept = 0;
  while (kept < limit && lines.starts[kept + 1]! <= room) kept++;
  const fitted =
    kept > 0 ? cutLines(lines, marks, kept, failing, field) : cutFirst(lines, marks, content, room, field);
  const best = fitted ?? cut ?? UNCHANGED;
  const isKept = text.length - (fitted?.saved ?? 0) > budget.maxBytes && marks.some(isFixed);
  return isKept ? { ...best, kept: "diff" } : best;
}

interface TailCut extends TextCompression {
  readonly saved: number;
}

function cutLines(
  { text, starts, count }: Lines,
  marks: Uint8Array,
  limit: number,
  failing: (from: number) => number,
  field: string | undefined,
): TailCut | undefined {
  let from = count;
  while (from > limit && !isFixed(marks[from - 1]!)) from--;
  if (from === count) return undefined;
  const start = starts[from]!;
  const end = trimLineEnd(text, starts[count - 1]!, text.length);
  const marker = tailMarker(count, from, failing(from), field);
  const saved = end - start - markerBytes(marker);
  return saved > 0
    ? { splices: [{ start, end, insert: [marker] }], cuts: { lines: count - from }, saved }
    : undefined;
}

/** The first line alone is over the budget: it loses its own end, and the lines after it go. */
function cutFirst(
  lines: Lines,
  marks: Uint8Array,
  content: "text" | "names",
  room: number,
  field: string | undefined,
): TailCut | undefined {
  const { text, count } = lines;
  const end = contentEnd(lines, 0);
  if (content === "names" || isFixed(marks[0]!)) return undefined;
  const rest = cutLines(lines, marks, 1, (from) => countFailing(lines, from, count), field);
  const wanted = room - (rest === undefined ? 0 : INNER_BYTES);
  // A line just over the room loses more than it must: a hole that is smaller than its marker is none.
  const from = cutBefore(text, 0, Math.max(0, Math.min(wanted, end - HOLE_MIN_BYTES)), end);
  if (from === 0 || !isWorthMarker(from, end, field)) return undefined;
  const inner = { kind: "hole", unit: "bytes", from, to: end } as const;
  const named = field !== undefined && { field };
  const marker = rest === undefined ? { ...inner, kind: "cut" as const, count: end - from, ...named } : inner;
  return {
    splices: [{ start: from, end, insert: [marker] }, ...(rest?.splices ?? [])],
    cuts: { strings: 1, ...rest?.cuts },
    saved: end - from - markerBytes(marker) + (rest?.saved ?? 0),
  };
}

function tailMarker(count: number, from: number, failing: number, field: string | undefined): CutMarker {
  return {
    kind: "cut",
    unit: "lines",
    count: count - from,
    total: count,
    ...(failing > 0 && { failing }),
    from: from + 1,
    to: count,
    ...(field !== undefined && { field }),
  };
}

function isFixed(mark: number): boolean {
  return (mark & FIXED) !== 0;
}
