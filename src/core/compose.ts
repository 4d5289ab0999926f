// SPDX-License-Identifier: Apache-2.0
// Two rounds of edits as one: what the second takes out of the text that the first left, said of the first's text.
import type { Marker } from "./marker.ts";
import type { Insert, Splice } from "./splice.ts";

/** An edit of the first round: a space takes the place of the bytes, or nothing, so that no hole can part what does. */
export interface Removal extends Splice {
  readonly insert: readonly [] | readonly [" "];
}

export interface Composed<First extends Removal> {
  /** Of the original text. */
  readonly splices: readonly Splice[];
  /** Those of the first round that no splice of the second covers. */
  readonly kept: readonly First[];
}

/**
 * `second` edits the text that `first` leaves; both rounds as splices of the original. A hole of the second takes in
 * the edits of the first that touch it, so that it is one range of the original, and markers of bytes say that range.
 */
export function composeSplices<First extends Removal>(
  first: readonly First[],
  second: readonly Splice[],
): Composed<First> {
  const splices: Splice[] = [];
  const kept: First[] = [];
  let next = 0;
  /** What to add to an offset of the middle text, past the edits so far, to get one of the original. */
  let shift = 0;
  const take = (splice: First): void => {
    shift = splice.end - endInMiddle(splice);
    next++;
  };
  const endInMiddle = ({ start, insert }: Splice): number => start - shift + insert.length;

  for (const hole of second) {
    let before = first[next];
    while (before !== undefined && before.start - shift < hole.start && endInMiddle(before) <= hole.start) {
      splices.push(before);
      kept.push(before);
      take(before);
      before = first[next];
    }
    const start = before === undefined ? hole.start + shift : Math.min(before.start, hole.start + shift);
    let end = hole.end + shift;
    for (let inside = before; inside !== undefined; inside = first[next]) {
      const from = inside.start - shift;
      const to = endInMiddle(inside);
      if (from > hole.end || (from === hole.end && to > from)) break;
      take(inside);
      end = Math.max(inside.end, hole.end + shift);
    }
    splices.push({ start, end, insert: hole.insert.map((part) => moveRange(part, start, end)) });
  }
  for (let rest = first[next]; rest !== undefined; rest = first[++next]) {
    splices.push(rest);
    kept.push(rest);
  }
  return { splices, kept };
}

function moveRange(part: Insert, from: number, to: number): Insert {
  if (typeof part === "string" || (part.kind !== "cut" && part.kind !== "hole") || part.unit !== "bytes")
    return part;
  const moved: Marker = part.kind === "cut" ? { ...part, count: to - from, from, to } : { ...part, from, to };
  return moved;
}
