// SPDX-License-Identifier: Apache-2.0
// The lines of a text, or the items of an array, found from any place in it: what a search shows whole.
import type { Range } from "./span.ts";

/** One line with its end, or one item: bytes `from` to `to`, half-open. Lines are numbered from 1, items from 0. */
export interface Place extends Range {
  readonly number: number;
}

export interface Units {
  readonly unit: "lines" | "items";
  /** The line or item that byte `at` lies in; cheap where `at` only grows. */
  around(at: number): Place;
  before(place: Place): Place | undefined;
  after(place: Place): Place | undefined;
}

const NEWLINE = 0x0a;

/** The lines of a text of at least one byte. */
export function lineUnits(text: Uint8Array): Units {
  let counted: Place = { from: 0, to: 0, number: 1 };
  const endOf = (from: number): number => {
    const newline = text.indexOf(NEWLINE, from);
    return newline < 0 ? text.length : newline + 1;
  };
  const startOf = (at: number): number => (at === 0 ? 0 : text.lastIndexOf(NEWLINE, at - 1) + 1);
  return {
    unit: "lines",
    around(at) {
      if (at >= counted.from && at < counted.to) return counted;
      const from = startOf(at);
      let number = from < counted.from ? 1 : counted.number;
      for (let i = from < counted.from ? 0 : counted.from; i < from; i++) if (text[i] === NEWLINE) number++;
      counted = { from, to: endOf(at), number };
      return counted;
    },
    before: ({ from, number }) =>
      from === 0 ? undefined : { from: startOf(from - 1), to: from, number: number - 1 },
    after: ({ to, number }) =>
      to === text.length ? undefined : { from: to, to: endOf(to), number: number + 1 },
  };
}

/** Items that stand at these offsets, in order; at least one. */
export function itemUnits(starts: Int32Array, ends: Int32Array): Units {
  const place = (number: number): Place | undefined => {
    const from = starts[number];
    const to = ends[number];
    return from === undefined || to === undefined ? undefined : { from, to, number };
  };
  return {
    unit: "items",
    around(at) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= at) low = middle;
        else high = middle - 1;
      }
      return { from: starts[low]!, to: ends[low]!, number: low };
    },
    before: ({ number }) => place(number - 1),
    after: ({ number }) => place(number + 1),
  };
}
