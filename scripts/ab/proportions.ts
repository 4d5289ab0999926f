// SPDX-License-Identifier: Apache-2.0
import type { Interval } from "./intervals.ts";

/** 97.5 % of the normal distribution lie below: for intervals of 95 %. */
const Z = 1.959963984540054;

/** Wilson's interval of 95 % for `passed` of `all`; none of nothing: everything is possible. */
export function wilson(passed: number, all: number): Interval {
  if (all === 0) return { low: 0, high: 1 };
  const share = passed / all;
  const spread = Z * Math.sqrt((share * (1 - share) + (Z * Z) / (4 * all)) / all);
  const centre = share + (Z * Z) / (2 * all);
  const scale = 1 + (Z * Z) / all;
  return {
    low: passed === 0 ? 0 : (centre - spread) / scale,
    high: passed === all ? 1 : (centre + spread) / scale,
  };
}

/** McNemar's exact test, two-sided: how likely pairs that differ are to fall at least so unevenly by chance. */
export function signTest(one: number, other: number): number {
  const all = one + other;
  const few = Math.min(one, other);
  // In logarithms: 2^-all is 0 for a thousand pairs and more.
  let logTerm = -all * Math.LN2;
  let tail = 0;
  for (let i = 0; i <= few; i++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((all - i) / (i + 1));
  }
  return Math.min(1, 2 * tail);
}
