// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  applyBatch,
  applyBoundary,
  applyFailure,
  applyResult,
  measureResult,
  openContext,
  PAYLOAD_MAX_BYTES,
  type Rewrites,
} from "../src/apply.ts";
import { applySplices } from "../src/core/splice.ts";
import { readEnv } from "../src/env.ts";
import { readHealth } from "../src/health.ts";
import type { ToolCall } from "../src/hosts/host.ts";
import { monotonicMs } from "../src/io.ts";
import { readRows } from "../src/measure/log.ts";
import { openStore } from "../src/store/vault.ts";

const SESSION = "5f0c6e1a-0000-4000-8000-000000000001";
const TEXT = Array.from({ length: 600 }, (_, i) => `line number ${i}\n`).join("");
const RULES = {
  rules: [
    { tool: "Bash", max_lines: 20 },
    { tool: "Keep", max_lines: 10_000 },
  ],
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-apply-"));
  mkdirSync(join(home, ".config/isthmos"), { recursive: true });
  writeRules(RULES);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const stateDir = (): string => join(home, ".local/state/isthmos");

function writeRules(rules: unknown): void {
  const text = typeof rules === "string" ? rules : JSON.stringify(rules);
  writeFileSync(join(home, ".config/isthmos/rules.json"), text);
}

function contextOf(variables: Record<string, string> = {}) {
  const env = readEnv({ HOME: home, ISTHMOS_BUDGET_MS: "60000", ...variables }, () => home);
  return openContext(env, "claude-code", monotonicMs());
}

function callOf(text: string, more: Partial<ToolCall> = {}): ToolCall {
  const region = { bytes: new TextEncoder().encode(text), cut: "any", content: "text" } as const;
  return {
    tool: "Bash",
    session: SESSION,
    useId: "use-1",
    regions: [region],
    spilled: false,
    own: false,
    ...more,
  };
}

function apply(call: ToolCall, variables: Record<string, string> = {}): Rewrites | undefined {
  const context = contextOf(variables);
  const outcome = applyResult(call, context);
  measureResult(call, outcome, context);
  return outcome.rewrites;
}

function rendered(call: ToolCall, rewrites: Rewrites | undefined): string {
  const [region] = call.regions;
  const [rewrite] = rewrites ?? [];
  if (region === undefined || rewrite === undefined) return "unchanged";
  return new TextDecoder().decode(applySplices(region.bytes, rewrite.splices, rewrite.id));
}

/** What the host reports of a call that went through whole, at the end of its turn. */
function deliver(call: ToolCall): void {
  const deliveries = call.regions.map(({ bytes }) => ({
    tool: call.tool,
    bytes,
    ...(call.useId && { useId: call.useId }),
  }));
  applyBatch(
    { kind: "batch", session: SESSION, ...(call.agent && { agent: call.agent }), deliveries },
    contextOf(),
  );
}

const rows = () => [...readRows({ stateDir: stateDir() })];
const codes = () => readHealth(stateDir()).map(({ code }) => code);

describe("applyResult", () => {
  it("C6: has stored what its marker cites when it answers", () => {
    const call = callOf(TEXT);
    const rewrites = apply(call);
    const id = rewrites?.[0]?.id ?? "";
    const { store } = contextOf().setup;
    expect(openStore(store).load(id)).toMatchObject({
      status: "ok",
      bytes: call.regions[0]?.bytes,
      tool: "Bash",
    });
    expect(rendered(call, rewrites)).toContain(`full: isthmos reveal ${id}]`);
    expect(rows()).toMatchObject([{ kind: "call", tool: "Bash", inBytes: TEXT.length, rules: [0] }]);
  });

  it.each([
    ["no rule matches", { tool: "Other" }],
    ["the result is our own (C10)", { own: true }],
    ["the host spills it", { spilled: true }],
    ["nothing is long enough", { tool: "Keep" }],
  ])("C3: changes nothing where %s, and counts it", (_, more) => {
    expect(apply(callOf(TEXT, more))).toBeUndefined();
    expect(rows()).toMatchObject([{ inBytes: TEXT.length, outBytes: TEXT.length }]);
    expect(readdirSync(stateDir())).toEqual(["measure.jsonl"]);
  });

  it("C10: leaves a text that was just revealed, whatever way it comes", () => {
    const call = callOf(TEXT);
    const id = apply(call)?.[0]?.id ?? "";
    const store = openStore(contextOf().setup.store);
    store.load(id);
    store.markRevealed(id);
    expect(apply(callOf(TEXT, { tool: "Bash", useId: "use-2" }))).toBeUndefined();
  });

  it("C1: delivers the original where the store fails, and leaves the reason", () => {
    mkdirSync(stateDir(), { recursive: true });
    writeFileSync(join(stateDir(), "store"), "in the way");
    expect(apply(callOf(TEXT))).toBeUndefined();
    expect(codes()).toHaveLength(1);
    expect(rows()).toMatchObject([{ inBytes: TEXT.length, outBytes: TEXT.length }]);
  });

  it("C15: leaves a result above the bound, and what takes too long", () => {
    const line = "some line of a log\n";
    expect(apply(callOf(line.repeat(Math.ceil(PAYLOAD_MAX_BYTES / line.length) + 1)))).toBeUndefined();
    expect(apply(callOf(TEXT), { ISTHMOS_BUDGET_MS: "0" })).toBeUndefined();
    expect(codes()).toEqual(["input_too_large", "budget"]);
  });

  it("measures in shadow mode and stores nothing", () => {
    expect(apply(callOf(TEXT), { ISTHMOS_SHADOW: "1" })).toBeUndefined();
    writeRules({ ...RULES, mode: "shadow" });
    expect(apply(callOf(TEXT))).toBeUndefined();
    const [first, second] = rows();
    expect(first).toMatchObject({ shadow: true, inBytes: TEXT.length });
    expect(second).toEqual({ ...first, ts: expect.any(Number), ms: expect.any(Number) });
    expect(readdirSync(stateDir())).toEqual(["measure.jsonl"]);
  });

  it("does and records nothing when it is off", () => {
    expect(apply(callOf(TEXT), { ISTHMOS_DISABLE: "1" })).toBeUndefined();
    writeRules({ ...RULES, mode: "off" });
    expect(apply(callOf(TEXT))).toBeUndefined();
    applyFailure({ kind: "failure", tool: "Bash", bytes: 10 }, contextOf());
    deliver(callOf(TEXT));
    expect(readdirSync(home)).toEqual([".config"]);
  });

  it("C1: works without rules where the file is broken, and says so", () => {
    writeRules("{");
    expect(apply(callOf(TEXT))).toBeUndefined();
    expect(codes()).toEqual(["rules_invalid"]);
  });

  it("C13: writes no text, session, argument or path into the log", () => {
    apply(callOf(TEXT));
    deliver(callOf(TEXT));
    const log = readFileSync(join(stateDir(), "measure.jsonl"), "utf8");
    expect(log).not.toMatch(/line number|5f0c6e1a|use-1/);
  });
});

describe("applyFailure", () => {
  it("counts what cannot be rewritten", () => {
    applyFailure({ kind: "failure", tool: "Bash", useId: "use-1", bytes: 77 }, contextOf());
    expect(rows()).toMatchObject([{ tool: "Bash", inBytes: 77, outBytes: 77, failure: true }]);
  });
});

describe("references to earlier results", () => {
  const START = { kind: "boundary", session: SESSION, starts: true } as const;
  const COMPACT = { kind: "boundary", session: SESSION, starts: false } as const;
  const keep = (more: Partial<ToolCall> = {}): ToolCall => callOf(TEXT, { tool: "Keep", ...more });
  const REFERENCE = /^\[isthmos: identical to an earlier Keep result in this session, 600 lines, full: /;

  function readTwice(first: ToolCall, between: () => void, second: ToolCall): string {
    apply(first);
    between();
    return rendered(second, apply(second));
  }

  it("C12: are made once the host has reported the first as delivered", () => {
    applyBoundary(START, contextOf());
    const said = readTwice(keep(), () => deliver(keep()), keep({ useId: "use-2" }));
    expect(said).toMatch(REFERENCE);
    const id = said.slice(-17, -1);
    expect(openStore(contextOf().setup.store).load(id).status).toBe("ok");
  });

  const second = (more: Partial<ToolCall> = {}): ToolCall => keep({ useId: "use-2", ...more });
  const other = new TextEncoder().encode(TEXT.replace("line number 7", "line number 8"));
  it.each<[string, () => void, ToolCall]>([
    ["in the same turn", () => {}, second()],
    ["where another call was delivered", () => deliver(keep({ useId: "use-9" })), second()],
    [
      "after a compaction",
      () => {
        deliver(keep());
        applyBoundary(COMPACT, contextOf());
      },
      second(),
    ],
    [
      "after a resume, clear or fork",
      () => {
        deliver(keep());
        applyBoundary(START, contextOf());
      },
      second(),
    ],
    ["for a sub-agent", () => deliver(keep()), second({ agent: "a1" })],
    ["in another session", () => deliver(keep()), second({ session: "another" })],
    ["where the model sees other line numbers", () => deliver(keep()), second({ referable: false })],
    ["for another tool", () => deliver(keep()), callOf(TEXT, { tool: "Bash", useId: "use-2" })],
    [
      "for other bytes",
      () => deliver(keep()),
      second({ regions: [{ bytes: other, cut: "any", content: "text" }] }),
    ],
    ["where the host delivered something else", () => deliver(callOf("preview", { tool: "Keep" })), second()],
  ])("C12: are not made %s", (_, between, call) => {
    applyBoundary(START, contextOf());
    expect(readTwice(keep(), between, call)).not.toMatch(/identical to an earlier/);
  });

  it("C12: are not made in a session whose start was not seen, nor when they are turned off", () => {
    expect(readTwice(keep(), () => deliver(keep()), second())).toBe("unchanged");
    applyBoundary(START, contextOf());
    apply(keep());
    deliver(keep());
    expect(apply(second(), { ISTHMOS_NO_DEDUP: "1" })).toBeUndefined();
    expect(rendered(second(), apply(second()))).toMatch(REFERENCE);
  });

  it("C12: are not made of a result that was cut", () => {
    applyBoundary(START, contextOf());
    const first = callOf(TEXT);
    const said = readTwice(first, () => deliver(first), callOf(TEXT, { useId: "use-2" }));
    expect(said).toMatch(/580 of 600 lines truncated/);
  });
});
