// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { openCode } from "../../../src/hosts/opencode/hook.ts";

function callOf(event: object) {
  const decoded = openCode.decode(new TextEncoder().encode(JSON.stringify({ host: "opencode", ...event })));
  if (decoded?.kind !== "result") throw new Error(`expected a result, got ${decoded?.kind}`);
  return decoded.call;
}

const text = { output: "x" };
const blocks = { content: [{ type: "text", text: "x" }] };

describe("names of tools", () => {
  it.each([
    ["bash", text, [], "Bash"],
    ["read", text, [], "Read"],
    ["grep", text, [], "Grep"],
    ["glob", text, [], "Glob"],
    ["webfetch", text, [], "WebFetch"],
    ["websearch", text, [], "WebSearch"],
    ["task", text, [], "Task"],
    ["codesearch", text, [], "codesearch"],
    ["my_tool", text, [], "my_tool"],
    ["my_srv_list", text, ["my.srv"], "mcp__my_srv__list"],
    ["my_srv_list", blocks, ["my.srv"], "mcp__my_srv__list"],
    ["my_srv_list", blocks, [], "mcp__my__srv_list"],
    ["isthmos_reveal", text, [], "mcp__isthmos__reveal"],
    ["__proto__", text, [], "__proto__"],
  ])("%s %j of servers %j: %s", (tool, output, servers, expected) => {
    expect(callOf({ tool, servers, output }).tool).toBe(expected);
  });
});

describe("our own output", () => {
  const folder = "/home/dev/.local/share/opencode/tool-output/tool_1";
  it.each([
    [{ tool: "isthmos_reveal", output: blocks }, true],
    [{ tool: "bash", command: "isthmos reveal x", output: text }, true],
    [{ tool: "bash", command: `tail ${folder}`, output: text }, true],
    [{ tool: "read", path: folder, output: text }, true],
    [{ tool: "grep", path: "C:\\x\\opencode\\tool-output\\tool_1", output: text }, true],
    [{ tool: "bash", command: "isthmos stats", output: text }, false],
    [{ tool: "read", path: "/srv/tool-output/x", output: text }, false],
    [{ tool: "webfetch", command: "isthmos reveal x", output: text }, false],
  ])("C10: %j: %s", (event, expected) => {
    expect(callOf(event).own).toBe(expected);
  });
});

describe("a file that was read", () => {
  const file = (content: string, note: string, rest = "") =>
    `<path>/é</path>\n<type>file</type>\n<content>\n${content}${note}\n</content>${rest}`;
  it.each([
    ["a whole file", file("1: a\n2: b", "\n\n(End of file - total 2 lines)"), "1: a\n2: b"],
    [
      "a part",
      file("3: (a)\n\n(b", "\n\n(Showing lines 3-3 of 9. Use offset=4 to continue.)"),
      "3: (a)\n\n(b",
    ],
    ["without a note", file("1: a", ""), "1: a"],
    ["with a reminder after it", file("1: a", "\n\n(End of file - total 1 lines)", "\n\n<x>y</x>"), "1: a"],
    ["a closing tag in it", file("1: \n</content>", "\n\n(End of file - total 1 lines)"), "1: \n</content>"],
    ["a folder", "<type>directory</type>\n<entries>\na\n</entries>", undefined],
    ["an unknown form", "<content>\n1: a", undefined],
    ["no closing tag", "<path>x</path>\n<content>\n1: a", undefined],
  ])("%s: its end may go", (_, output, expected) => {
    const [region] = callOf({ tool: "read", output: { output } }).regions;
    expect(region?.cut).toBe("tail");
    expect(new TextDecoder().decode(region?.bytes)).toBe(expected ?? output);
  });

  it("is not looked for in other tools' results", () => {
    const [region] = callOf({ tool: "bash", output: { output: file("1: a", "") } }).regions;
    expect(region).toMatchObject({ cut: "any" });
  });
});
