// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { signTest, wilson } from "../../../scripts/ab/proportions.ts";

// 81 of 263 and 15 of 148: the published examples of Newcombe (1998).
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
  [0, 0, 0, 1],
])("Wilson's interval of %i of %i", (passed, all, low, high) => {
  const interval = wilson(passed, all);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

it.each([
  [0, 0, 1],
  [1, 1, 1],
  [5, 5, 1],
  [0, 5, 0.0625],
  [5, 0, 0.0625],
  [1, 9, 22 / 1024],
  [3, 9, 598 / 4096],
])("the exact test of %i against %i", (one, other, p) => {
  expect(signTest(one, other)).toBeCloseTo(p, 10);
});

it("the exact test of thousands of pairs is a number", () => {
  expect(signTest(1500, 1500)).toBe(1);
  const p = signTest(1400, 1600);
  expect(p).toBeGreaterThan(0.0002);
  expect(p).toBeLessThan(0.0004);
});
