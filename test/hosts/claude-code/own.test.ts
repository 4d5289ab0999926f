// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { isOwn } from "../../../src/hosts/claude-code/own.ts";

describe("isOwn", () => {
  it.each([
    ["Bash", { command: "sed -n 1,200p /home/dev/.claude/projects/p/s/tool-results/b1.txt" }, true],
    ["Read", { path: "/home/dev/.claude/projects/p/s/tool-results/toolu_1.txt" }, true],
    ["Read", { path: "C:\\Users\\dev\\.claude\\projects\\p\\s\\tool-results\\b1.txt" }, true],
    ["Read", { path: "/srv/tool-results.md" }, false],
    ["Bash", { command: "ls /srv/tool-results" }, false],
    ["Bash", {}, false],
    ["Other", { command: "isthmos reveal x" }, false],
  ])("C10: %s %j: %s", (tool, input, expected) => {
    expect(isOwn(tool, input)).toBe(expected);
  });
});
