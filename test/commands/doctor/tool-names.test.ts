// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { sampleNames } from "../../../src/commands/doctor/tool-names.ts";
import { compileGlob } from "../../../src/core/rules/glob.ts";

it.each([
  ["Bash", ["Bash"]],
  ["", [""]],
  ["{Read,Write}", ["Read", "Write"]],
  ["mcp__a__*", ["mcp__a__", "mcp__a__x", "mcp__a__list_issues", "mcp__a__mcp__x__"]],
  ["Web[FS]e?ch", ["WebSexch"]],
  ["[^a-z]", ["_"]],
  ["a\\*b", ["a*b"]],
  ["mcp__[", []],
])("%j", (pattern, names) => {
  const sampled = sampleNames(pattern);
  expect(sampled.filter((name) => !compileGlob(pattern)(name))).toEqual([]);
  expect(sampled.toSorted()).toEqual(pattern.startsWith("Web") ? [expect.any(String)] : names.toSorted());
});
