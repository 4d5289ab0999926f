// SPDX-License-Identifier: Apache-2.0

/** Numbers that follow from a seed: the same in every run and on every machine. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** One of the values. */
  pick<T>(values: readonly T[]): T;
  /** Hexadecimal digits. */
  hex(digits: number): string;
  /** A number with `digits` decimals below `below`. */
  fraction(below: number, digits: number): string;
}

/** mulberry32, started from a text. */
export function makeRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (values) => {
      const value = values[int(values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
    hex: (digits) => Array.from({ length: digits }, () => int(16).toString(16)).join(""),
    fraction: (below, digits) => (next() * below).toFixed(digits),
  };
}
