// SPDX-License-Identifier: Apache-2.0
// Transcripts as the client leaves them, beside a log that took the answers for delivered.
import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fix } from "../../../src/commands/doctor/fix.ts";
import type { Reality } from "../../../src/commands/doctor/reality.ts";
import { checkRewrites } from "../../../src/commands/doctor/rewrites.ts";
import { readTranscripts } from "../../../src/commands/doctor/transcripts.ts";
import { aggregate } from "../../../src/measure/aggregate.ts";
import { appendRow, readRows } from "../../../src/measure/log.ts";
import { type CallRow, hashCall } from "../../../src/measure/row.ts";
import { type DoctorHome, makeDoctorHome, NOW } from "../../support/doctor-home.ts";

const HOUR_MS = 3_600_000;
const STATE = ".local/state/isthmos";
const COMMAND = { type: "command", command: "isthmos hook" };

let at: DoctorHome;
let stateDir: string;
beforeEach(() => {
  at = makeDoctorHome();
  stateDir = join(at.home, STATE);
  at.wire(COMMAND);
});
afterEach(() => at.remove());

/** A rewrite from 9,000 bytes to 1,000 that the log takes for delivered. */
function logged(useId: string, more: Partial<CallRow> = {}): void {
  const row = { kind: "call", ts: NOW - HOUR_MS, tool: "Bash", inBytes: 9000, outBytes: 1000 } as const;
  appendRow(stateDir, { ...row, host: "claude-code", call: hashCall(useId), ...more });
}

const time = (ms: number) => ({ timestamp: new Date(ms).toISOString() });
const attachment = (useId: string, fields: object, ts = NOW - HOUR_MS) => ({
  ...{ type: "attachment", ...time(ts) },
  attachment: { hookName: "PostToolUse:Bash", toolUseID: useId, hookEvent: "PostToolUse", ...fields },
});
const answered = (useId: string, command = "isthmos hook") =>
  attachment(useId, {
    type: "hook_success",
    stdout: '{"hookSpecificOutput":{"updatedToolOutput":{}}}',
    command,
  });
const refused = (useId: string) =>
  attachment(useId, {
    type: "hook_error_during_execution",
    content:
      "PostToolUse hook returned updatedToolOutput that does not match Bash's output shape; using original output.",
  });
const stopped = (useId: string) => attachment(useId, { type: "hook_cancelled" });
const failed = (useId: string, command: string) =>
  attachment(useId, { type: "hook_non_blocking_error", stderr: "no", exitCode: 3, command });
const got = (useId: string, bytes: number, ts = NOW - HOUR_MS) => ({
  ...{ type: "user", ...time(ts) },
  message: { content: [{ type: "tool_result", tool_use_id: useId, content: "x".repeat(bytes) }] },
});

function transcript(rows: readonly object[], path = "-w/s.jsonl", hoursAgo = 1): string {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const file = at.put(`.claude/projects/${path}`, text);
  utimesSync(file, (NOW - hoursAgo * HOUR_MS) / 1000, (NOW - hoursAgo * HOUR_MS) / 1000);
  return file;
}

function found(): string[] {
  return readTranscripts(at.facts()).refusals.map(
    ({ tool, reason, call }) => `${tool} ${reason}${call === undefined ? "" : ", counted"}`,
  );
}

function reality(): Reality {
  const registered = {
    entries: [],
    approved: new Set<string>(),
    refused: new Set<string>(),
    disabled: new Set<string>(),
    problems: [],
  };
  return { commands: [], registered, running: [], transcripts: readTranscripts(at.facts()) };
}

const RIVAL = { hooks: { PostToolUse: [{ hooks: [{ type: "command", command: "rtk post" }] }] } };

describe("what is refused", () => {
  it.each<[string, readonly object[], string[]]>([
    ["an answer that arrived", [answered("a"), got("a", 1000)], []],
    ["one of the wrong shape", [answered("a"), refused("a"), got("a", 9000)], ["Bash shape, counted"]],
    ["the same without its result", [answered("a"), refused("a")], ["Bash shape, counted"]],
    [
      "with words of the client after it",
      [answered("a"), refused("a"), got("a", 9040)],
      ["Bash shape, counted"],
    ],
    [
      "one of another hook, and ours arrived",
      [answered("a"), answered("a", "rtk post"), refused("a"), got("a", 1000)],
      [],
    ],
    ["one of another hook alone", [answered("b", "rtk post"), refused("b"), got("b", 500)], []],
    ["no error, and the original", [answered("a"), got("a", 9000)], ["Bash overruled, counted"]],
    ["no error, and a preview", [answered("a"), got("a", 2200)], []],
    ["a hook that was stopped", [stopped("a"), got("a", 9000)], ["Bash cancelled, counted"]],
    [
      "one that was stopped, of a call that is not in the log",
      [stopped("z"), got("z", 70)],
      ["Bash cancelled"],
    ],
    ["an exit code", [failed("z", "/opt/isthmos hook")], ["Bash failed"]],
    ["an exit code of another hook", [failed("z", "rtk post")], []],
    [
      "a copy of a row, as a fork makes it",
      [failed("z", "isthmos hook"), failed("z", "isthmos hook")],
      ["Bash failed"],
    ],
    [
      "a server that was not connected",
      [attachment("z", { type: "hook_non_blocking_error", stderr: "MCP server 'isthmos' not connected" })],
      ["Bash not_connected"],
    ],
    [
      "another server",
      [attachment("z", { type: "hook_non_blocking_error", stderr: "MCP server 'x' not connected" })],
      [],
    ],
    ["the result of another hour", [got("a", 9000, NOW - 9 * HOUR_MS)], []],
    ["what was long ago", [attachment("z", { type: "hook_cancelled" }, NOW - 73 * HOUR_MS)], []],
  ])("%s", (_, rows, expected) => {
    logged("a");
    transcript(rows);
    expect(found()).toEqual(expected);
  });

  it("an answer of the server, by the client's name for it", () => {
    logged("a");
    transcript([answered("a", "isthmos/compress"), refused("a"), got("a", 9000)]);
    expect(found()).toEqual(["Bash shape, counted"]);
  });

  it("a line-numbered Read", () => {
    logged("a", { tool: "Read", inBytes: 3, outBytes: 1 });
    const result = { type: "tool_result", tool_use_id: "a", content: "1\ta\n2\tb" };
    transcript([{ type: "user", ...time(NOW - HOUR_MS), message: { content: [result] } }]);
    expect(found()).toEqual(["Read overruled, counted"]);
  });

  it("a stopped hook is anyone's where another one is wired", () => {
    at.put("project/.claude/settings.json", RIVAL);
    transcript([stopped("z")]);
    expect(found()).toEqual([]);
  });

  it.each<[string, () => void]>([
    [
      "of a call whose delivery is known",
      () => {
        logged("a");
        appendRow(stateDir, {
          kind: "delivered",
          ts: NOW,
          tool: "Bash",
          call: hashCall("a"),
          delivered: 1000,
        });
      },
    ],
    ["of a call in shadow", () => logged("a", { shadow: true })],
    ["of a call that was not changed", () => logged("a", { outBytes: 9000 })],
    ["of a pipe", () => logged("a", { host: undefined })],
  ])("no result %s is looked at", (_, prepare) => {
    prepare();
    transcript([got("a", 9000)]);
    expect(found()).toEqual([]);
  });
});

describe("where it looks", () => {
  it("in sub-agents' files too, in the newest days only, and past half a line", () => {
    transcript([failed("1", "isthmos hook")], "-w/s/subagents/agent-1.jsonl");
    transcript([failed("2", "isthmos hook")], "-w/s/tool-results/x.jsonl");
    transcript([failed("3", "isthmos hook")], "-w/old.jsonl", 73);
    const open = transcript([failed("4", "isthmos hook")], "-v/open.jsonl");
    appendFileSync(open, JSON.stringify(failed("5", "isthmos hook")));
    expect(readTranscripts(at.facts())).toMatchObject({ files: 2 });
    expect(found()).toHaveLength(2);
  });

  it("in the end of a file that is too large, past a line that is", () => {
    const filler = { type: "user", text: "x".repeat(1024 * 1024) };
    const long = { type: "user", text: "y".repeat(5 * 1024 * 1024) };
    const [early, late] = [failed("1", "isthmos hook"), failed("2", "isthmos hook")];
    transcript([early, ...Array.from({ length: 4 }, () => filler), long, late]);
    expect(found()).toEqual(["Bash failed"]);
  });

  it("nowhere", () => expect(readTranscripts(at.facts())).toEqual({ files: 0, refusals: [] }));
});

it("says how many, of which tools, why, and that stats counts them", () => {
  for (const id of ["a", "b"]) logged(id);
  transcript([...["a", "b"].flatMap((id) => [answered(id), refused(id), got(id, 9000)]), stopped("z")]);
  expect(checkRewrites(at.facts(), reality()).map(({ level, message }) => `${level} ${message}`)).toEqual([
    "warning 2 hook calls refused: not the tool's output shape: Bash 2; the last 2026-11-30 11:00 UTC",
    "warning 1 hook call stopped: not done within the hook's timeout: Bash 1; the last 2026-11-30 11:00 UTC",
    "warning 2 rewrites of these count as savings in stats, though the model got the original",
  ]);
});

it("says that none was", () => {
  transcript([answered("a")]);
  expect(checkRewrites(at.facts(), reality())).toMatchObject([
    { level: "ok", message: "none refused, by 1 transcript of the last 72 hours" },
  ]);
});

it("C14: --fix takes what did not arrive out of the savings, once", () => {
  for (const id of ["a", "b", "c"]) logged(id);
  transcript([answered("a"), refused("a"), got("a", 9000), got("b", 9000), got("c", 1000)]);
  const total = () => aggregate(readRows({ stateDir })).live.total;
  expect(total()).toMatchObject({ calls: 3, saved: 24_000, rejected: 0 });
  expect(fix(at.facts(), reality()).map(({ message }) => message)).toEqual([
    "2 rewrites booked as not delivered: no saving in stats",
  ]);
  expect(total()).toMatchObject({ calls: 3, saved: 8000, rejected: 2, estimated: 1 });
  expect(fix(at.facts(), reality())).toEqual([]);
  expect(total()).toMatchObject({ calls: 3, saved: 8000 });
});
