// SPDX-License-Identifier: Apache-2.0
// JSON lines: each record is treated by itself, lines that are no record pass and are pinned while there is room
// after the failures, and the limits on items and lines count lines. A record is addressed as an item of an array: `/0` is the first line.
import { addCuts, type Cuts } from "../cuts.ts";
import { boundPins, choosePins, gapsOf, type Hole, markHoles } from "../holes.ts";
import { type Marker, markerBytes } from "../marker.ts";
import { type Policy, tailCount } from "../rules/policy.ts";
import { type Insert, type Splice, splicedLength } from "../splice.ts";
import { lineKey, RECORD_KEY_MAX_BYTES } from "../text/cluster.ts";
import { markDiffs } from "../text/diff.ts";
import { isFailingLine } from "../text/failing.ts";
import { splitLines } from "../text/lines.ts";
import { FIXED } from "../text/marks.ts";
import { isFailingItem } from "./failures.ts";
import { readMarkerItem } from "./items.ts";
import { type JsonContext, keyTable, type Pruned, pruneJson } from "./prune.ts";
import { ARRAY, type JsonIndex, OBJECT, scan } from "./scan.ts";

/** Share of the lines that must be records. */
const RECORD_SHARE = 0.9;
/** Each line is an object in memory, of about 200 bytes; a text of more lines passes. */
const LINES_MAX = 2_500_000;
/** A text that was cut before is cut again only for more than this. */
const SECOND_CUT_BYTES = 32;
/** Shorter runs of equal records are not worth a marker. */
const RUN_MIN_LINES = 3;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** A marker among records is a record. */
const WRAP = ['{"isthmos":"', '"}'] as const;
const WRAP_BYTES = WRAP[0].length + WRAP[1].length;

/** `text`: no record. `diff`: part of a patch, a record or not. `marker`: of an earlier cut, where one cites a stored id. */
type Role = "record" | "failing" | "text" | "blank" | "diff" | "marker";

/** A line's bytes, its end apart: what is before `textEnd` is its text. */
interface LineSpan {
  readonly start: number;
  readonly textEnd: number;
  /** After the line end. */
  readonly end: number;
}

interface Line extends LineSpan {
  readonly role: Role;
  /** What the record's own limits take. */
  readonly splices: readonly Splice[];
  readonly cuts: Readonly<Cuts>;
  /** Bytes of the text once `splices` are applied. */
  readonly outBytes: number;
}

/** One line, or a run of equal ones of which the first stays: lines `from` to `to`, half-open. */
type Unit = Hole;

/**
 * The splices of a text of JSON lines, or undefined if it is none: the first line with text and nine in ten of
 * such lines must be JSON objects or arrays.
 */
export function pruneLines(bytes: Uint8Array, policy: Policy, context: JsonContext): Pruned | undefined {
  const lines = readLines(bytes, policy, context);
  if (lines === undefined) return undefined;
  if (lines.length > LINES_MAX) return { splices: [], cuts: {} };
  const units = policy.dedup ? findRuns(bytes, lines) : lines.map((_, i) => ({ from: i, to: i + 1 }));
  return assemble(lines, units, chooseHoles(bytes, lines, units, policy));
}

function readLines(bytes: Uint8Array, policy: Policy, context: JsonContext): Line[] | undefined {
  const lines: Line[] = [];
  const markers: number[] = [];
  let cites = false;
  let records = 0;
  let texts = 0;
  for (let start = 0; start < bytes.length && lines.length <= LINES_MAX; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const textEnd =
      newline < 0 ? end : newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    const span = { start, textEnd, end };
    const index = scan(bytes, start, textEnd);
    if (index !== undefined && (index.kind[0] === OBJECT || index.kind[0] === ARRAY)) {
      const marker = context.stored.size > 0 ? readMarkerItem(index, 0) : undefined;
      if (marker !== undefined && (marker.id === undefined || context.stored.has(marker.id))) {
        markers.push(lines.length);
        cites ||= marker.id !== undefined;
      }
      lines.push(readRecord(span, index, policy, { ...context, pointerPrefix: `/${lines.length}` }));
      records++;
    } else {
      const line = readText(bytes, span);
      if (line.role !== "blank") texts++;
      if (records === 0 && texts > 0) return undefined;
      lines.push(line);
    }
    start = end;
  }
  if (records < 2 || records < (records + texts) * RECORD_SHARE) return undefined;
  if (cites) for (const line of markers) lines[line] = plainLine(lines[line]!, "marker");
  // A patch has lines that are no records.
  if (texts > 0) fixDiffs(bytes, lines);
  return lines;
}

function readRecord(span: LineSpan, index: JsonIndex, policy: Policy, context: JsonContext): Line {
  const { splices, cuts } = pruneJson(index, policy, context);
  const role = isFailingItem(index, 0, keyTable(policy.dropKeys)) ? "failing" : "record";
  return { ...span, role, splices, cuts, outBytes: splicedLength(span.textEnd - span.start, splices) };
}

function readText(bytes: Uint8Array, span: LineSpan): Line {
  if (isBlank(bytes, span.start, span.textEnd)) return plainLine(span, "blank");
  return plainLine(span, isFailingLine(bytes, span.start, span.textEnd) ? "failing" : "text");
}

function plainLine({ start, textEnd, end }: LineSpan, role: Role): Line {
  return { start, textEnd, end, role, splices: [], cuts: {}, outBytes: textEnd - start };
}

function fixDiffs(bytes: Uint8Array, lines: Line[]): void {
  const marks = new Uint8Array(lines.length);
  markDiffs(splitLines(bytes, lines.length), marks);
  for (const [i, line] of lines.entries()) if ((marks[i]! & FIXED) !== 0) lines[i] = plainLine(line, "diff");
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! > 0x20) return false;
  return true;
}

/** The lines as units: a run of equal lines whose marker is smaller than what it stands for is one. */
function findRuns(bytes: Uint8Array, lines: readonly Line[]): Unit[] {
  const units: Unit[] = [];
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    const first = lines[from]!;
    const mayRun = first.role !== "diff" && first.role !== "marker";
    while (mayRun && to < lines.length && lines[to]!.role === first.role && isEqual(bytes, first, lines[to]!))
      to++;
    const removed = lines[to - 1]!.textEnd - lines[from]!.end;
    const pays = to - from >= RUN_MIN_LINES && removed > WRAP_BYTES + markerBytes(repeatOf({ from, to }));
    if (!pays) to = from + 1;
    units.push({ from, to });
    from = to;
  }
  return units;
}

function isEqual(bytes: Uint8Array, a: Line, b: Line): boolean {
  if (a.end - a.start !== b.end - b.start) return false;
  for (let i = 0; i < a.end - a.start; i++) if (bytes[a.start + i] !== bytes[b.start + i]) return false;
  return true;
}

function repeatOf(unit: Unit): Marker {
  return { kind: "repeat", times: unit.to - unit.from - 1 };
}

/** Runs of lines that the limit takes: not the head, the tail, what is fixed, or what is pinned. */
function chooseHoles(
  bytes: Uint8Array,
  lines: readonly Line[],
  units: readonly Unit[],
  policy: Policy,
): readonly Hole[] {
  const { maxItems, maxLines, keepLast } = policy;
  const countsItems = maxItems > 0 && (maxLines === 0 || maxItems <= maxLines);
  const limit = countsItems ? maxItems : maxLines;
  if (limit === 0 || units.length <= limit) return [];
  const tail = tailCount(limit, keepLast, countsItems ? "items" : "lines");
  const keep = new Uint8Array(units.length);
  keep.fill(1, 0, limit - tail);
  keep.fill(1, units.length - tail);
  const hidden = (role: Role): number[] =>
    [...keep.keys()].filter((i) => keep[i] === 0 && lines[units[i]!.from]!.role === role);
  const pin = (pins: readonly number[]): void => {
    for (const i of pins) keep[i] = 1;
  };
  const keyOf = (i: number): number => {
    const { start, textEnd } = lines[units[i]!.from]!;
    return lineKey(bytes, start, textEnd, RECORD_KEY_MAX_BYTES);
  };
  pin(hidden("diff"));
  // A cut leaves at most N pins, and so N + 1 markers.
  pin(hidden("marker").slice(0, limit + 1));
  const failing = choosePins(hidden("failing"), limit, keyOf);
  pin(failing);
  pin(boundPins(hidden("text"), limit - failing.length));
  return gapsOf(keep).map(({ from, to }) => ({ from: units[from]!.from, to: units[to - 1]!.to }));
}

function assemble(lines: readonly Line[], units: readonly Unit[], holes: readonly Hole[]): Pruned {
  // Cut before: with smaller numbers a marker is shorter, and an old gap must not pay for that alone.
  const slack = lines.some(({ role }) => role === "marker") ? SECOND_CUT_BYTES : 0;
  const marked = markHoles(holes, {
    unit: "lines",
    total: lines.length,
    base: 1,
    wrapBytes: WRAP_BYTES + slack,
    bytesOf: ({ from, to }) => {
      let bytes = lines[to - 1]!.textEnd - lines[to - 1]!.end;
      for (const line of lines.slice(from, to)) bytes += line.outBytes + line.end - line.textEnd;
      return bytes;
    },
  });
  const splices: Splice[] = [];
  const cuts: Cuts = {};
  let next = 0;
  for (const unit of units) {
    const hole = marked[next];
    if (hole !== undefined && unit.from >= hole.from) {
      if (unit.to < hole.to) continue;
      next++;
      splices.push(replaceLines(lines[hole.from]!.start, lines[hole.to - 1]!.textEnd, hole.marker));
      addCuts(cuts, { lines: hole.to - hole.from });
      continue;
    }
    const first = lines[unit.from]!;
    // A record may have more splices than a call takes arguments.
    for (const splice of first.splices) splices.push(splice);
    addCuts(cuts, first.cuts);
    if (unit.to - unit.from > 1) {
      splices.push(replaceLines(first.end, lines[unit.to - 1]!.textEnd, repeatOf(unit)));
      addCuts(cuts, { runs: unit.to - unit.from - 1 });
    }
  }
  return { splices, cuts };
}

function replaceLines(start: number, end: number, marker: Marker): Splice {
  const insert: Insert[] = [WRAP[0], marker, WRAP[1]];
  return { start, end, insert };
}
