// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { gatherFacts } from "../../../src/commands/doctor/facts.ts";
import { checkRoutes } from "../../../src/commands/doctor/routes.ts";
import { readEnv } from "../../../src/env.ts";
import { appendRow } from "../../../src/measure/log.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const DAY_MS = 24 * 3_600_000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-routes-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function isDead(rule: object, matcher: string | undefined): boolean {
  return check([rule], [matcher]).some(({ level }) => level !== "ok");
}

/** What is said of hooks on results, each with a matcher, or a matcher and more. */
function check(
  rules: readonly object[],
  groups: readonly (string | undefined | readonly [matcher: string, more: object])[],
  more: object = {},
) {
  mkdirSync(join(home, ".claude"), { recursive: true });
  const PostToolUse = groups.map((group) => {
    const [matcher, hook] = Array.isArray(group) ? group : [group, {}];
    const hooks = [{ type: "command", command: "isthmos hook", ...hook }];
    return { ...(matcher !== undefined && { matcher }), hooks };
  });
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks: { PostToolUse }, ...more }));
  writeFileSync(join(home, "rules.json"), JSON.stringify(rules));
  const variables = { HOME: home, ISTHMOS_RULES: join(home, "rules.json"), ISTHMOS_STATE_DIR: home };
  const env = readEnv(
    variables,
    () => home,
    () => home,
  );
  return checkRoutes(gatherFacts(env, NOW));
}

it.each<[string, string | undefined, boolean]>([
  ["Bash", "Bash", false],
  ["Bash", "Read, Bash", false],
  ["Bash", "bash", true],
  ["Bash", "Ba", true],
  ["Bash", "Ba.", false],
  ["Bash", undefined, false],
  ["Bash", "", false],
  ["Bash", "*", false],
  ["Bash", "[", true],
  ["*", "Bash", false],
  ["{Grep,Glob}", "Glob", false],
  ["Web*", "^(WebFetch)$", false],
  ["mcp__github__*", "mcp__github", true],
  ["mcp__github__*", "mcp__github__.*", false],
  ["mcp__github__*", "mcp__.*", false],
  ["mcp__github__*", "mcp__github__get_me", false],
  ["mcp__git-hub__*", "Bash|mcp__git-hub__special", false],
  ["*issues*", "mcp__.*", false],
  ["*issues*", "Bash", true],
  ["ReadX", "Read|mcp__.*", false],
  ["ReadX", "^(Read|mcp__.*)$", true],
])("rule %j, matcher %j: dead %j", (tool, matcher, expected) => {
  expect(isDead({ tool, max_lines: 9 }, matcher)).toBe(expected);
});

it.each([
  [29, false],
  [31, true],
])("a name of the log counts for %i days", (days, dead) => {
  const ts = NOW - days * DAY_MS;
  appendRow(home, {
    ...{ kind: "call", ts, tool: "mcp__a__odd-name", inBytes: 1, outBytes: 1, host: "claude-code" },
  });
  expect(isDead({ tool: "mcp__a__*", max_lines: 9 }, "odd.name$")).toBe(dead);
});

const CLOSED = "no PostToolUse matcher lets any known tool through";

it.each<[string, Parameters<typeof check>[1], boolean]>([
  ["no regular expression", ["["], true],
  ["a name in the wrong case", ["bash"], true],
  ["the name of a server alone", ["mcp__github"], true],
  ["two that fire for nothing", ["[", "bash"], true],
  ["one of two", ["[", "Bash"], false],
  ["none, so all tools", [undefined], false],
  ["a tool of a server", ["mcp__github__get_me"], false],
  ["tools of servers", ["^mcp__git.*__get_"], false],
  ["a condition for another tool", [["Read", { if: "Bash(git *)" }]], true],
  ["a condition for that tool", [["Bash", { if: "Bash(nothing *)" }]], false],
  ["an asynchronous hook for the rest", ["bash", ["*", { async: true }]], true],
  ["an asynchronous hook alone", [["*", { async: true }]], false],
])("whether anything can be changed: %s", (_, groups, isClosed) => {
  for (const rules of [[], [{ tool: "*", max_lines: 9 }]]) {
    const found = check(rules, groups).map(({ level, message }) => `${level} ${message}`);
    expect(found.some((line) => line.startsWith(`broken ${CLOSED}`))).toBe(isClosed);
  }
});

it("a plugin has matchers of its own", () => {
  const found = check([], ["bash"], { enabledPlugins: { "isthmos@market": true } });
  expect(found).toMatchObject([{ level: "warning", message: `${CLOSED} (bash): nothing is ever changed` }]);
});

it("a tool that was seen counts", () => {
  appendRow(home, {
    ...{ kind: "call", ts: NOW, tool: "NewTool", inBytes: 1, outBytes: 1, host: "claude-code" },
  });
  expect(check([], ["NewTool"])).toEqual([]);
});
