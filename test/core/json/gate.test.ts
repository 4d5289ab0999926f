// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canPrune } from "../../../src/core/json/gate.ts";
import { DOCUMENT, encode, policyOf, prune } from "./support.ts";

const LONG = "x".repeat(100);

describe("canPrune", () => {
  it.each<[string, Parameters<typeof policyOf>[0], boolean]>([
    ['{"a":1}', {}, false],
    ['{"node_id":1}', { dropKeys: ["node_id"] }, true],
    ['{"id":1}', { dropKeys: ["node_id"] }, false],
    // Spelled with escapes, in a string, by a pattern.
    ['{"n\\u006fde_id":1}', { dropKeys: ["node_id"] }, true],
    ['{"a\\/b":1}', { dropKeys: ["a/b"] }, true],
    ['{"t":"{\\"node_id\\":1}"}', { dropKeys: ["node_id"] }, true],
    ['{"html_url":1}', { dropKeys: ["*_url"] }, true],
    ['{"html":1}', { dropKeys: ["*_url"] }, false],
    ['{"html":1}', { dropKeys: ["x", "h*l"] }, true],
    ['{"x":1}', { dropKeys: ["*"] }, true],
    ['{"x":1}', { dropKeys: ["{a,b}"] }, true],
    ['{"x":1}', { dropKeys: ["[ab]"] }, true],
    // Commas of three and of two items.
    [`["${LONG}","b","c"]`, { maxItems: 2 }, true],
    [`["${LONG}","b"]`, { maxItems: 2 }, false],
    ['["a","b","c"]', { maxItems: 2 }, false],
    [`"${LONG}"`, { maxStr: 20 }, true],
    [`"${LONG}"`, { maxStr: 100 }, false],
    [`"${"a\\n".repeat(50)}"`, { maxLines: 10 }, true],
    [`"${"a\\n".repeat(50)}"`, { maxLines: 100 }, false],
    [`"${LONG}"`, { maxLines: 10 }, false],
    [`"${"a\\n".repeat(50)}"`, { dedup: true }, true],
    [`"${LONG}"`, { dedup: true }, false],
    ['{"a":1}', { compact: true }, true],
  ])("%s under %j: %s", (text, policy, expected) => {
    expect(canPrune(encode(text), policyOf(policy))).toBe(expected);
  });

  it("never keeps a document from a cut", () => {
    let cut = 0;
    let refused = 0;
    const policy = fc.record({
      dropKeys: fc.constantFrom([], ["node_id"], ["*_url", "absent"], ["absent"]),
      maxItems: fc.constantFrom(0, 3, 12, 200),
      maxStr: fc.constantFrom(0, 40, 150),
      maxLines: fc.constantFrom(0, 5, 100),
      dedup: fc.boolean(),
    });
    fc.assert(
      fc.property(DOCUMENT, policy, (text, part) => {
        const changed = prune(text, part).splices.length > 0;
        if (changed) cut++;
        if (canPrune(encode(text), policyOf(part))) return;
        refused++;
        expect(changed).toBe(false);
      }),
      { numRuns: 150 },
    );
    expect([cut > 40, refused > 0]).toEqual([true, true]);
  });
});
