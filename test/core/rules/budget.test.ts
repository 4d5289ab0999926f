// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { type Budget, type BudgetFields, resolveBudget } from "../../../src/core/rules/budget.ts";

const SUTRA: Budget = {
  maxBytes: 24_576,
  headBytes: 12_288,
  tailBytes: 6144,
  trace: { headBytes: 4096, tailBytes: 6144 },
};

it.each<[string, BudgetFields[], Budget | undefined]>([
  ["none", [{}], undefined],
  ["0 is no limit", [{ maxBytes: 0 }], undefined],
  ["shares without a limit", [{ headBytes: 5, tailBytes: 5 }], undefined],
  ["half and a quarter", [{ maxBytes: 1000 }], { maxBytes: 1000, headBytes: 500, tailBytes: 250 }],
  [
    "own shares",
    [{ maxBytes: 1000, headBytes: 10, tailBytes: 20 }],
    { maxBytes: 1000, headBytes: 10, tailBytes: 20 },
  ],
  [
    "three quarters",
    [{ maxBytes: 1000, headBytes: 700, tailBytes: 50 }],
    { maxBytes: 1000, headBytes: 700, tailBytes: 50 },
  ],
  [
    "a byte more is scaled",
    [{ maxBytes: 1000, headBytes: 700, tailBytes: 51 }],
    { maxBytes: 1000, headBytes: 699, tailBytes: 50 },
  ],
  ["the least", [{ maxBytes: 255 }], { maxBytes: 256, headBytes: 128, tailBytes: 64 }],
  [
    "the strictest, with its shares",
    [{ maxBytes: 2000, headBytes: 1 }, { maxBytes: 1000 }],
    { maxBytes: 1000, headBytes: 500, tailBytes: 250 },
  ],
  [
    "of equals the smaller shares",
    [{ maxBytes: 1000 }, { maxBytes: 1000, headBytes: 9 }],
    { maxBytes: 1000, headBytes: 9, tailBytes: 250 },
  ],
  ["the profile", [{ profile: "sutra" }], SUTRA],
  [
    "the profile with an own limit",
    [{ profile: "sutra", maxBytes: 32_000, headBytes: 9000 }],
    { ...SUTRA, maxBytes: 32_000, headBytes: 9000 },
  ],
  ["the profile against a looser rule", [{ maxBytes: 24_577 }, { profile: "sutra" }], SUTRA],
  [
    "the profile against a stricter rule",
    [{ maxBytes: 24_572 }, { profile: "sutra" }],
    { maxBytes: 24_572, headBytes: 12_286, tailBytes: 6143 },
  ],
])("%s", (_, rules, expected) => {
  expect(resolveBudget(rules)).toEqual(expected);
});
