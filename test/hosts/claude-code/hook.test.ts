// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaudeCall, claudeCode } from "../../../src/hosts/claude-code/hook.ts";
import type { Rewrite } from "../../../src/hosts/host.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (utf8: Uint8Array) => new TextDecoder().decode(utf8);
const decode = (event: string) => claudeCode.decode(bytes(event));

/** A PostToolUse event whose `tool_response` is the given JSON text. */
function event(tool: string, response: string, more = ""): string {
  return `{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":${JSON.stringify(tool)},${more}"tool_response":${response},"tool_use_id":"u1"}\n`;
}

function call(tool: string, response: string, more = ""): ClaudeCall {
  const decoded = decode(event(tool, response, more));
  if (decoded?.kind !== "result") throw new Error(`expected a result, got ${decoded?.kind}`);
  return decoded.call;
}

function output(answer: Uint8Array): string {
  const start = '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":';
  expect(text(answer).startsWith(start)).toBe(true);
  return text(answer).slice(start.length, -2);
}

const cut = (start: number, end: number, insert = "[…]"): Rewrite => ({
  splices: [{ start, end, insert: [insert] }],
});

describe("decode", () => {
  it.each([
    ["nothing", ""],
    ["white space", " \n"],
    ["no JSON", "hello"],
    ["cut off", '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{"stdout":"a'],
    ["two documents", '{"hook_event_name":"Stop"}{}'],
    ["an array", '["PostToolUse"]'],
    ["no event", '{"tool_name":"Bash","tool_response":{"stdout":"a"}}'],
    ["an event of a wrong type", '{"hook_event_name":7,"tool_name":"Bash"}'],
    ["no tool", '{"hook_event_name":"PostToolUse","tool_response":{"stdout":"a"}}'],
    ["a tool of a wrong type", '{"hook_event_name":"PostToolUse","tool_name":{},"tool_response":{}}'],
    ["a failure without a tool", '{"hook_event_name":"PostToolUseFailure","error":"x"}'],
  ])("C1: %s is no event", (_name, input) => {
    expect(decode(input)).toBeUndefined();
  });

  it.each([
    [
      "Codex",
      '{"turn_id":"t","model":"m","hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":"a"}',
    ],
    ["Gemini", '{"hook_event_name":"AfterTool","tool_name":"glob","tool_response":{"llmContent":"a"}}'],
    ["Qwen", '{"hook_event_name":"PostToolUse","tool_name":"mcp__a__b","tool_response":{"llmContent":[]}}'],
    [
      "Qwen, failed",
      '{"hook_event_name":"PostToolUseFailure","tool_name":"x","tool_call_id":"c","error":"e"}',
    ],
    ["Copilot", '{"sessionId":"s","toolName":"bash","toolResult":{"textResultForLlm":"a"}}'],
    [
      "Copilot in this dialect",
      '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_result":{"text_result_for_llm":"a"}}',
    ],
    [
      "Cursor",
      '{"hook_event_name":"postToolUse","cursor_version":"2","tool_name":"Shell","tool_output":"{}"}',
    ],
    ["Cline", '{"tool":"run_commands","result":{"output":[]}}'],
    ["pi", '{"type":"tool_result","toolName":"read","content":[]}'],
  ])("an event of %s is not this host's", (_agent, input) => {
    expect(decode(input)).toBeUndefined();
  });

  it.each([
    ["no result", '{"hook_event_name":"PostToolUse","tool_name":"Bash"}'],
    ["a null result", '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":null}'],
    ["a session event without a session", '{"hook_event_name":"SessionStart","source":"clear"}'],
    ["a session of a wrong type", '{"hook_event_name":"PreCompact","session_id":[]}'],
    ["an event to come", '{"hook_event_name":"SomethingNew","session_id":"s"}'],
  ])("%s is ignored", (_name, input) => {
    expect(decode(input)).toEqual({ kind: "ignored" });
  });

  it("takes a byte order mark, escaped names, and the last of two members, as JSON.parse does", () => {
    const input = `\uFEFF${event("Bash", '{"stdout":"a","std\\u006fut":"b"}').replace("tool_name", "tool\\u005fname")}`;
    const decoded = decode(input);
    expect(decoded).toMatchObject({ kind: "result", call: { tool: "Bash" } });
    if (decoded?.kind === "result")
      expect(decoded.call.regions.map((region) => text(region.bytes))).toEqual(["b"]);
  });

  it.each([
    ["1", undefined],
    ["2", false],
    ["100", false],
  ])("C12: a file read from line %s is referable: %s", (startLine, referable) => {
    const file = `{"filePath":"/a","content":"x","numLines":1,"startLine":${startLine},"totalLines":200}`;
    expect(call("Read", `{"type":"text","file":${file}}`).referable).toBe(referable);
  });

  it("C13: ids are what the host gives, and nothing where they are not strings", () => {
    const more = '"agent_id":"a1",';
    expect(call("Bash", '{"stdout":"a"}', more)).toMatchObject({ session: "s1", agent: "a1", useId: "u1" });
    const odd = decode(
      '{"session_id":7,"agent_id":"","hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{}}',
    );
    expect(odd).toMatchObject({ kind: "result", call: { regions: [] } });
    expect(odd?.kind === "result" && Object.keys(odd.call)).not.toContain("session");
    expect(odd?.kind === "result" && Object.keys(odd.call)).not.toContain("agent");
  });

  it.each(["__proto__", "constructor", "toString", "", "\u0000"])("a tool called %j is a tool", (tool) => {
    expect(call(tool, '{"stdout":"a"}')).toMatchObject({ tool, regions: [], own: false });
  });

  it("C10: own output is known by tool and arguments", () => {
    const own = (tool: string, input: object) =>
      call(tool, '{"stdout":"a"}', `"tool_input":${JSON.stringify(input)},`).own;
    expect(own("Bash", { command: "isthmos reveal 0123456789abcdef" })).toBe(true);
    expect(own("Bash", { command: "isthmos stats" })).toBe(false);
    expect(own("Bash", { command: ["isthmos reveal"] })).toBe(false);
    expect(own("Read", { file_path: "/p/tool-results/x.txt" })).toBe(true);
    expect(own("Read", { command: "isthmos reveal x" })).toBe(false);
    expect(own("Grep", { path: "/p/tool-results/x.txt" })).toBe(true);
    expect(own("mcp__isthmos__reveal", {})).toBe(true);
  });

  it("a batch keeps the calls it can read", () => {
    const calls = '[7,{"tool_name":"Bash"},{"tool_response":"x"},{"tool_name":"Bash","tool_response":"ok"}]';
    const decoded = decode(`{"hook_event_name":"PostToolBatch","session_id":"s1","tool_calls":${calls}}`);
    expect(decoded).toEqual({
      kind: "batch",
      session: "s1",
      deliveries: [{ tool: "Bash", bytes: bytes("ok") }],
    });
    expect(decode('{"hook_event_name":"PostToolBatch","tool_calls":{}}')).toEqual({
      kind: "batch",
      deliveries: [],
    });
  });

  it("C1: never throws, whatever the bytes", () => {
    const base = bytes(event("Grep", '{"mode":"files_with_matches","filenames":["a","b"],"numFiles":2}'));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.tuple(fc.nat(base.length - 1), fc.nat(255)).map(([at, value]) => {
            const changed = base.slice();
            changed[at] = value;
            return changed;
          }),
          fc.nat(base.length).map((length) => base.slice(0, length)),
        ),
        (input) => {
          claudeCode.decode(input);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("C1: never throws on members of any type", () => {
    const members = fc.record(
      {
        hook_event_name: fc.constantFrom(
          "PostToolUse",
          "PostToolUseFailure",
          "PostToolBatch",
          "SessionStart",
        ),
        tool_name: fc.oneof(
          fc.constantFrom("Bash", "Read", "Grep", "Glob", "Agent", "mcp__a__b", "X"),
          fc.jsonValue(),
        ),
        tool_input: fc.jsonValue(),
        tool_response: fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue(), file: fc.jsonValue() })),
        tool_calls: fc.array(fc.record({ tool_name: fc.constant("Read"), tool_response: fc.jsonValue() })),
        session_id: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: ["hook_event_name"] },
    );
    fc.assert(
      fc.property(members, (value) => {
        claudeCode.decode(bytes(JSON.stringify(value)));
      }),
      { numRuns: 500 },
    );
  });

  it("C15: a large event takes linear time, and a deep one no recursion", () => {
    const started = process.cpuUsage();
    const big = call("Bash", `{"stdout":"${"a line\\n".repeat(2_500_000)}"}`);
    expect(big.regions[0]?.bytes.length).toBe(2_500_000 * 7);
    const deep = "[".repeat(90_000) + "]".repeat(90_000);
    expect(call("Unknown", deep).regions).toEqual([]);
    expect(call("mcp__a__b", deep).regions).toEqual([]);
    // CPU time, as the machine may be busy with other things; µs.
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });
});

describe("encode", () => {
  it.each([
    ["numbers", '{"n":12345678901234567890,"m":1.10,"e":1E2,"stdout":"abcdef"}'],
    ["key order and duplicates", '{"z":1,"a":2,"z":3,"stdout":"abcdef"}'],
    ["escapes", '{"k\\u00e9\\/":"\\u003c\\ud800","stdout":"abcdef"}'],
    ["__proto__", '{"__proto__":{"x":1},"stdout":"abcdef"}'],
    ["white space", '{ "a" : [ ] ,\r\n\t"stdout" : "abcdef" }'],
    ["members to come", '{"stdout":"abcdef","new":{"deep":[null,true]}}'],
  ])("C4: %s stay as they came", (_name, response) => {
    const one = call("Bash", response);
    expect(output(claudeCode.encode(one, [cut(2, 5)]))).toBe(response.replace("abcdef", "ab[…]f"));
  });

  it.each([
    ["escapes around the cut", "a\\nb\\u00e9\\ud83d\\ude00\\\\c", 3, 9, "a\\nb[…]\\\\c"],
    ["lone surrogates", "\\ud800abc\\udc00", 3, 6, "\\ud800[…]\\udc00"],
    ["a line end by escape", "ab\\u000acd\\u000a", 0, 3, "[…]cd\\u000a"],
    ["the whole", "abc", 0, 3, "[…]"],
    ["nothing but an insert", "abc", 3, 3, "abc[…]"],
  ])("C4: a cut in a string with %s", (_name, raw, start, end, expected) => {
    const one = call("Bash", `{"stdout":"${raw}"}`);
    expect(output(claudeCode.encode(one, [cut(start, end)]))).toBe(`{"stdout":"${expected}"}`);
  });

  it("what is put in is escaped as the string needs it", () => {
    const one = call("Bash", '{"stdout":"abc"}');
    expect(output(claudeCode.encode(one, [cut(1, 2, '"\\\n\u2028')]))).toBe(
      '{"stdout":"a\\"\\\\\\n\u2028c"}',
    );
  });

  it("C6: each region's markers cite its own id", () => {
    const one = call("mcp__a__b", '[{"type":"text","text":"one"},{"type":"text","text":"two"}]');
    const marker = { kind: "cut", unit: "bytes", count: 3, from: 0, to: 3 } as const;
    const rewrite = (id: string): Rewrite => ({ splices: [{ start: 0, end: 3, insert: [marker] }], id });
    const blocks = JSON.parse(
      output(claudeCode.encode(one, [rewrite("a".repeat(16)), rewrite("b".repeat(16))])),
    );
    expect(blocks.map((block: { text: string }) => block.text)).toEqual([
      `[isthmos: 3 bytes truncated, bytes 0-3, full: isthmos reveal ${"a".repeat(16)}]`,
      `[isthmos: 3 bytes truncated, bytes 0-3, full: isthmos reveal ${"b".repeat(16)}]`,
    ]);
    expect(() => claudeCode.encode(one, [{ splices: [{ start: 0, end: 3, insert: [marker] }] }])).toThrow(
      "cites an id",
    );
  });

  it("regions without a rewrite stay", () => {
    const response = '[{"type":"text","text":"one"},{"type":"text","text":"two"}]';
    const one = call("mcp__a__b", response);
    expect(output(claudeCode.encode(one, [undefined, cut(0, 3)]))).toBe(response.replace("two", "[…]"));
    expect(output(claudeCode.encode(one, [undefined, undefined]))).toBe(response);
  });

  it.each([
    [
      "at the end",
      '{"stdout":"a","n":1,"persistedOutputPath":"/s/tool-results/f","persistedOutputSize":9}',
      '{"stdout":"X","n":1}',
    ],
    [
      "at the start",
      '{"persistedOutputPath":"/s/tool-results/f","persistedOutputSize":9,"stdout":"a"}',
      '{"stdout":"X"}',
    ],
    [
      "apart",
      '{"persistedOutputPath":"/s/tool-results/f", "stdout":"a", "persistedOutputSize":9, "n":1}',
      '{"stdout":"X", "n":1}',
    ],
    [
      "in the middle",
      '{ "stdout":"a" , "persistedOutputPath":"/s/tool-results/f" , "n":1 }',
      '{ "stdout":"X" , "n":1 }',
    ],
    ["without a size", '{"stdout":"a","persistedOutputPath":"/s/tool-results/f"}', '{"stdout":"X"}'],
  ])("C7: the path of a spilled result goes with its text, %s", (_name, response, expected) => {
    const one = call("Bash", response);
    expect(one).toMatchObject({ spilled: true, spillFile: "/s/tool-results/f" });
    expect(output(claudeCode.encode(one, [cut(0, 1, "X")]))).toBe(expected);
  });

  it("C2: a spilled result is one by its path or its size", () => {
    expect(call("Bash", '{"stdout":"a","persistedOutputPath":null}').spilled).toBe(false);
    expect(call("Bash", '{"stdout":"","persistedOutputPath":"/f"}').spilled).toBe(true);
    expect(call("Read", '{"persistedOutputPath":"/f"}').spilled).toBe(false);
  });

  it.each([
    ["/s/tool-results/f.txt", "/s/tool-results/f.txt"],
    ["/f.txt", undefined],
    ["/tool-results/", undefined],
    ["/s/tool-results/../f.txt", undefined],
    ["/s/tool-results/a/f.txt", undefined],
    ["C:\\\\s\\\\tool-results\\\\f.txt", "C:\\s\\tool-results\\f.txt"],
  ])("only a file in a folder of spilled results is named: %s", (path, named) => {
    expect(call("Bash", `{"stdout":"a","persistedOutputPath":"${path}"}`).spillFile).toBe(named);
  });

  it("C4: whatever surrounds the text, only the cut is gone", () => {
    const unknown = fc.dictionary(
      fc.string().filter((key) => !["stdout", "stderr", "isImage"].includes(key)),
      fc.jsonValue(),
    );
    const parts = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }), fc.string());
    let cuts = 0;
    fc.assert(
      fc.property(unknown, unknown, parts, (before, after, [head, middle, tail]) => {
        const members = [
          JSON.stringify(before).slice(1, -1),
          `"stdout":"@"`,
          JSON.stringify(after).slice(1, -1),
        ];
        const frame = `{${members.filter((member) => member !== "").join(",")}}`;
        const raw = (value: string) => JSON.stringify(value).slice(1, -1);
        const at = frame.indexOf('"stdout":"@"') + '"stdout":"'.length;
        const around = (value: string) => frame.slice(0, at) + value + frame.slice(at + 1);
        const one = call("Bash", around(raw(head) + raw(middle) + raw(tail)));
        if (head + middle + tail === "" || one.spilled) return;
        cuts++;
        const start = Buffer.byteLength(head);
        const end = start + Buffer.byteLength(middle);
        const answer = output(claudeCode.encode(one, [cut(start, end, "#")]));
        expect(answer).toBe(around(`${raw(head)}#${raw(tail)}`));
        expect(JSON.parse(answer).stdout).toBe(`${head}#${tail}`);
      }),
    );
    expect(cuts).toBeGreaterThan(50);
  });

  it("C11: the same call gives the same answer", () => {
    const one = call("Bash", '{"stdout":"abcdef"}');
    expect(claudeCode.encode(one, [cut(1, 2)])).toEqual(claudeCode.encode(one, [cut(1, 2)]));
  });
});
