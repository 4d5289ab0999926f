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

/** Which units stay within `room` bytes (of `budget.maxBytes`); undefined: none at either end has room. */
export function keepWithin(
  units: readonly Sized[],
  budget: Budget,
  room: number,
  keyOf: (unit: number) => number,
): Uint8Array | undefined {
  const keep = new Uint8Array(units.length);
  const free = Math.max(0, room - MARKER_BYTES);
  const scale = Math.min(room / budget.maxBytes, free / Math.max(1, budget.headBytes + budget.tailBytes), 1);
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
  if (!keep.includes(1)) return undefined;

  const hidden = (role: Sized["role"]): number[] =>
    [...keep.keys()].filter((i) => keep[i] === 0 && units[i]!.role === role);
  const pin = (pins: readonly number[]): void => {
    for (const i of pins) {
      keep[i] = 1;
      left -= units[i]!.bytes + HOLE_BYTES;
    }
  };
  pin(hidden("diff"));
  pin(hidden("marker"));
  for (const role of ["failing", "text"] as const) {
    const pins = hidden(role);
    const mean = pins.reduce((sum, i) => sum + units[i]!.bytes + HOLE_BYTES, 0) / pins.length;
    const most = Math.max(0, Math.floor(left / mean));
    pin(role === "failing" ? choosePins(pins, most, keyOf) : boundPins(pins, most));
  }
  return keep;
}
