// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CutMarker } from "../../src/core/marker.ts";
import type { Rewrite } from "../../src/hosts/host.ts";
import { type PluginTool, pluginHost } from "../../src/hosts/plugin-event.ts";

const ID = "0123456789abcdef";
let asked: PluginTool | undefined;
const host = pluginHost({
  name: "some",
  nameTool: (tool) => {
    asked = tool;
    return tool.name.toUpperCase();
  },
  isOwn: (_, { command, path }) => command === "own" || path === "own",
  regionOf: (tool) => (tool === "PART" ? { start: 1, end: 3, cut: "tail" } : undefined),
});

function decode(text: string) {
  return host.decode(new TextEncoder().encode(text));
}

function callOf(rest: string) {
  const event = decode(`{"host":"some",${rest}}`);
  if (event?.kind !== "result") throw new Error(`expected a result, got ${event?.kind}`);
  return event.call;
}

const marker: CutMarker = { kind: "cut", unit: "lines", count: 1, total: 2, from: 2, to: 2 };

function answer(rest: string, rewrites: readonly (Rewrite | undefined)[]): string {
  return new TextDecoder().decode(host.encode(callOf(rest), rewrites));
}

describe("a plugin's event", () => {
  it.each([
    "",
    "{}",
    '{"host":"some"}',
    '{"host":"other","tool":"x","output":{"output":"a"}}',
    ' {"host":"some","tool":"x","output":{"output":"a"}}',
    '{"host":"some","output":{"output":"a"}}',
    '{"host":"some","tool":"","output":{"output":"a"}}',
    '{"host":"some","tool":1,"output":{"output":"a"}}',
    '{"host":"some","tool":"x"}',
    '{"host":"some","tool":"x","output":"a"}',
    '{"host":"some","tool":"x","output":{"output":"a"}',
  ])("C1: %j is none", (text) => {
    expect(decode(text)).toBeUndefined();
  });

  it("says tool, session, call and servers", () => {
    const call = callOf('"tool":"x","session":"s","call":"c","servers":["a",1,""],"output":{"output":"t"}');
    expect(call).toMatchObject({ tool: "X", session: "s", useId: "c", spilled: false, own: false });
    expect(asked).toEqual({ name: "x", isMcp: false, servers: ["a"] });
  });

  it.each([
    ['"tool":"x","output":{"output":"a\\nb"}', ["a\nb"]],
    ['"tool":"x","output":{"output":""}', [""]],
    ['"tool":"x","output":{"output":7}', []],
    [
      '"tool":"x","output":{"content":[{"type":"text","text":"a"},{"type":"other"},{"type":"text","text":"b"}]}',
      ["a", "b"],
    ],
    ['"tool":"x","output":{"content":[{"type":"text"},1,{"type":"image","text":"a"}]}', []],
    ['"tool":"part","output":{"output":"abcd"}', ["bc"]],
  ])("%s has the texts %j", (rest, expected) => {
    expect(callOf(rest).regions.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(expected);
  });

  it.each([
    ['"command":"own"', true],
    ['"path":"own"', true],
    ['"command":"other"', false],
  ])("C10: %s is our own: %s", (rest, expected) => {
    expect(callOf(`"tool":"x",${rest},"output":{"output":"a"}`).own).toBe(expected);
  });
});

describe("the answer", () => {
  it("C4: is the output as it came with the edits in it", () => {
    const rest = String.raw`"tool":"x","output":{"k":1E2,"output":"é\u00e9\ud800\nbb\ncc"}`;
    // é is two bytes, a lone surrogate three.
    expect(answer(rest, [{ splices: [{ start: 8, end: 10, insert: ['"\n'] }] }])).toBe(
      String.raw`{"k":1E2,"output":"é\u00e9\ud800\n\"\n\ncc"}`,
    );
  });

  it("cites each text's own id, and leaves the others", () => {
    const rest =
      '"tool":"x","output":{"content":[{"type":"text","text":"a\\nb"},{"type":"text","text":"c"}]}';
    const text = answer(rest, [{ splices: [{ start: 2, end: 3, insert: [marker] }], id: ID }, undefined]);
    expect(JSON.parse(text)).toEqual({
      content: [
        { type: "text", text: `a\n[isthmos: 1 of 2 lines truncated, lines 2-2, full: isthmos reveal ${ID}]` },
        { type: "text", text: "c" },
      ],
    });
  });

  it("puts the edit of a part where the part stands", () => {
    expect(
      answer('"tool":"part","output":{"output":"abcd"}', [
        { splices: [{ start: 1, end: 2, insert: ["!"] }] },
      ]),
    ).toBe('{"output":"ab!d"}');
  });

  it("refuses another text in place of one", () => {
    const rewrite = { splices: [], of: new Uint8Array() };
    expect(() => answer('"tool":"x","output":{"output":"a"}', [rewrite])).toThrow("no other text");
  });
});

describe("whatever a plugin sends", () => {
  const members = fc.dictionary(
    fc.constantFrom("tool", "session", "call", "command", "path", "servers", "output", "content"),
    fc.oneof(
      fc.jsonValue(),
      fc.constant({ output: "a" }),
      fc.constant({ content: [{ type: "text", text: "b" }] }),
    ),
  );

  it("C1, C4: no event throws, and without edits its output is what came", () => {
    fc.assert(
      fc.property(members, (value) => {
        const rest = JSON.stringify(value).slice(1);
        const event = decode(`{"host":"some",${rest}`);
        if (event?.kind !== "result") return;
        const { call } = event;
        const answer = host.encode(
          call,
          call.regions.map(() => undefined),
        );
        expect(new TextDecoder().decode(answer)).toBe(JSON.stringify(value.output));
      }),
    );
  });

  it("C1: nor do bytes that are no JSON", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const start = new TextEncoder().encode('{"host":"some",');
        expect(() => host.decode(new Uint8Array([...start, ...bytes]))).not.toThrow();
      }),
    );
  });
});
