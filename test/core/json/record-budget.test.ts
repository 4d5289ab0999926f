// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { compress } from "../../../src/core/compress.ts";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import { budgetOf } from "../../../src/core/rules/budget.ts";
import { applySplices } from "../../../src/core/splice.ts";
import { decode, encode, policyOf } from "./support.ts";

/** 2,000 records, of which number `at` fails and holds about `size` bytes, in one string or in numbers. */
function log(at: number, size: number, isString = true): string {
  const rest = isString ? { msg: `zqA ${"x".repeat(size)}` } : { msg: "zqA", v: Array(size >> 1).fill(1) };
  return Array.from({ length: 2000 }, (_, i) =>
    JSON.stringify(i === at ? { i, level: "error", ...rest } : { i, level: "info", msg: `m${i}` }),
  ).join("\n");
}

function cut(text: string, maxBytes: number): string {
  const bytes = encode(text);
  const { splices } = compress(
    { bytes, cut: "any", content: "text" },
    policyOf({ budget: budgetOf(maxBytes) }),
    {
      tool: "t",
      seen: false,
      stored: new Set(),
      lossy: true,
    },
  );
  return decode(applySplices(bytes, splices, EXAMPLE_ID));
}

describe("C9: the one failing record under max_bytes", () => {
  it.each([
    [1500, 250],
    [4000, 1000],
    [8000, 3000],
    [20_000, 8000],
  ])("of %i: is shown whole with %i bytes", (maxBytes, size) => {
    for (const isString of [true, false]) {
      for (const at of [0, 40, 100, 900, 1999]) {
        const text = log(at, size, isString);
        const out = cut(text, maxBytes);
        expect(encode(out).length).toBeLessThanOrEqual(maxBytes);
        expect(out.split("\n")).toContain(text.split("\n")[at]);
        expect(out).not.toContain("of them failing");
      }
    }
  });

  it.each([
    [1500, 900],
    [1500, 8000],
    [4000, 8000],
    [20_000, 100_000],
  ])("of %i: is shown with its string elided, of %i bytes", (maxBytes, size) => {
    for (const at of [100, 900]) {
      const out = cut(log(at, size), maxBytes);
      expect(encode(out).length).toBeLessThanOrEqual(maxBytes);
      expect(out).toMatch(
        new RegExp(`"msg":"zqA x+\\[isthmos: \\d+ bytes truncated, bytes \\d+-\\d+, field /${at}/msg`),
      );
    }
  });

  it.each([
    [256, 1000],
    [1500, 8000],
    [4000, 8000],
  ])("of %i: is counted where it cannot be shown, of %i bytes", (maxBytes, size) => {
    const out = cut(log(900, size, false), maxBytes);
    expect(encode(out).length).toBeLessThanOrEqual(maxBytes);
    expect(out).toContain(" lines truncated, 1 of them failing, lines ");
  });
});
