// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  conditionAllows,
  isValidMatcher,
  matcherMatches,
  matchersOverlap,
  mayMatchServerTool,
} from "../../../src/hosts/claude-code/matcher.ts";

const TOOLS = ["Bash", "Read", "Edit", "mcp__tiny__text", "mcp__tiny__reveal"];
const MCP = ["mcp__tiny__text", "mcp__tiny__reveal"];
const firesFor = (matcher: string | undefined) => TOOLS.filter((tool) => matcherMatches(matcher, tool));

describe("matcherMatches, as seen with the client", () => {
  it.each([
    ["", TOOLS],
    ["*", TOOLS],
    [undefined, TOOLS],
    [".*", TOOLS],
    ["Bash", ["Bash"]],
    ["bash", []],
    ["Ba", []],
    ["ead", []],
    ["mcp__tiny", []],
    ["Bash|Read", ["Bash", "Read"]],
    ["Bash,Read", ["Bash", "Read"]],
    ["Bash, Read", ["Bash", "Read"]],
    ["Bash |Read", ["Bash", "Read"]],
    ["mcp__.*", MCP],
    ["mcp__tiny__.*", MCP],
    ["mcp__*", MCP],
    ["mcp__tiny__*", MCP],
    ["Bas.", ["Bash"]],
    ["^Bash$", ["Bash"]],
    ["R.*d", ["Read"]],
    ["mcp__.*|Read|Bash|WebFetch|Grep", ["Bash", "Read", ...MCP]],
    ["^(?!mcp__tiny__reveal).*", ["Bash", "Read", "Edit", "mcp__tiny__text"]],
    ["[", []],
    ["Bash(echo *)", []],
    ["!Bash", []],
    ["ea.", ["Read", "mcp__tiny__reveal"]],
    ["tiny__.*", MCP],
    ["h$", ["Bash"]],
    ["ead|B.*", ["Bash", "Read"]],
    ["(?i)bash", []],
    ["^(Read|Bash|mcp__.*)$", ["Bash", "Read", ...MCP]],
    ["|", []],
    [" ", []],
  ])("%j fires for %j", (matcher, tools) => {
    expect(firesFor(matcher)).toEqual(tools);
  });

  it("an unanchored expression fires for a longer name", () => {
    expect(matcherMatches("Read|mcp__.*", "ReadX")).toBe(true);
    expect(matcherMatches("^(Read|mcp__.*)$", "ReadX")).toBe(false);
  });

  it("C15: looks at 200 characters of a name", () => {
    expect(matcherMatches("x$", `${"a".repeat(199)}x`)).toBe(true);
    expect(matcherMatches("x$", `${"a".repeat(200)}x`)).toBe(false);
  });
});

describe("isValidMatcher", () => {
  it.each([
    ["", true],
    ["*", true],
    ["Bash|Read", true],
    ["mcp__.*", true],
    ["[", false],
    ["(?i)bash", false],
    ["**", false],
  ])("%j: %s", (matcher, expected) => {
    expect(isValidMatcher(matcher)).toBe(expected);
  });
});

describe("matchersOverlap", () => {
  it.each([
    [undefined, "", true],
    ["Bash", "*", true],
    ["Bash", "Read", false],
    ["^(Read|Bash|mcp__.*)$", "Bash", true],
    ["mcp__.*", "mcp__github__list_issues", true],
    ["mcp__.*", "^mcp__github__.*$", true],
    ["mcp__github__.*", "mcp__linear__.*", false],
    ["[", "*", false],
  ])("%j and %j: %s", (one, other, expected) => {
    expect(matchersOverlap(one, other, ["Bash", "Read"])).toBe(expected);
    expect(matchersOverlap(other, one, ["Bash", "Read"])).toBe(expected);
  });
});

it.each<[string | undefined, string, boolean]>([
  [undefined, "Bash", true],
  ["Bash(git *)", "Bash", true],
  ["Bash(git *)", "Read", false],
  ["Bash", "Bash", true],
  ["bash(*)", "Bash", false],
  ["mcp__tiny__text", "mcp__tiny__text", true],
  ["mcp__tiny", "mcp__tiny__text", false],
  ["mcp__tiny__*", "mcp__tiny__text", true],
  ["Edit(*.ts)", "Write", true],
])("condition %j lets a hook start for %j: %j", (condition, tool, expected) => {
  expect(conditionAllows(condition, tool)).toBe(expected);
});

it.each([
  ["mcp__tiny__text", true],
  ["Bash, mcp__a__b", true],
  ["mcp__tiny", false],
  ["mcp__tiny__", false],
  ["^mcp__git.*__get", true],
  ["mcp__[", false],
  ["bash", false],
])("%j may be meant for a tool that nobody can list: %j", (matcher, expected) => {
  expect(mayMatchServerTool(matcher)).toBe(expected);
});
