// SPDX-License-Identifier: Apache-2.0
// JSON lines: each record is treated by itself, lines that are no record pass and are pinned while there is room
// after the failures, and the limits on items and lines count lines. A record is addressed as an item of an array: `/0` is the first line.
import { addCuts, type Cuts } from "../cuts.ts";
import { boundPins, choosePins, gapsOf, type Hole, markHoles } from "../holes.ts";
import { type Marker, markerBytes } from "../marker.ts";
import type { Budget } from "../rules/budget.ts";
import { type Policy, tailCount } from "../rules/policy.ts";
import { type Insert, type Splice, splicedLength } from "../splice.ts";
import { lineKey, RECORD_KEY_MAX_BYTES } from "../text/cluster.ts";
import { isOwnLines, uncut } from "./own.ts";
import type { JsonContext, Pruned } from "./prune.ts";
import { failingRoom, keepWithin, type Sized } from "./record-budget.ts";
import { elideRecord, LINES_MAX, type Line, type Role, readLines } from "./records.ts";

/** A text that was cut before is cut again only for more than this. */
const SECOND_CUT_BYTES = 32;
/** Shorter runs of equal records are not worth a marker. */
const RUN_MIN_LINES = 3;
/** A repeat marker as a record, about. */
const REPEAT_BYTES = 70;
/** Each try of the budget has the room that the one before was over. */
const TRIES_MAX = 8;
/** Failing records that are elided where there is no room for them. */
const ELIDED_MAX = 4;
/** A marker among records is a record. */
const WRAP = ['{"isthmos":"', '"}'] as const;
const WRAP_BYTES = WRAP[0].length + WRAP[1].length;

/** One line, or a run of equal ones of which the first stays: lines `from` to `to`, half-open. */
type Unit = Hole;

/**
 * The splices of a text of JSON lines, or undefined if it is none: the first line with text and nine in ten of
 * such lines must be JSON objects or arrays.
 */
export function pruneLines(bytes: Uint8Array, policy: Policy, context: JsonContext): Pruned | undefined {
  const isOwn = isOwnLines(bytes, context.stored);
  const lines = readLines(bytes, isOwn ? uncut(policy) : policy, context);
  if (lines === undefined) return undefined;
  if (lines.length > LINES_MAX) return { splices: [], cuts: {} };
  if (isOwn)
    return assemble(
      lines,
      lines.map((_, i) => ({ from: i, to: i + 1 })),
      [],
    );
  const units = policy.dedup ? findRuns(bytes, lines) : lines.map((_, i) => ({ from: i, to: i + 1 }));
  const holes = chooseHoles(bytes, lines, units, policy);
  const pruned = assemble(lines, units, holes);
  const isLarge =
    policy.budget !== undefined && splicedLength(bytes.length, pruned.splices) > policy.budget.maxBytes;
  if (!isLarge) return pruned;
  const elideLine = (line: number, most: number) =>
    elideRecord(bytes, lines[line]!, most, policy, { ...context, pointerPrefix: `/${line}`, line });
  return fitLines(bytes, lines, units, holes, elideLine, policy.budget) ?? pruned;
}

/** With whole lines taken until the budget is kept, or undefined. */
function fitLines(
  bytes: Uint8Array,
  lines: Line[],
  units: readonly Unit[],
  holes: readonly Hole[],
  elideLine: (line: number, most: number) => Line | undefined,
  budget: Budget,
): Pruned | undefined {
  let hole = 0;
  const sized = units.map(({ from, to }): Sized => {
    const { role, outBytes, textEnd, end } = lines[from]!;
    while (hole < holes.length && holes[hole]!.to <= from) hole++;
    const shown = hole === holes.length || from < holes[hole]!.from;
    return { role, shown, bytes: outBytes + end - textEnd + (to - from > 1 ? REPEAT_BYTES : 0) };
  });
  const keyOf = keyIn(bytes, lines, units);
  // Failing records that there is no room for, brought down to what there is for one of them.
  const shorten = (hidden: readonly number[]): boolean => {
    const most = Math.floor(failingRoom(budget) / Math.min(hidden.length, ELIDED_MAX));
    let isShorter = false;
    for (const unit of hidden.slice(0, ELIDED_MAX)) {
      const { from } = units[unit]!;
      const before = lines[from]!.outBytes;
      const elided = before > most ? elideLine(from, most) : undefined;
      if (elided === undefined) continue;
      lines[from] = elided;
      sized[unit] = { ...sized[unit]!, bytes: sized[unit]!.bytes - before + elided.outBytes };
      isShorter = true;
    }
    return isShorter;
  };
  let room = budget.maxBytes;
  for (let tries = 0; tries < TRIES_MAX && room > 0; tries++) {
    let keep = keepWithin(sized, budget, room, keyOf);
    if (keep === undefined) return undefined;
    const hidden = sized.flatMap(({ role }, i) => (keep?.[i] === 0 && role === "failing" ? [i] : []));
    if (tries === 0 && hidden.length > 0 && shorten(hidden))
      keep = keepWithin(sized, budget, room, keyOf) ?? keep;
    const pruned = assemble(lines, units, lineHoles(units, keep));
    const over = splicedLength(bytes.length, pruned.splices) - budget.maxBytes;
    if (over <= 0) return pruned;
    room -= Math.max(over, REPEAT_BYTES);
  }
  return undefined;
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
  pin(hidden("diff"));
  // A cut leaves at most N pins, and so N + 1 markers.
  pin(hidden("marker").slice(0, limit + 1));
  const failing = choosePins(hidden("failing"), limit, keyIn(bytes, lines, units));
  pin(failing);
  pin(boundPins(hidden("text"), limit - failing.length));
  return lineHoles(units, keep);
}

function lineHoles(units: readonly Unit[], keep: Uint8Array): readonly Hole[] {
  return gapsOf(keep).map(({ from, to }) => ({ from: units[from]!.from, to: units[to - 1]!.to }));
}

function keyIn(bytes: Uint8Array, lines: readonly Line[], units: readonly Unit[]): (unit: number) => number {
  return (unit) => {
    const { start, textEnd } = lines[units[unit]!.from]!;
    return lineKey(bytes, start, textEnd, RECORD_KEY_MAX_BYTES);
  };
}

function assemble(lines: readonly Line[], units: readonly Unit[], holes: readonly Hole[]): Pruned {
  // Cut before: with smaller numbers a marker is shorter, and an old gap must not pay for that alone.
  const slack = lines.some(({ role }) => role === "marker") ? SECOND_CUT_BYTES : 0;
  const marked = markHoles(holes, {
    unit: "lines",
    total: lines.length,
    base: 1,
    wrapBytes: WRAP_BYTES + slack,
    failingIn: ({ from, to }) => {
      let failing = 0;
      for (let line = from; line < to; line++) if (lines[line]!.role === "failing") failing++;
      return failing;
    },
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
