// SPDX-License-Identifier: Apache-2.0
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findSessions } from "../../../scripts/ab/find.ts";
import { readArm } from "../../../scripts/ab/runs.ts";
import { type FakeReply, makeRows, writeTranscript } from "../../support/transcripts.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "isthmos-ab-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = (path: string) => ({ tool: "Read", input: { file_path: path }, result: "12345" });
const REPLIES: readonly FakeReply[] = [
  { usage: [10, 100, 1000, 7], calls: [read("a"), read("b")] },
  {
    usage: [1, 2, 3, 4],
    calls: [
      read("a"),
      { tool: "Bash", input: { command: "make" }, result: "Error: é", failed: true },
      {
        tool: "mcp__isthmos__reveal",
        input: { id: "0123456789abcdef" },
        result: [{ type: "text", text: "abc" }],
      },
      // Asked for again: a reveal, no re-run.
      { tool: "mcp__isthmos__reveal", input: { id: "0123456789abcdef" }, result: "abcd" },
    ],
  },
  { usage: [5, 0, 0, 6] },
];
const TOTALS = {
  all_input_tokens: 1121,
  input_tokens: 16,
  cache_creation_tokens: 102,
  cache_read_tokens: 1003,
  output_tokens: 17,
  replies: 3,
  tool_calls: 6,
  reruns: 1,
  failed_calls: 1,
  reveals: 2,
  result_bytes: 15 + 9 + 3 + 4,
  reveal_bytes: 7,
};

const readAll = () => readArm(findSessions([root]));

it("counts a run exactly: a reply once, whatever rows it has", () => {
  writeTranscript(root, "task/s1.jsonl", makeRows("s1", REPLIES));
  const { runs, brokenLines, copiedRows, empty } = readAll();
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({
    sessions: ["s1"],
    folders: ["task"],
    values: TOTALS,
    models: ["claude-test-1"],
    versions: ["2.1.332"],
    rewrites: 0,
    withoutUsage: 0,
    subagents: 0,
  });
  expect({ brokenLines, copiedRows, empty }).toEqual({ brokenLines: 0, copiedRows: 0, empty: [] });
});

it("adds sub-agents to their session; what one repeats for itself is no re-run", () => {
  writeTranscript(root, "task/s1.jsonl", makeRows("s1", REPLIES));
  const sub = makeRows(
    "s1-sub",
    [{ usage: [2, 0, 0, 3], calls: [read("a"), read("c"), read("c")] }],
    "agent1",
  );
  writeTranscript(root, "task/s1/subagents/agent-agent1.jsonl", sub);
  const { runs } = readAll();
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({
    subagents: 1,
    values: {
      ...TOTALS,
      all_input_tokens: 1123,
      input_tokens: 18,
      output_tokens: 20,
      replies: 4,
      tool_calls: 9,
      reruns: 2,
      result_bytes: 46,
    },
  });
});

it.each([
  ["s1", "s2"],
  ["s2", "s1"],
])("takes a session and its fork for one run, each row once (%s, %s)", (original, fork) => {
  const rows = makeRows("x", REPLIES);
  const more = makeRows("y", [{ usage: [1000, 0, 0, 0] }]);
  const copies = rows.map((row) => ({ ...row, sessionId: fork }));
  writeTranscript(root, `task/${original}.jsonl`, rows);
  writeTranscript(root, `task/${fork}.jsonl`, [...copies, ...more]);
  const { runs, copiedRows } = readAll();
  expect(runs).toHaveLength(1);
  expect(runs[0]?.sessions).toEqual(["s1", "s2"]);
  expect(runs[0]?.values).toMatchObject({ all_input_tokens: 2121, replies: 4, tool_calls: 6, reruns: 1 });
  expect(copiedRows).toBeGreaterThan(10);
});

it("joins three sessions where the last shares rows with both others", () => {
  const [a, b] = [makeRows("a", REPLIES), makeRows("b", [{ usage: [1, 0, 0, 1] }])];
  writeTranscript(root, "task/1.jsonl", a);
  writeTranscript(root, "task/2.jsonl", b);
  writeTranscript(root, "task/3.jsonl", [...a, ...b]);
  const { runs } = readAll();
  expect(runs.map(({ sessions, values }) => [sessions, values.replies])).toEqual([[["1", "2", "3"], 4]]);
});

it("counts broken lines and goes on; passes over empty lines, other rows, CRLF", () => {
  writeTranscript(root, "task/s1.jsonl", makeRows("s1", REPLIES));
  appendFileSync(
    join(root, "task/s1.jsonl"),
    '\r\n\n{"type":"new-kind"}\r\n[1]\nnull\nnot json\n{"type":"assist',
  );
  const { runs, brokenLines } = readAll();
  expect(runs[0]?.values).toEqual(TOTALS);
  expect(brokenLines).toBe(2);
});

it("says which replies have no usage, and which sessions no reply", () => {
  writeTranscript(root, "task/s1.jsonl", makeRows("s1", [{ usage: null }, { usage: [1, 1, 1, 1] }]));
  writeTranscript(root, "task/s2.jsonl", makeRows("s2", []));
  writeFileSync(join(root, "task/s3.jsonl"), "");
  const { runs, empty } = readAll();
  expect(runs.map(({ withoutUsage, values }) => [withoutUsage, values.all_input_tokens])).toEqual([[1, 3]]);
  expect(empty).toEqual(["s2", "s3"]);
});

it.each([
  ["/opt/isthmos hook", 1],
  ["isthmos/hook", 1],
  ["plugin:isthmos:isthmos/hook", 1],
  ["node other.mjs", 0],
])("counts results that %s made smaller: %i", (rewrittenBy, rewrites) => {
  const calls = [{ ...read("a"), rewrittenBy }];
  writeTranscript(root, "task/s1.jsonl", makeRows("s1", [{ usage: [1, 0, 0, 1], calls }]));
  expect(readAll().runs[0]?.rewrites).toBe(rewrites);
});

it("finds the task's folder, also below a folder for each, and reads a folder once", () => {
  for (const path of ["s0.jsonl", "t1/s1.jsonl", "t2/projects/-tmp-x/s2.jsonl", "t2/notes.txt"])
    writeTranscript(root, path, []);
  writeTranscript(root, "s9/subagents/agent-1.jsonl", []);
  symlinkSync(root, `${root}-link`);
  const sessions = findSessions([root, join(root, "t1"), `${root}-link`]);
  rmSync(`${root}-link`);
  expect(sessions.map(({ id, folder, files }) => [id, folder, files.length])).toEqual([
    ["s0", "s0", 1],
    ["s9", "s9", 1],
    ["s1", "t1", 1],
    ["s2", "t2", 1],
  ]);
});

it("refuses a folder that is not there, is a file, or has no transcripts", () => {
  mkdirSync(join(root, "empty"));
  writeFileSync(join(root, "file"), "");
  expect(() => findSessions([join(root, "none")])).toThrow(/no folder at .*none/);
  expect(() => findSessions([join(root, "file")])).toThrow(/no folder at .*file/);
  expect(() => findSessions([join(root, "empty")])).toThrow(/no transcript \(\*\.jsonl\) in .*empty/);
});
