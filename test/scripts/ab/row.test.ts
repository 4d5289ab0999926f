// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { readRow } from "../../../scripts/ab/row.ts";

const line = (row: unknown): string => JSON.stringify(row);
const reply = (content: unknown, more: object = {}): string =>
  line({ type: "assistant", uuid: "u", message: { id: "m", model: "x", content, ...more } });
const use = (name: string, input: unknown): string => reply([{ type: "tool_use", id: "t", name, input }]);

function useOf(name: string, input: unknown) {
  const row = readRow(use(name, input));
  if (row === undefined || row === "broken" || row.kind !== "reply") throw new Error("no reply");
  const [first] = row.uses;
  if (first === undefined) throw new Error("no call");
  return first;
}

describe("a line", () => {
  it.each([
    ["half written", '{"type":"assistant","mess', "broken"],
    ["no JSON", "hello", "broken"],
    ["a reply without an id", line({ type: "assistant", message: { content: [] } }), "broken"],
    ["a value that is no object", "5", undefined],
    ["a row of another type", line({ type: "cost-state", message: 1 }), undefined],
    ["a prompt", line({ type: "user", message: { content: "hello" } }), undefined],
    ["what the client says in the model's place", reply([], { model: "<synthetic>" }), undefined],
    [
      "a hook that changed nothing",
      line({ type: "attachment", attachment: { type: "hook_success" } }),
      undefined,
    ],
  ])("%s", (_, text, expected) => {
    expect(readRow(text)).toBe(expected);
  });
});

describe("usage", () => {
  const counts = { input_tokens: 1, output_tokens: 2 };
  it.each([
    ["without caching", counts, { input: 1, cacheCreation: 0, cacheRead: 0, output: 2 }],
    [
      "null for none",
      { ...counts, cache_read_input_tokens: null },
      { input: 1, cacheCreation: 0, cacheRead: 0, output: 2 },
    ],
    ["absent", undefined, undefined],
    ["without output", { input_tokens: 1 }, undefined],
    ["negative", { ...counts, cache_read_input_tokens: -1 }, undefined],
    ["a text", { ...counts, input_tokens: "1" }, undefined],
    ["a fraction", { ...counts, output_tokens: 1.5 }, undefined],
  ])("%s", (_, usage, expected) => {
    expect(readRow(reply([], { usage }))).toMatchObject({ kind: "reply", usage: expected });
  });
});

describe("the same call again", () => {
  it.each<[string, [string, unknown], [string, unknown], boolean]>([
    ["the same", ["Read", { file_path: "a" }], ["Read", { file_path: "a" }], true],
    [
      "keys in another order",
      ["Read", { a: 1, b: { c: 1, d: 2 } }],
      ["Read", { b: { d: 2, c: 1 }, a: 1 }],
      true,
    ],
    [
      "a command described otherwise",
      ["Bash", { command: "ls", description: "x" }],
      ["Bash", { command: "ls" }],
      true,
    ],
    ["another command", ["Bash", { command: "ls" }], ["Bash", { command: "ls -l" }], false],
    ["another tool", ["Grep", { a: 1 }], ["Glob", { a: 1 }], false],
    ["another description of another tool", ["T", { description: "x" }], ["T", { description: "y" }], false],
    ["another order of items", ["T", { a: [1, 2] }], ["T", { a: [2, 1] }], false],
  ])("%s", (_, a, b, expected) => {
    expect(useOf(...a).key === useOf(...b).key).toBe(expected);
  });
});

it.each<[string, unknown, boolean]>([
  ["mcp__isthmos__reveal", { id: "0123456789abcdef" }, true],
  ["mcp__plugin_isthmos_isthmos__reveal", {}, true],
  ["mcp__other__reveal", {}, false],
  ["Bash", { command: "isthmos reveal 0123456789abcdef --lines 1:2" }, true],
  ["Bash", { command: "/opt/bin/isthmos reveal 0123456789abcdef | head" }, true],
  ["Bash", { command: "isthmos stats" }, false],
  ["Read", { command: "isthmos reveal 0123456789abcdef" }, false],
])("is %s %j a reveal: %s", (tool, input, expected) => {
  expect(useOf(tool, input).isReveal).toBe(expected);
});

it.each([
  ["text", "é\u2028x", 6],
  [
    "blocks",
    [
      { type: "text", text: "é" },
      { type: "image", source: {} },
      { type: "text", text: "ab" },
    ],
    4,
  ],
  ["nothing", undefined, 0],
])("counts the bytes of %s", (_, content, bytes) => {
  const block = { type: "tool_result", tool_use_id: "t", content };
  expect(readRow(line({ type: "user", message: { content: [block] } }))).toMatchObject({
    results: [{ useId: "t", bytes, failed: false }],
  });
});
