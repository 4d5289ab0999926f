// SPDX-License-Identifier: Apache-2.0
// Rows as clients 2.1.197 and 2.1.332 write them, shortened.
import { describe, expect, it } from "vitest";
import { readTranscriptLine } from "../../../src/hosts/claude-code/transcript.ts";

const TIME = "2026-11-30T10:00:00.000Z";
const attachment = (fields: object) =>
  JSON.stringify({
    attachment: { hookName: "PostToolUse:Bash", toolUseID: "toolu_1", hookEvent: "PostToolUse", ...fields },
    ...{ type: "attachment", timestamp: TIME, sessionId: "s", version: "2.1.332" },
  });
const SHAPE =
  "PostToolUse hook returned updatedToolOutput that does not match Bash's output shape; using original output. [\n  {";

describe("hooks", () => {
  it.each<[string, object, object]>([
    [
      "an answer",
      {
        type: "hook_success",
        stdout: '{"hookSpecificOutput":{"updatedToolOutput":1}}',
        exitCode: 0,
        command: "isthmos hook",
      },
      { rewrote: true, exitCode: 0, command: "isthmos hook" },
    ],
    [
      "words",
      { type: "hook_success", stdout: "hello", exitCode: 0, command: "isthmos hook" },
      { rewrote: false },
    ],
    [
      "the answer of a server",
      { type: "hook_success", stdout: '{"updatedToolOutput":1}', command: "isthmos/compress" },
      { rewrote: true, command: "isthmos/compress" },
    ],
    ["a wrong shape", { type: "hook_error_during_execution", content: SHAPE }, { fault: "shape" }],
    ["an error of the client", { type: "hook_error_during_execution", content: "boom" }, { fault: "other" }],
    ["time-out", { type: "hook_cancelled" }, { fault: "cancelled" }],
    [
      "no server",
      { type: "hook_non_blocking_error", stderr: "MCP server 'isthmos' not connected", exitCode: 1 },
      { fault: "not_connected", server: "isthmos" },
    ],
    [
      "no program",
      {
        type: "hook_non_blocking_error",
        stderr:
          "Failed with non-blocking status code: Error occurred while executing hook command: ENOENT: no such file or directory, posix_spawn '/x'",
        exitCode: 1,
        command: "/x hook",
      },
      { fault: "not_started", command: "/x hook" },
    ],
    [
      "two documents",
      {
        type: "hook_non_blocking_error",
        stderr: "Hook output looks like a JSON object but is not valid JSON — JSON Parse error",
        exitCode: 0,
        command: "/x",
      },
      { fault: "not_json" },
    ],
    [
      "an exit code",
      {
        type: "hook_non_blocking_error",
        stderr: "Failed with non-blocking status code: no",
        exitCode: 3,
        command: "/x",
      },
      { fault: "failed", exitCode: 3 },
    ],
    ["exit code 2", { type: "hook_blocking_error" }, { fault: "failed" }],
  ])("%s", (_, fields, expected) => {
    expect(readTranscriptLine(attachment(fields), false)).toMatchObject([
      {
        kind: "hook",
        useId: "toolu_1",
        event: "PostToolUse",
        tool: "Bash",
        ts: Date.parse(TIME),
        ...expected,
      },
    ]);
  });

  it.each([
    ["another attachment", attachment({ type: "hook_additional_context" })],
    ["no call", JSON.stringify({ type: "attachment", attachment: { type: "hook_cancelled" } })],
    ["half a line", attachment({ type: "hook_cancelled" }).slice(0, -5)],
    ["no object", '["hook_cancelled"]'],
    ["the words in a message", JSON.stringify({ type: "user", message: { content: '"hook_cancelled"' } })],
    ["a line of another kind", '{"type":"summary"}'],
  ])("nothing: %s", (_, line) => expect(readTranscriptLine(line, true)).toEqual([]));
});

describe("results", () => {
  const user = (...blocks: object[]) =>
    JSON.stringify({ type: "user", timestamp: TIME, message: { role: "user", content: blocks } });
  const result = (content: unknown) => ({ type: "tool_result", tool_use_id: "toolu_1", content });

  it.each<[string, unknown, number, number]>([
    ["text", "grün", 5, 5],
    ["numbered lines", "1\ta\n2\tb", 7, 3],
    ["blocks", [{ type: "text", text: "ab" }, { type: "image" }, { type: "text", text: "c" }], 4, 4],
    ["nothing", undefined, 0, 0],
  ])("%s", (_, content, bytes, plainBytes) => {
    expect(readTranscriptLine(user(result(content)), true)).toEqual([
      { kind: "result", ts: Date.parse(TIME), useId: "toolu_1", bytes, plainBytes },
    ]);
  });

  it("are read only where they are asked for", () => {
    expect(readTranscriptLine(user(result("x")), false)).toEqual([]);
  });

  it("several in one row", () => {
    const rows = readTranscriptLine(user(result("a"), { type: "text", text: "x" }, result("bc")), true);
    expect(rows).toMatchObject([{ bytes: 1 }, { bytes: 2 }]);
  });
});
