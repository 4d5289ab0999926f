// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { isSpilled, isTokenLimitNotice } from "../../../src/hosts/claude-code/spill.ts";
import type { Region } from "../../../src/hosts/host.ts";

const region = (text: string): Region => ({
  bytes: new TextEncoder().encode(text),
  cut: "any",
  content: "text",
});

describe("isSpilled", () => {
  it.each([
    ["Bash", 30_000],
    ["Grep", 20_001],
    ["mcp__a__b", 50_001],
  ])("C2: %s from %i characters", (tool, from) => {
    // Characters of one, two, three and four bytes; the last is two UTF-16 units.
    for (const [unit, width] of [
      ["a", 1],
      ["é", 1],
      ["€", 1],
      ["😀", 2],
    ] as const) {
      const text = unit.repeat(Math.ceil(from / width) - 1) + "a".repeat((from + width - 1) % width);
      const below = "a".repeat(Math.max(0, from - 1 - text.length)) + text;
      expect(below.length).toBe(from - 1);
      expect(isSpilled(tool, [region(below)]), unit).toBe(false);
      expect(isSpilled(tool, [region(`${below}a`)]), unit).toBe(true);
      expect(isSpilled(tool, [region(`${below}aa`)]), unit).toBe(true);
    }
  });

  it("several regions count in sum, with the line feed between two", () => {
    expect(isSpilled("mcp__a__b", [region("a".repeat(25_000)), region("b".repeat(24_999))])).toBe(false);
    expect(isSpilled("mcp__a__b", [region("a".repeat(25_000)), region("b".repeat(25_000))])).toBe(true);
  });

  it.each(["Read", "Glob", "WebFetch", "Unknown"])("%s never", (tool) => {
    expect(isSpilled(tool, [region("a".repeat(400_000))])).toBe(false);
  });

  it("nothing is not spilled", () => {
    expect(isSpilled("Bash", [])).toBe(false);
  });
});

describe("isTokenLimitNotice", () => {
  it.each([
    [
      "Error: result (122,681 characters across 1 line) exceeds maximum allowed tokens. Output has been",
      true,
    ],
    ["Error: result (9 characters) is odd", false],
    ["  Error: result (1 characters across 1 line) exceeds maximum allowed tokens.", false],
    [`Error: result (${"x".repeat(300)}) exceeds maximum allowed tokens.`, false],
    ["", false],
  ])("%j: %s", (text, expected) => {
    expect(isTokenLimitNotice(new TextEncoder().encode(text))).toBe(expected);
  });
});
