// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { answerWith, callOf, cutAll, ID, loadCall, markerText, receivedOf, textsOf } from "../events.ts";
import { verifies } from "../requirements.ts";

function callWith(tool: string, response: unknown) {
  const event = { hook_event_name: "PostToolUse", tool_name: tool, tool_input: {}, tool_response: response };
  return callOf(claudeCode.decode(new TextEncoder().encode(JSON.stringify(event))));
}

describe("MCP tools", () => {
  it.each([
    ["mcp-text", [{ type: "text", text: `first crate\n${markerText(2, 3)}` }]],
    [
      "mcp-blocks",
      [
        { type: "text", text: `upper shelf\n${markerText(1, 2)}` },
        { type: "text", text: `left door\n${markerText(1, 2)}` },
      ],
    ],
  ])(`${verifies("post-tool-use:mcp-blocks")}: %s`, (name, blocks) => {
    const call = loadCall(name);
    expect(call.regions.every(({ cut }) => cut === "any")).toBe(true);
    expect(answerWith(call, cutAll(call))).toEqual(blocks);
  });

  it(`${verifies("post-tool-use:mcp-blocks")}: an image between texts stays`, () => {
    const call = loadCall("mcp-image");
    const received = receivedOf(call);
    const [first] = cutAll(call);
    expect(answerWith(call, [first, undefined])).toMatchObject([
      { type: "text", text: `a photo follows\n${markerText(1, 2)}` },
      Array.isArray(received) ? received[1] : undefined,
      { type: "text" },
    ]);
  });

  it("C4: numbers inside a JSON text keep their spelling", () => {
    const call = loadCall("mcp-json");
    expect(textsOf(call)[0]).toContain('"id": 12345678901234567890, "weight": 1.1,');
    const at = textsOf(call)[0]!.indexOf('"total"');
    const answer = answerWith(call, [{ splices: [{ start: at, end: at + 7, insert: ['"sum"'] }] }]);
    expect(JSON.stringify(answer)).toContain("12345678901234567890");
    expect(JSON.stringify(answer)).toContain('\\"sum\\": 3');
  });

  it(verifies("post-tool-use:mcp-string"), () => {
    const call = loadCall("mcp-string");
    const text = textsOf(call)[0]!;
    const at = text.indexOf(',{"id":2');
    const splice = { start: at, end: text.length - 2, insert: [',{"isthmos":"gone"}'] };
    expect(answerWith(call, [{ splices: [splice], id: ID }])).toBe(
      '{"gates":[{"id":1,"open":true},{"isthmos":"gone"}]}',
    );
  });

  it(verifies("post-tool-use:mcp-token-limit"), () => {
    const call = loadCall("mcp-token-limit");
    expect(call.spilled).toBe(true);
    expect(call.regions).toMatchObject([{ cut: "none" }]);
  });

  it.each([
    ["Bash", (n: number) => ({ stdout: "é".repeat(n), stderr: "", interrupted: false }), 30_000],
    [
      "Grep",
      (n: number) => ({ mode: "content", filenames: [], numFiles: 0, content: "é".repeat(n) }),
      20_001,
    ],
    ["mcp__depot__note", (n: number) => [{ type: "text", text: "é".repeat(n) }], 50_001],
    ["mcp__depot__note", (n: number) => "é".repeat(n), 50_001],
  ])(`${verifies("spill:thresholds")}: %s`, (tool, response, from) => {
    expect(callWith(tool, response(from - 1)).spilled).toBe(false);
    expect(callWith(tool, response(from)).spilled).toBe(true);
    expect(callWith(tool, response(from + 1)).spilled).toBe(true);
  });

  it("a file of any size that is read goes inline", () => {
    const file = { filePath: "/a", content: "x".repeat(200_000), numLines: 1, startLine: 1, totalLines: 1 };
    expect(callWith("Read", { type: "text", file }).spilled).toBe(false);
  });
});
