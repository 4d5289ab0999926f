// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { scan } from "../../../src/core/json/scan.ts";
import { findRegions } from "../../../src/hosts/claude-code/shapes.ts";

/** Regions as [text, cut, content]; a `~` marks one whose size the host counts. */
function regionsOf(tool: string, response: unknown): string[] {
  const index = scan(new TextEncoder().encode(JSON.stringify(response)));
  if (index === undefined) throw new Error("not JSON");
  return findRegions(index, tool, 0).map(({ region: { bytes, cut, content }, counter }) => {
    const text = new TextDecoder().decode(bytes);
    return `${text.length > 100 ? `${text.slice(0, 3)}…${text.length}` : text} ${cut} ${content}${counter ? " ~" : ""}`;
  });
}

const file = { filePath: "/a", content: "x\ny", numLines: 2, startLine: 1, totalLines: 2 };
const long = "some words ".repeat(100);
const atLimit = "w ".repeat(512);

describe("findRegions", () => {
  it.each([
    ["Bash", { stdout: "a", stderr: "" }, ["a any text"]],
    ["Bash", { stderr: "b", stdout: "a" }, ["a any text", "b any text"]],
    ["Bash", { stdout: "", stderr: "b" }, ["b any text"]],
    ["Bash", { stdout: "a", isImage: true }, []],
    ["Bash", { stdout: "a", isImage: "no", interrupted: true }, ["a any text"]],
    ["Bash", { stdout: 7, stderr: ["a"] }, []],
    ["Bash", "a", []],
    ["Read", { type: "text", file }, ["x\ny tail text ~"]],
    ["Read", { type: "text", file: { ...file, numLines: "2" } }, ["x\ny tail text"]],
    ["Read", { type: "text", file: { ...file, content: "" } }, []],
    ["Read", { type: "image", file: { base64: long, content: "x" } }, []],
    ["Read", { type: "notebook", file: { cells: [{ source: long }] } }, []],
    ["Read", { file }, []],
    ["Read", { type: "text", file: [file] }, []],
    ["Grep", { mode: "content", content: "a:1:x", numLines: 1 }, ["a:1:x any text ~"]],
    ["Grep", { mode: "content", content: "a:1:x" }, ["a:1:x any text"]],
    ["Grep", { mode: "count", content: "a:1", numFiles: 1 }, ["a:1 tail text"]],
    ["Grep", { mode: "files_with_matches", filenames: ["a", "b"], numFiles: 2 }, ["a\nb tail names ~"]],
    ["Grep", { mode: "other", content: "a", filenames: ["a"] }, []],
    ["Glob", { filenames: ["a", "b"], numFiles: 2 }, ["a\nb tail names ~"]],
    ["Glob", { filenames: [], numFiles: 0 }, []],
    ["Glob", { filenames: ["a", 7] }, []],
    ["Glob", { filenames: ["a\nb", "c"] }, []],
    ["Glob", { filenames: ["a\u007f"] }, []],
    ["Glob", { filenames: ["ä", "b\u0085"] }, ["ä\nb\u0085 tail names"]],
    ["WebFetch", { result: "a", code: 200 }, ["a any text"]],
    ["WebSearch", { results: ["a", { content: [{ title: "t" }] }, "b"] }, ["a any text", "b any text"]],
    ["WebSearch", { results: { a: "b" } }, []],
    ["Agent", { content: [{ type: "text", text: "a" }, { type: "image" }], prompt: long }, ["a any text"]],
    ["Agent", { status: "async_launched", prompt: long }, []],
    ["Edit", { originalFile: long, newString: long }, []],
    ["Write", { content: long }, []],
    ["NotebookEdit", { new_source: long }, []],
    ["TodoWrite", { oldTodos: [{ content: long }] }, []],
    ["TaskCreate", { task: { subject: long } }, []],
    ["ToolSearch", { matches: [long] }, []],
    [
      "mcp__a__b",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      ["a any text", "b any text"],
    ],
    ["mcp__a__b", [{ type: "text", text: 7 }, { type: "image", text: "a" }, "b", 7, null, []], []],
    ["mcp__a__b", [{ type: "text", text: "" }], []],
    ["mcp__a__b", "a", ["a any text"]],
    ["mcp__a__b", "", []],
    ["mcp__a__b", { id: 1 }, ['{"id":1} any text']],
    ["mcp__a__b", { content: [{ type: "text", text: "a" }], isError: false }, ["a any text"]],
    [
      "mcp__a__b",
      { content: [{ type: "text", text: "a" }], structuredContent: { id: 1 } },
      ["a any text", '{"id":1} any text'],
    ],
    ["mcp__a__b", { content: [{ id: 1 }] }, ['{"content":[{"id":1}]} any text']],
    ["mcp__a__b", { content: "a" }, ['{"content":"a"} any text']],
    ["mcp__a__b", 7, []],
    ["mcp__a__b", true, []],
    ["Other", { note: long, rows: [{ text: long }, "short"] }, ["som…1100 any text", "som…1100 any text"]],
    [
      "Other",
      { originalFile: long, prompt: long, newString: { deep: long }, rest: long },
      ["som…1100 any text"],
    ],
    ["Other", { data: "QUJD".repeat(400), uri: `data:image/png;base64,${"QUJD".repeat(400)}` }, []],
    [
      "Other",
      { a: atLimit.slice(1), b: atLimit, c: `${atLimit}x` },
      ["w w…1024 any text", "w w…1025 any text"],
    ],
    ["Other", [long], ["som…1100 any text"]],
    ["Other", long, []],
    ["__proto__", { note: long }, ["som…1100 any text"]],
  ])("C7: %s %j", (tool, response, expected) => {
    expect(regionsOf(tool, response)).toEqual(expected);
  });
});
