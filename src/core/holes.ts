// SPDX-License-Identifier: Apache-2.0
// Which holes of a site (one text, one array, one run of records) are worth making, and what each marker says.
import { type CutMarker, type HoleMarker, markerBytes, type Unit } from "./marker.ts";

/** Units `from` to `to` (0-based, half-open) that the limits would leave out. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

export interface Site {
  readonly unit: Unit;
  /** Units of the whole site. */
  readonly total: number;
  /** What the marker calls the first unit: lines count from 1, items from 0. */
  readonly base: 0 | 1;
  /** Quotable pointer of the site, if it is part of a document. */
  readonly field?: string | undefined;
  /** Bytes that the marker's surroundings take in a hole (quotes, a line end). */
  readonly wrapBytes: number;
  /** How many failing units lie in the hole; absent: they are not counted. */
  failingIn?(hole: Hole): number;
  /** Bytes that leaving out this hole saves, before its marker. */
  bytesOf(hole: Hole): number;
}

export interface MarkedHole extends Hole {
  readonly marker: CutMarker | HoleMarker;
}

/**
 * The holes that are larger than their markers (C2), in order: the last carries totals and id, the ones
 * before it are short. Where the last would not pay for the long marker, the one before takes its place.
 */
export function markHoles(holes: readonly Hole[], site: Site): MarkedHole[] {
  const inner = (hole: Hole): HoleMarker => ({
    kind: "hole",
    unit: site.unit,
    from: hole.from + site.base,
    to: hole.to - 1 + site.base,
  });
  const pays = (hole: Hole, marker: CutMarker | HoleMarker): boolean =>
    site.bytesOf(hole) > site.wrapBytes + markerBytes(marker);

  const paying = holes.filter((hole) => pays(hole, inner(hole)));
  let count = paying.reduce((sum, hole) => sum + hole.to - hole.from, 0);
  let failing = paying.reduce((sum, hole) => sum + (site.failingIn?.(hole) ?? 0), 0);
  for (let last = paying.pop(); last !== undefined; last = paying.pop()) {
    const marker: CutMarker = {
      ...inner(last),
      kind: "cut",
      count,
      total: site.total,
      ...(failing > 0 && { failing }),
      ...(site.field !== undefined && { field: site.field }),
    };
    if (pays(last, marker)) {
      return [...paying.map((hole) => ({ ...hole, marker: inner(hole) })), { ...last, marker }];
    }
    count -= last.to - last.from;
    failing -= site.failingIn?.(last) ?? 0;
  }
  return [];
}

/** The gaps between the kept units of `keep` (`keep[i]` non-zero: unit `i` stays). */
export function gapsOf(keep: Uint8Array): Hole[] {
  const gaps: Hole[] = [];
  let from = -1;
  for (let i = 0; i <= keep.length; i++) {
    const kept = i === keep.length || keep[i] !== 0;
    if (!kept && from < 0) from = i;
    if (kept && from >= 0) {
      gaps.push({ from, to: i });
      from = -1;
    }
  }
  return gaps;
}

/**
 * At most `most` of the pins. Where there are more, repeats of one (those with equal keys) count once, then once
 * more while there is room: hundreds of one failure must not hide another.
 */
export function choosePins(
  pins: readonly number[],
  most: number,
  keyOf: (pin: number) => number,
): readonly number[] {
  if (pins.length <= most) return pins;
  const times = new Map<number, number>();
  const first: number[] = [];
  const second: number[] = [];
  for (const pin of pins) {
    const key = keyOf(pin);
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before === 0) first.push(pin);
    else if (before === 1) second.push(pin);
  }
  const chosen = boundPins(first, most);
  return [...chosen, ...boundPins(second, most - chosen.length)];
}

/** At most `most` of the pins: the first three quarters and the last quarter, as failures begin and end. */
export function boundPins(pins: readonly number[], most: number): readonly number[] {
  if (pins.length <= most) return pins;
  const last = Math.floor(most / 4);
  return [...pins.slice(0, most - last), ...pins.slice(pins.length - last)];
}
