// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { normaliseFlags, parseDuration, parseRange } from "../src/argv.ts";

describe("normaliseFlags", () => {
  it.each([
    ["a Go-style flag", ["-tool", "Bash"], ["--tool", "Bash"]],
    ["with its value", ["-since=7d"], ["--since=7d"]],
    ["a double dash", ["--tool", "Bash"], ["--tool", "Bash"]],
    ["a letter flag", ["-h"], ["-h"]],
    ["a negative number", ["-5"], ["-5"]],
    ["a lone dash", ["-"], ["-"]],
    ["after the end of flags", ["--", "-tool"], ["--", "-tool"]],
  ])("takes %s", (_, args, expected) => {
    expect(normaliseFlags(args)).toEqual(expected);
  });
});

describe("parseDuration", () => {
  it.each([
    ["168h", 168 * 3_600_000],
    ["7d", 7 * 86_400_000],
    ["2w", 14 * 86_400_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["90s", 90_000],
    ["250ms", 250],
    ["0s", 0],
  ])("reads %s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "7", "h", "7 d", "-7d", "7y", "1h30", "1e3s", "٣h"])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe("parseRange", () => {
  it.each([
    ["21:380", { from: 21, to: 380 }],
    ["21-380", { from: 21, to: 380 }],
    ["0:0", { from: 0, to: 0 }],
  ])("reads %s", (text, range) => {
    expect(parseRange(text)).toEqual(range);
  });

  it.each(["", "5", "9:3", "-1:3", "a:b", "1:2:3", "1:", ":2", "1.5:2"])("refuses %j", (text) => {
    expect(parseRange(text)).toBeUndefined();
  });
});
