// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { scan } from "../../../src/core/json/scan.ts";
import { readDeliveries, stripLineNumbers } from "../../../src/hosts/claude-code/delivery.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (utf8: Uint8Array) => new TextDecoder().decode(utf8);

function deliver(...calls: object[]): string[] {
  const index = scan(bytes(JSON.stringify(calls)));
  if (index === undefined) throw new Error("not JSON");
  return readDeliveries(index, 0).map((delivery) => text(delivery.bytes));
}

describe("stripLineNumbers", () => {
  it.each([
    ["1\ta\n2\tb\n3\t", "a\nb\n"],
    ["10\ta\n11\tb", "a\nb"],
    ["     1→a\n     2→b\n", "a\nb\n"],
    // The file's own text may begin with a number.
    ["1\t1\tx\n2\t2\ty", "1\tx\n2\ty"],
    // A line out of count is no numbered line.
    ["1\ta\n7\tb\n2\tc", "a\n7\tb\nc"],
    ["9\ta\n10\tb\r\n11\tc", "a\nb\r\nc"],
    ["1\t[isthmos: 9 of 9 lines truncated]", "[isthmos: 9 of 9 lines truncated]"],
    ["<persisted-output>\n1\ta", "<persisted-output>\n1\ta"],
    ["a\n1\tb", "a\n1\tb"],
    ["1 a", "1 a"],
    ["12", "12"],
    ["\t", "\t"],
    ["", ""],
  ])("%j → %j", (numbered, expected) => {
    expect(text(stripLineNumbers(bytes(numbered)))).toBe(expected);
  });
});

describe("readDeliveries", () => {
  const files = "Found 2 files\na.ts\nb.ts";
  it.each([
    ["Bash text", { tool_name: "Bash", tool_response: "1\ta\n" }, "1\ta\n"],
    ["Read", { tool_name: "Read", tool_response: "3\ta\n4\tb" }, "a\nb"],
    ["file names", { tool_name: "Grep", tool_input: {}, tool_response: files }, "a.ts\nb.ts"],
    [
      "file names, asked for",
      { tool_name: "Grep", tool_input: { output_mode: "files_with_matches" }, tool_response: files },
      "a.ts\nb.ts",
    ],
    ["one file, limited", { tool_name: "Grep", tool_response: "Found 1 file limit: 1\na.ts" }, "a.ts"],
    [
      "matching lines",
      { tool_name: "Grep", tool_input: { output_mode: "content" }, tool_response: files },
      files,
    ],
    ["another tool's", { tool_name: "Glob", tool_response: files }, files],
    ["no files", { tool_name: "Grep", tool_response: "No files found" }, "No files found"],
    [
      "blocks",
      {
        tool_name: "mcp__a__b",
        tool_response: [
          { type: "text", text: "x" },
          { type: "text", text: "y" },
        ],
      },
      "x\ny",
    ],
    ["an image", { tool_name: "Read", tool_response: [{ type: "image", source: { data: "AAAA" } }] }, ""],
    ["nothing", { tool_name: "Bash", tool_response: "" }, ""],
  ])("C14: %s", (_name, call, expected) => {
    expect(deliver(call)).toEqual([expected]);
  });

  it("leaves out what has no name or no text", () => {
    expect(
      deliver({ tool_name: 7, tool_response: "a" }, { tool_name: "Bash", tool_response: { stdout: "a" } }),
    ).toEqual([]);
  });
});
