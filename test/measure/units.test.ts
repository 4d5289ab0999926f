// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { formatBytes, formatCount, formatShare } from "../../src/measure/units.ts";

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 KB"],
    [1001, "1.0 KB"],
    [999_949, "999.9 KB"],
    [999_950, "1.0 MB"],
    [51_234, "51.2 KB"],
    [-1_440_000, "-1.4 MB"],
    [-999, "-999 B"],
    [2.5e9, "2.5 GB"],
    [7e16, "70000.0 TB"],
  ])("%d is %s", (bytes, expected) => {
    expect(formatBytes(bytes)).toBe(expected);
  });
});

describe("formatShare", () => {
  it.each([
    [1, 3, "33.3%"],
    [-1, 4, "-25.0%"],
    [0, 4, "0.0%"],
    [-1, 1_000_000, "0.0%"],
    [0, 0, "-"],
  ])("%d of %d is %s", (part, whole, expected) => {
    expect(formatShare(part, whole)).toBe(expected);
  });
});

describe("formatCount", () => {
  it.each([
    [0, "0 rows"],
    [1, "1 row"],
    [2, "2 rows"],
  ])("%d", (count, expected) => {
    expect(formatCount(count, "row")).toBe(expected);
  });
});
