// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCalls, checkReveals } from "../../../src/commands/doctor/calls.ts";
import { type Facts, gatherFacts } from "../../../src/commands/doctor/facts.ts";
import { checkFailures } from "../../../src/commands/doctor/failures.ts";
import { RECENT_MS } from "../../../src/commands/doctor/finding.ts";
import { readEnv } from "../../../src/env.ts";
import { appendLine } from "../../../src/files.ts";
import { appendRow } from "../../../src/measure/log.ts";
import type { CallRow } from "../../../src/measure/row.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-calls-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function facts(): Facts {
  const variables = { HOME: home, ISTHMOS_STATE_DIR: home };
  const env = readEnv(
    variables,
    () => home,
    () => home,
  );
  return gatherFacts(env, NOW);
}

function call(count: number, more: Partial<CallRow> = {}): void {
  for (let i = 0; i < count; i++) {
    const sizes = { inBytes: 0, outBytes: 0 };
    appendRow(home, { kind: "call", ts: NOW, tool: "Bash", host: "claude-code", ...sizes, ...more });
  }
}

function reveal(count: number, ts = NOW): void {
  for (let i = 0; i < count; i++) appendRow(home, { kind: "reveal", ts, tool: "Bash", revealed: 1 });
}

describe("only empty payloads", () => {
  const isBroken = () => checkCalls(facts()).some(({ level }) => level === "broken");

  it.each([
    [4, false],
    [5, true],
    [6, true],
  ])("%i calls", (count, broken) => {
    call(count);
    expect(isBroken()).toBe(broken);
  });

  it.each<[string, Partial<CallRow>]>([
    ["one with text", { inBytes: 1, outBytes: 1 }],
    ["a tool without text", { tool: "Write" }],
    ["a failure", { failure: true }],
    ["another host", { host: "other" }],
    ["a pipe", { host: undefined }],
    ["before the period", { ts: NOW - RECENT_MS - 1 }],
  ])("four and %s", (_, more) => {
    call(4);
    call(1, more);
    expect(isBroken()).toBe(false);
  });

  it("four and one at the period's beginning", () => {
    call(4);
    call(1, { ts: NOW - RECENT_MS });
    expect(isBroken()).toBe(true);
  });
});

describe("reveals piling up", () => {
  it.each([
    [4, 1, false],
    [5, 1, true],
    [5, 0, true],
    [5, 25, true],
    [5, 26, false],
    [6, 30, true],
  ])("%i reveals of %i changed results: %j", (reveals, changed, piling) => {
    call(changed, { inBytes: 9, outBytes: 5 });
    call(40, { inBytes: 9, outBytes: 5, shadow: true });
    call(40, { inBytes: 9, outBytes: 9 });
    reveal(reveals);
    expect(checkReveals(facts())).toHaveLength(piling ? 1 : 0);
  });

  it("counts only the last days", () => {
    reveal(4);
    reveal(3, NOW - RECENT_MS - 1);
    expect(checkReveals(facts())).toEqual([]);
  });
});

it.each([
  [-1, "ok"],
  [0, "warning"],
  [1, "warning"],
])("failures: %i ms after the period's beginning", (ms, level) => {
  const ts = new Date(NOW - RECENT_MS + ms).toISOString();
  appendLine(join(home, "health.jsonl"), JSON.stringify({ ts, code: "internal" }));
  expect(checkFailures(facts())).toMatchObject([{ level }]);
});

it("says nothing of calls where nothing is measured or the log cannot be read", () => {
  call(5);
  const found = facts();
  expect(checkCalls({ ...found, setup: { ...found.setup, mode: "off" } })).toEqual([]);
  expect(checkCalls({ ...found, traffic: { ...found.traffic, problem: "EIO" } })).toEqual([]);
});
