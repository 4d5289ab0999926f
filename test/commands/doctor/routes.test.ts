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
  mkdirSync(join(home, ".claude"), { recursive: true });
  const hooks = [{ type: "command", command: "isthmos hook" }];
  const settings = { hooks: { PostToolUse: [{ ...(matcher !== undefined && { matcher }), hooks }] } };
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify(settings));
  writeFileSync(join(home, "rules.json"), JSON.stringify([rule]));
  const variables = { HOME: home, ISTHMOS_RULES: join(home, "rules.json"), ISTHMOS_STATE_DIR: home };
  const env = readEnv(
    variables,
    () => home,
    () => home,
  );
  return checkRoutes(gatherFacts(env, NOW)).some(({ level }) => level === "warning");
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
