// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compileRule,
  type Policy,
  type Rule,
  resolvePolicy,
  tailCount,
} from "../../../src/core/rules/policy.ts";

const plain: Rule = {
  tool: "*",
  dropKeys: [],
  dedup: false,
  compact: false,
  stripAnsi: false,
  collapseCr: false,
  spilled: "pass",
  pass: false,
};
const none: Policy = {
  rules: [0],
  dropKeys: [],
  maxItems: 0,
  maxLines: 0,
  keepLast: undefined,
  maxStr: 0,
  budget: undefined,
  dedup: false,
  compact: false,
  stripAnsi: false,
  collapseCr: false,
  spilled: "pass",
};

function resolve(rules: readonly Partial<Rule>[], tool = "Bash", bytes = 1000): Policy | undefined {
  const compiled = rules.map((rule, index) => compileRule({ ...plain, ...rule }, index));
  return resolvePolicy(compiled, tool, bytes);
}

describe("resolvePolicy", () => {
  it.each<[string, Partial<Rule>[], Partial<Policy> | undefined]>([
    ["no rules", [], undefined],
    ["C3: no rule of this tool", [{ tool: "Read", maxLines: 5 }], undefined],
    ["a rule that sets nothing", [{}], {}],
    [
      "positions ascend",
      [{ tool: "Read" }, { maxLines: 3 }, { maxStr: 9 }],
      { rules: [1, 2], maxLines: 3, maxStr: 9 },
    ],
    [
      "keys add up, once each",
      [{ dropKeys: ["b", "a"] }, { dropKeys: ["c", "a"] }],
      { rules: [0, 1], dropKeys: ["a", "b", "c"] },
    ],
    [
      "the strictest limit wins",
      [{ maxItems: 9, maxStr: 1 }, { maxItems: 3 }, { maxStr: 2 }],
      { rules: [0, 1, 2], maxItems: 3, maxStr: 1 },
    ],
    ["a limit of 0 is none", [{ maxLines: 0 }, { maxLines: 7 }], { rules: [0, 1], maxLines: 7 }],
    [
      "the largest keep_last wins",
      [{ keepLast: 2 }, { keepLast: 80 }, {}],
      { rules: [0, 1, 2], keepLast: 80 },
    ],
    ["keep_last 0 is said, not absent", [{ keepLast: 0 }], { keepLast: 0 }],
    ["keep_last 0 gives way", [{ keepLast: 0 }, { keepLast: 1 }], { rules: [0, 1], keepLast: 1 }],
    [
      "flags add up",
      [{ dedup: true }, { compact: true }, { spilled: "excerpt" }],
      { rules: [0, 1, 2], dedup: true, compact: true, spilled: "excerpt" },
    ],
    [
      "clean-ups add up",
      [{ stripAnsi: true }, { collapseCr: true }],
      { rules: [0, 1], stripAnsi: true, collapseCr: true },
    ],
    ["pass wins over all", [{ maxLines: 1 }, { pass: true }], undefined],
    ["pass of another tool", [{ maxLines: 1 }, { tool: "Read", pass: true }], { maxLines: 1 }],
    ["pass at any size", [{ maxLines: 1 }, { pass: true, minBytes: 1_000_000 }], undefined],
    ["one byte below min_bytes", [{ maxLines: 1, minBytes: 1001 }], undefined],
    ["exactly min_bytes", [{ maxLines: 1, minBytes: 1000 }], { maxLines: 1 }],
    ["above min_bytes", [{ maxLines: 1, minBytes: 999 }], { maxLines: 1 }],
    [
      "each rule has its own min_bytes",
      [{ maxLines: 1, minBytes: 5000 }, { maxLines: 8 }],
      { rules: [1], maxLines: 8 },
    ],
  ])("%s", (_, rules, expected) => {
    expect(resolve(rules)).toEqual(expected && { ...none, ...expected });
  });

  it("a rule keeps its number when others were left out", () => {
    expect(resolvePolicy([compileRule(plain, 4), compileRule(plain, 2)], "x", 0)?.rules).toEqual([2, 4]);
  });

  it("C3: a tool pattern that cannot be used matches no tool", () => {
    expect(resolve([{ tool: "a[" }], "a[")).toBeUndefined();
  });

  it("C11: the order of rules makes no difference", () => {
    const limit = fc.option(fc.nat(5), { nil: undefined });
    const rule = fc
      .record({
        tool: fc.constantFrom("*", "Bash", "B*", "Read", "{Bash,Read}"),
        dropKeys: fc.array(fc.constantFrom("a", "b", "*_c")),
        maxItems: limit,
        maxLines: limit,
        keepLast: limit,
        maxStr: limit,
        maxBytes: fc.option(fc.constantFrom(1000, 1001), { nil: undefined }),
        headBytes: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        tailBytes: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        profile: fc.option(fc.constant("sutra" as const), { nil: undefined }),
        minBytes: fc.option(fc.nat(20), { nil: undefined }),
        dedup: fc.boolean(),
        compact: fc.boolean(),
        spilled: fc.constantFrom("pass" as const, "excerpt" as const),
        pass: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      })
      .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));
    let resolved = 0;
    fc.assert(
      fc.property(
        fc
          .array(rule, { minLength: 1, maxLength: 6 })
          .map((rules) => rules.map((fields, index) => compileRule({ ...plain, ...fields }, index)))
          .chain((rules) =>
            fc.tuple(
              fc.constant(rules),
              fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length }),
            ),
          ),
        fc.nat(25),
        ([rules, shuffled], bytes) => {
          const policy = resolvePolicy(rules, "Bash", bytes);
          if (policy !== undefined) resolved++;
          expect(resolvePolicy(shuffled, "Bash", bytes)).toEqual(policy);
        },
      ),
      { numRuns: 500 },
    );
    expect(resolved).toBeGreaterThan(150);
  });
});

it.each<[number, number | undefined, "lines" | "items", number]>([
  [1, undefined, "lines", 0],
  [3, undefined, "lines", 0],
  [4, undefined, "lines", 1],
  [5, undefined, "lines", 1],
  [400, undefined, "lines", 100],
  [1, undefined, "items", 0],
  [400, undefined, "items", 0],
  [10, 0, "lines", 0],
  [10, 8, "lines", 8],
  [10, 9, "items", 9],
  [10, 10, "items", 9],
  [10, 11, "lines", 9],
  [1, 5, "items", 0],
])("tailCount(%i, %s, %s) = %i", (limit, keepLast, kind, expected) => {
  expect(tailCount(limit, keepLast, kind)).toBe(expected);
});
