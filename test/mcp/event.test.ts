// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scan } from "../../src/core/json/scan.ts";
import { findMember } from "../../src/hosts/members.ts";
import { buildEvent, readCall, readFields, toFields } from "../../src/mcp/event.ts";
import { fieldsOf } from "./support.ts";

function build(fields: Parameters<typeof toFields>[0]): string {
  return Buffer.from(buildEvent(toFields(fields))).toString();
}

function read(json: string): ReturnType<typeof readFields> {
  const index = scan(Buffer.from(json));
  if (index === undefined) throw new Error("no JSON");
  return readFields(index, findMember(index, 0, "arguments"));
}

describe("buildEvent", () => {
  it.each([
    ["nothing", {}, "{}"],
    ["text", { tool_name: "Bash", session_id: "s" }, '{"session_id":"s","tool_name":"Bash"}'],
    ["empty fields are left out", { agent_id: "", source: "clear", error: "" }, '{"source":"clear"}'],
    ["input: an object", { tool_input: '{"a":1.10}' }, '{"tool_input":{"a":1.10}}'],
    ["input: no object", { tool_input: "[1]" }, "{}"],
    ["input: broken", { tool_input: '{"a":' }, "{}"],
    ["calls: an array", { tool_calls: '[{"a":1}]' }, '{"tool_calls":[{"a":1}]}'],
    ["calls: no array", { tool_calls: '{"a":1}' }, "{}"],
    ["result: an object", { tool_response: '{"stdout":"x"}' }, '{"tool_response":{"stdout":"x"}}'],
    ["result: an array", { tool_response: "[1,2]" }, '{"tool_response":[1,2]}'],
    ["result: text", { tool_response: "ok\n" }, '{"tool_response":"ok\\n"}'],
    ["result: a number is text", { tool_response: "42" }, '{"tool_response":"42"}'],
    ["result: broken JSON is text", { tool_response: '{"a":}' }, '{"tool_response":"{\\"a\\":}"}'],
    [
      "MCP: blocks",
      { tool_name: "mcp__a__b", tool_response: '[{"type":"text","text":"x"}]' },
      '{"tool_name":"mcp__a__b","tool_response":[{"type":"text","text":"x"}]}',
    ],
    [
      "MCP: an object is a string that holds it",
      { tool_name: "mcp__a__b", tool_response: '{"a":1}' },
      '{"tool_name":"mcp__a__b","tool_response":"{\\"a\\":1}"}',
    ],
    [
      "MCP: an array of something else, too",
      { tool_name: "mcp__a__b", tool_response: '[{"type":"text"},{"a":1}]' },
      '{"tool_name":"mcp__a__b","tool_response":"[{\\"type\\":\\"text\\"},{\\"a\\":1}]"}',
    ],
    [
      "MCP: a type that is no string",
      { tool_name: "mcp__a__b", tool_response: '[{"type":1}]' },
      '{"tool_name":"mcp__a__b","tool_response":"[{\\"type\\":1}]"}',
    ],
  ] as const)("%s", (_, fields, expected) => {
    expect(build(fields)).toBe(expected);
  });

  it.each([
    ["number spelling", '{"n":12345678901234567890,"f":1.10,"e":1E2}'],
    ["duplicate keys and order", '{"b":1,"a":2,"b":3,"__proto__":4}'],
    ["escapes", '{"a":"\\u00e9\\/\\ud83d\\ude00\\ud800\\n"}'],
    ["white space", '{ "a" : [ 1 , 2 ] }'],
    ["characters of every width", '{"a":"aö検😀"}'],
  ])("C4: JSON text goes in as it stands: %s", (_, text) => {
    expect(build({ tool_response: text })).toBe(`{"tool_response":${text}}`);
  });

  it("C4: half a character in JSON text becomes its escape", () => {
    expect(build({ tool_response: '{"a":"x\ud800y\udfff"}' })).toBe(
      '{"tool_response":{"a":"x\\ud800y\\udfff"}}',
    );
    expect(build({ tool_response: "x\ud800y" })).toBe('{"tool_response":"x\\ud800y"}');
    expect(build({ tool_response: '{"a":"\ud7ff한글"}' })).toBe('{"tool_response":{"a":"\ud7ff한글"}}');
  });

  it.each(['{},"tool_name":"Read"', '{}{"a":1}', '"x","tool_name":"Read"', '[]],"a":[['])(
    "text cannot add fields of its own: %s",
    (text) => {
      const event: unknown = JSON.parse(build({ tool_name: "Bash", tool_response: text }));
      expect(event).toEqual({ tool_name: "Bash", tool_response: text });
    },
  );

  it("makes of any event what it was", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
          fc.array(fc.jsonValue()),
        ),
        fc.string({ unit: "binary" }),
        (tool_response, session_id) => {
          const event = { session_id, tool_name: "Agent", tool_response };
          const text = Buffer.from(buildEvent(fieldsOf(event))).toString();
          const { session_id: built = "", ...rest } = JSON.parse(text);
          expect(built).toBe(session_id);
          expect(JSON.stringify(rest.tool_response)).toBe(JSON.stringify(tool_response));
        },
      ),
    );
  });
});

describe("readCall", () => {
  it.each([
    [
      "a call",
      { params: { name: "compress", arguments: { tool_response: '{"a":1.10}' } } },
      '{"tool_response":{"a":1.10}}',
    ],
    ["without arguments", { params: {} }, "{}"],
    ["with wrong ones", { params: { arguments: { cwd: 1 } } }, undefined],
  ])("%s", (_, message, expected) => {
    const event = readCall(Buffer.from(JSON.stringify(message)));
    expect(event && Buffer.from(event).toString()).toBe(expected);
  });

  it("no message", () => expect(readCall(Buffer.from("{"))).toBeUndefined());
});

describe("readFields", () => {
  it("takes the literals as they stand, and no fields that it does not know", () => {
    const fields = read('{"arguments":{"tool_name":"B\\u0061sh","cwd":"","other":1,"tool_response":"{}"}}');
    expect(fields).toEqual(
      new Map([
        ["tool_name", Buffer.from('"B\\u0061sh"')],
        ["tool_response", Buffer.from('"{}"')],
      ]),
    );
  });

  it.each([
    ["no arguments", "{}", new Map()],
    ["no object", '{"arguments":[]}', "arguments must be an object"],
    [
      "an object for a text",
      '{"arguments":{"tool_response":{}}}',
      `tool_response must be a string: what the client puts in for "\${tool_response}"`,
    ],
  ])("%s", (_, json, expected) => {
    expect(read(json)).toEqual(expected);
  });
});
