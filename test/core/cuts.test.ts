// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { addCuts, type Cuts } from "../../src/core/cuts.ts";

it("adds counts and leaves out kinds that did not occur", () => {
  const cuts: Cuts = { keys: 1 };
  addCuts(cuts, { keys: 2, items: 3, lines: 0 });
  expect(cuts).toEqual({ keys: 3, items: 3 });
});
