// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, type StatsArgs } from "../../src/commands/stats.ts";
import { readEnv } from "../../src/env.ts";
import { appendRow, logFile } from "../../src/measure/log.ts";
import type { CallRow, Row } from "../../src/measure/row.ts";

const NOW = new Date("2026-11-30T12:00:00Z");
const HOUR_MS = 3_600_000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-stats-"));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

async function stats(args: StatsArgs = {}, isTerminal = false, variables: Record<string, string> = {}) {
  const out: string[] = [];
  const io = { stdout: (data: string | Uint8Array) => void out.push(data.toString()), isTerminal, now: NOW };
  const code = await run(
    args,
    readEnv({ HOME: home, ISTHMOS_STATE_DIR: home, ...variables }, () => home),
    io,
  );
  return { code, out: out.join("") };
}

const log = (...rows: Row[]) => {
  for (const row of rows) appendRow(home, row);
};
const called = (tool: string, inBytes: number, outBytes: number, more: Partial<CallRow> = {}): CallRow => ({
  ...{ kind: "call", ts: NOW.getTime() - HOUR_MS, tool, inBytes, outBytes, host: "claude-code" },
  ...more,
});
const ts = NOW.getTime();

describe("the table", () => {
  it("shows 200 tools, and says how many more are in the total", async () => {
    log(...Array.from({ length: 203 }, (_, i) => called(`mcp__many__tool${i}`, 100, 90)));
    const { out } = await stats();
    expect(out.match(/^mcp__many__/gm)).toHaveLength(200);
    expect(out).toContain("3 more tools in TOTAL: --json lists them all");
    expect(out).toMatch(/^TOTAL +203 /m);
  });

  it("C14: live and shadow apart, sorted by saved, with the scope", async () => {
    log(
      called("Bash", 120_000, 110_000),
      called("mcp__github__list_issues", 51_234, 20_111, { call: "9f31c2aa" }),
      { kind: "delivered", ts, tool: "mcp__github__list_issues", call: "9f31c2aa", delivered: 20_111 },
      called("mcp__github__list_issues", 51_234, 20_111, { call: "9f31c2ab" }),
      { kind: "delivered", ts, tool: "mcp__github__list_issues", call: "9f31c2ab", delivered: 51_234 },
      called("Bash", 800, 800, { failure: true }),
      { kind: "delivered", ts, tool: "Edit", call: "9f31c2ac", delivered: 90 },
      { kind: "reveal", ts, tool: "Bash", revealed: 12_000 },
      { kind: "reveal", ts, tool: "Bash" },
      called("Read", 4000, 1000, { shadow: true }),
      called("", 500, 500, { host: undefined }),
    );
    const { code, out } = await stats();
    expect(code).toBe(0);
    expect(out).toBe(`\
TOOL                      CALLS        IN       OUT    SAVED  SAVED%   %ALL  ~TOKENS  REVEALS
mcp__github__list_issues      2  102.5 KB   71.3 KB  31.1 KB   30.4%  13.9%     7781        0
(no name)                     1     500 B     500 B      0 B    0.0%   0.0%        0        0
Edit                          1      90 B      90 B      0 B    0.0%   0.0%        0        0
Bash                          2  120.8 KB  110.8 KB  -2.0 KB   -1.7%  -0.9%     -500        2
TOTAL                         6  223.9 KB  182.7 KB  29.1 KB   13.0%  13.0%     7281        2

scope: 6 live calls (claude-code 4), 2026-11-30 to 2026-11-30 UTC; 3 with the size that the host delivered, 3 estimated
  1 rewrite did not reach the model: counted as delivered
  1 failed call, which cannot be rewritten: in IN and OUT
  1 reveal of unknown size (Go program): counted, not netted
  1 call of tools that no hook matcher routes here: in IN and OUT

shadow mode: computed, nothing was changed

TOOL   CALLS      IN     OUT  WOULD SAVE  SAVED%   %ALL  ~TOKENS
Read       1  4.0 KB  1.0 KB      3.0 KB   75.0%  75.0%      750
TOTAL      1  4.0 KB  1.0 KB      3.0 KB   75.0%  75.0%      750

scope: 1 shadow call, 2026-11-30 to 2026-11-30 UTC; 0 with the size that the host delivered, 1 estimated
  not in it: built-in tools that no hook matcher routes here

units: KB = 1000 bytes, of what the model sees; SAVED = IN - OUT - bytes revealed; %ALL = share of all bytes in; ~TOKENS = saved bytes / 4
`);
  });

  it("shows only the shadow block where nothing is live", async () => {
    log(called("Read", 4000, 1000, { shadow: true }));
    const { out } = await stats();
    expect(out).toMatch(/^shadow mode: computed/);
    expect(out).not.toContain("live call");
  });

  it("C13: names reach a terminal clean, also from a log that someone else wrote", async () => {
    const row = { ts: NOW.toISOString(), tool: "\x1b[2Jx\u202e", in_bytes: 5, out_bytes: 5, host: "\x07" };
    writeFileSync(logFile(home), `${JSON.stringify(row)}\n`);
    for (const args of [{}, { json: true }, { share: true }]) {
      expect((await stats(args)).out).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/);
    }
    expect((await stats()).out).toContain("\\x1b[2Jx\\u202e");
  });

  it.each([
    ["on a terminal", true, {}, true],
    ["in a pipe", false, {}, false],
    ["with NO_COLOR", true, { NO_COLOR: "1" }, false],
  ])("colours: %s", async (_, isTerminal, variables, expected) => {
    log(called("Bash", 10, 10));
    expect((await stats({}, isTerminal, variables)).out.includes("\x1b[1mTOOL\x1b[22m")).toBe(expected);
  });

  it("says how many lines cannot be read", async () => {
    log(called("Bash", 10, 10));
    appendFileSync(logFile(home), "broken\n");
    expect((await stats()).out).toContain("\n1 line of the log cannot be read: left out\n");
  });
});

describe("what is read", () => {
  it.each([
    ["1 ms short of the row", HOUR_MS - 1, "nothing measured in this period"],
    ["just the row", HOUR_MS, "1 live call"],
    ["longer than time itself", 1e18, "1 live call"],
  ])("since: %s", async (_, since, expected) => {
    log(called("Bash", 10, 10));
    expect((await stats({ since })).out).toContain(expected);
  });

  it("reads one file instead of the state folder", async () => {
    log(called("Bash", 10, 10));
    const file = join(home, "other.jsonl");
    writeFileSync(file, '{"ts":"2026-11-30T10:00:00Z","tool":"Go","in_bytes":10,"out_bytes":4}\n');
    const { out } = await stats({ file });
    expect(out).toContain("Go");
    expect(out).not.toContain("Bash");
  });

  it.each<[string, StatsArgs, string]>([
    ["no log yet", {}, "nothing measured yet: run isthmos doctor"],
    ["to share", { share: true }, "nothing measured yet: run isthmos doctor"],
    ["an empty file", { file: "empty" }, "no measurement in this file: give -file"],
    [
      "a file of something else",
      { file: "notes" },
      "no measurement in this file (2 lines that cannot be read)",
    ],
  ])("one clear line and exit 0: %s", async (_, args, expected) => {
    writeFileSync(join(home, "empty"), "");
    writeFileSync(join(home, "notes"), "some\nnotes\n");
    const { code, out } = await stats(args.file === undefined ? args : { file: join(home, args.file) });
    expect(code).toBe(0);
    expect(out.startsWith(expected)).toBe(true);
    expect(out.split("\n")).toHaveLength(2);
  });

  it.each([
    ["a missing file", "nowhere"],
    ["a folder", "."],
  ])("exit 1 and nothing on stdout: %s", async (_, name) => {
    expect(await stats({ file: join(home, name) })).toEqual({ code: 1, out: "" });
  });
});

describe("other forms", () => {
  it("--json gives the sums, and an empty log as empty sums", async () => {
    const empty = JSON.parse((await stats({ json: true })).out);
    expect(empty).toMatchObject({ skipped: 0, hosts: [], live: { tools: [], total: { calls: 0 } } });
    log(called("Bash", 1000, 400, { cuts: { lines: 2 } }));
    expect(JSON.parse((await stats({ json: true, since: 2 * HOUR_MS })).out)).toMatchObject({
      since: "2026-11-30T10:00:00.000Z",
      first: "2026-11-30T11:00:00.000Z",
      last: "2026-11-30T11:00:00.000Z",
      hosts: [{ host: "claude-code", calls: 1 }],
      live: {
        tools: [{ tool: "Bash", calls: 1, in: 1000, out: 400, saved: 600, tokens: 150, cuts: { lines: 2 } }],
      },
      shadow: { tools: [] },
    });
  });

  it("-share gives three to six lines", async () => {
    log(called("mcp__acme__list", 1000, 400));
    const { out } = await stats({ share: true });
    expect(out.trimEnd().split("\n").length).toBeGreaterThanOrEqual(3);
    expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
    expect(out).not.toContain("acme");
  });
});
