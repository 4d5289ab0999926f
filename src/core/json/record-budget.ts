// SPDX-License-Identifier: Apache-2.0
// max_bytes for JSON lines: whole records from the start and the end, failing ones between them. A record is shown
// whole (as its own limits left it) or lies in a hole.
import { boundPins, choosePins } from "../holes.ts";
import type { Budget } from "../rules/budget.ts";

/** One line, or a run of equal ones. */
export interface Sized {
  /** What it takes if it is shown, its line end included. */
  readonly bytes: number;
  readonly role: "record" | "failing" | "text" | "blank" | "diff" | "marker";
  /** False: the limits on items and lines took it. */
  readonly shown: boolean;
}

/** A marker among records and its line end, about. */
const HOLE_BYTES = 70;
/** The one with totals and id. */
const MARKER_BYTES = 130;

/** Of what head and tail have, the part that failing records may take first. */
const FAILING_SHARE = 4;

/** Bytes that one failing record may take of a budget, if it is the only one. */
export function failingRoom({ maxBytes, headBytes, tailBytes }: Budget): number {
  const ends = headBytes + tailBytes;
  return maxBytes - MARKER_BYTES - HOLE_BYTES - ends + Math.floor(ends / FAILING_SHARE);
}

/**
 * Which units stay within `room` bytes (of `budget.maxBytes`); undefined: none at either end has room. Failing ones
 * take their room from head and tail first, a quarter of it at most, then from what those leave.
 */
export function keepWithin(
  units: readonly Sized[],
  budget: Budget,
  room: number,
  keyOf: (unit: number) => number,
): Uint8Array | undefined {
  const free = Math.max(0, room - MARKER_BYTES);
  const ends = budget.headBytes + budget.tailBytes;
  const scale = Math.min(room / budget.maxBytes, free / Math.max(1, ends), 1);
  const whole = keepEnds(units, budget, scale, free);
  if (whole === undefined) return undefined;
  const needed = failingBytes(units, whole.keep);
  const isShort = needed > whole.left;
  const pinned = pinBetween(units, whole, keyOf);
  const least = ends * scale * (1 - 1 / FAILING_SHARE);
  const reduced = isShort
    ? keepEnds(units, budget, Math.max(least, free - needed) / Math.max(1, ends), free)
    : undefined;
  if (reduced === undefined) return pinned;
  const others = pinBetween(units, reduced, keyOf);
  return failingBytes(units, others) < failingBytes(units, pinned) ? others : pinned;
}

interface Kept {
  readonly keep: Uint8Array;
  /** Bytes that are left for pins. */
  readonly left: number;
}

/** Head and tail, `scale` times their shares; undefined: nothing at either end has room. */
function keepEnds(units: readonly Sized[], budget: Budget, scale: number, free: number): Kept | undefined {
  const keep = new Uint8Array(units.length);
  let left = free;
  const take = (from: number, step: 1 | -1, most: number): void => {
    let end = Math.floor(most);
    for (let i = from; i >= 0 && i < units.length && keep[i] === 0; i += step) {
      const { bytes, shown } = units[i]!;
      if (!shown) continue;
      if (bytes > end) return;
      keep[i] = 1;
      end -= bytes;
      left -= bytes;
    }
  };
  take(0, 1, budget.headBytes * scale);
  take(units.length - 1, -1, budget.tailBytes * scale);
  return keep.includes(1) ? { keep, left } : undefined;
}

function failingBytes(units: readonly Sized[], keep: Uint8Array): number {
  return units.reduce(
    (sum, { bytes, role }, i) => sum + (keep[i] === 0 && role === "failing" ? bytes + HOLE_BYTES : 0),
    0,
  );
}

function pinBetween(units: readonly Sized[], ends: Kept, keyOf: (unit: number) => number): Uint8Array {
  const keep = ends.keep.slice();
  let { left } = ends;
  const hidden = (role: Sized["role"]): number[] =>
    [...keep.keys()].filter((i) => keep[i] === 0 && units[i]!.role === role);
  const costOf = (i: number): number => units[i]!.bytes + HOLE_BYTES;
  const pin = (pins: readonly number[], fitsOnly: boolean): void => {
    for (const i of pins) {
      if (keep[i] !== 0 || (fitsOnly && costOf(i) > left)) continue;
      keep[i] = 1;
      left -= costOf(i);
    }
  };
  pin(hidden("diff"), false);
  pin(hidden("marker"), false);
  for (const role of ["failing", "text"] as const) {
    const pins = hidden(role);
    const mean = pins.reduce((sum, i) => sum + costOf(i), 0) / pins.length;
    const most = Math.max(0, Math.floor(left / mean));
    pin(role === "failing" ? choosePins(pins, most, keyOf) : boundPins(pins, most), true);
    // One that is larger than the others must not keep the room from those that fit.
    if (role === "failing") pin(choosePins(pins, pins.length - 1, keyOf), true);
  }
  return keep;
}
