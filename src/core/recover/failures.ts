// SPDX-License-Identifier: Apache-2.0
// What tells of a failure in a text, by the same judgement that pins lines and items when they are cut (C9).
import { isFailingItem } from "../json/failures.ts";
import { ARRAY, OBJECT, scan } from "../json/scan.ts";
import { findFailure, isFailingLine } from "../text/failing.ts";
import { trimLineEnd } from "../text/lines.ts";
import type { FindHit, Hit } from "./matches.ts";
import { itemUnits, lineUnits, type Units } from "./units.ts";

const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
/** A word of a failure and what stands beside it: enough to put a window around. */
const WORD_BYTES = 16;

/** The failing items of a text that is an array, else the failing lines. The text has at least one byte. */
export function findFailures(text: Uint8Array): { readonly units: Units; readonly find: FindHit } {
  return failingItems(text) ?? { units: lineUnits(text), find: failingLines(text) };
}

function failingItems(text: Uint8Array): { readonly units: Units; readonly find: FindHit } | undefined {
  const opening = text.findIndex((byte) => byte > 0x20);
  const index = text[opening] === OPEN_ARRAY ? scan(text) : undefined;
  if (index === undefined || index.kind[0] !== ARRAY || index.next[0] === 1) return undefined;
  const starts: number[] = [];
  const ends: number[] = [];
  const failing: Hit[] = [];
  for (let item = 1; item < index.next[0]!; item = index.next[item]!) {
    const from = index.start[item]!;
    const to = index.end[item]!;
    starts.push(from);
    ends.push(to);
    if (isFailingItem(index, item)) failing.push({ start: from, end: to });
  }
  let next = 0;
  return {
    units: itemUnits(Int32Array.from(starts), Int32Array.from(ends)),
    find(from) {
      while (next < failing.length && failing[next]!.start < from) next++;
      return failing[next];
    },
  };
}

function failingLines(text: Uint8Array): FindHit {
  const units = lineUnits(text);
  return (from, longLine) => {
    for (let at = from; at < text.length; ) {
      const line = units.around(at);
      const end = trimLineEnd(text, line.from, line.to);
      if (line.to - line.from > longLine) {
        const start = findFailure(text, at, end, line.from, end);
        if (start >= 0) return { start, end: Math.min(start + WORD_BYTES, end) };
      } else if (isFailingLine(text, line.from, line.to) || isFailingRecord(text, line.from, end)) {
        return { start: at, end: Math.max(at, end) };
      }
      at = line.to;
    }
    return undefined;
  };
}

/** A JSON line fails as the item of an array does. */
function isFailingRecord(text: Uint8Array, from: number, to: number): boolean {
  if (text[from] !== OPEN_OBJECT) return false;
  const index = scan(text, from, to);
  return index?.kind[0] === OBJECT && isFailingItem(index, 0);
}
