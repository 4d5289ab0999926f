// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { budgetOf } from "../../src/core/rules/budget.ts";
import { levelOf, scaleBudget } from "../../src/core/share.ts";

it.each<[string, number[], number, number]>([
  ["nothing", [], 10, Number.POSITIVE_INFINITY],
  ["just fits", [5, 5], 10, Number.POSITIVE_INFINITY],
  ["a byte more", [5, 6], 10, 5],
  ["small ones stay whole", [1, 100, 2, 100], 103, 50],
  ["order makes no difference", [100, 2, 100, 1], 103, 50],
  ["one text", [100], 10, 10],
  ["no room", [3, 3], 1, 0],
])("%s", (_name, sizes, most, level) => {
  expect(levelOf(sizes, most)).toBe(level);
  const sum = sizes.reduce((all, size) => all + Math.min(size, level), 0);
  expect(sum).toBeLessThanOrEqual(most);
});

it("shares go down with the budget, and never up", () => {
  const budget = { ...budgetOf(4000), trace: { headBytes: 800, tailBytes: 400 } };
  expect(scaleBudget(budget, 1000)).toEqual({
    ...{ maxBytes: 1000, headBytes: 500, tailBytes: 250 },
    trace: { headBytes: 200, tailBytes: 100 },
  });
  expect(scaleBudget(budget, 9000)).toEqual(budget);
});
