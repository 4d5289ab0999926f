// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { DEFAULT_MATCHER } from "../../../../src/hosts/claude-code/install/hooks.ts";
import { joinMatchers } from "../../../../src/hosts/claude-code/install/join-matchers.ts";
import { matcherMatches } from "../../../../src/hosts/claude-code/matcher.ts";

const TOOLS = ["Bash", "Read", "Edit", "BashX", "xBash", "mcp__a__b", "mcp__b__c", "Grep"];

describe("joinMatchers", () => {
  it.each([
    [[], undefined],
    [["Bash"], "Bash"],
    [["Bash", "Bash"], "Bash"],
    [["("], undefined],
    [["(", "Bash"], "Bash"],
    [["Bash", undefined], "*"],
    [["Bash", ""], "*"],
    [["*", "Bash"], "*"],
    [["Bash, Read", "^mcp__.*$", DEFAULT_MATCHER], DEFAULT_MATCHER],
    [["Bash", "^mcp__.*$"], "^(?:Bash)$|(?:^mcp__.*$)"],
    [["(a)\\1", "Bash"], "*"],
    [["(?<x>a)", "(?<x>b)b", "(?<x>c)\\k<x>"], "*"],
  ])("%j → %j", (matchers, expected) => expect(joinMatchers(matchers)).toBe(expected));

  it.each([
    ["Bash", "^mcp__.*$"],
    ["Bash,Read", "mcp__a|Grep$"],
    [DEFAULT_MATCHER, "Edit"],
    [DEFAULT_MATCHER, "Edit|Write"],
    ["B.sh", "a|b"],
  ])("%j and %j: fires for the tools of both, and no others", (one, other) => {
    const joined = joinMatchers([one, other]);
    for (const tool of TOOLS) {
      const wanted = matcherMatches(one, tool) || matcherMatches(other, tool);
      expect(matcherMatches(joined, tool), tool).toBe(wanted);
    }
    expect(joinMatchers([joined])).toBe(joined);
  });
});
