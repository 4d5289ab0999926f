// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRow, hashCall, parseRow, type Row } from "../../src/measure/row.ts";

const TS = "2026-11-30T10:00:00.000Z";
const ts = Date.parse(TS);

describe("formatRow", () => {
  it.each<[string, Row, string]>([
    [
      "a whole call",
      {
        ...{ kind: "call", ts, tool: "mcp__github__list_issues", inBytes: 51234, outBytes: 20111 },
        ...{ rules: [0, 2], cuts: { items: 17, keys: 120 }, ms: 3.4, shadow: true, call: "9f31c2aa" },
        host: "claude-code",
      },
      `{"ts":"${TS}","tool":"mcp__github__list_issues","in_bytes":51234,"out_bytes":20111,"host":"claude-code","call":"9f31c2aa","shadow":true,"ms":3,"cuts":{"keys":120,"items":17},"rules":[0,2]}`,
    ],
    [
      "defaults left out",
      {
        ...{ kind: "call", ts, tool: "Bash", inBytes: 0, outBytes: 0, host: undefined, call: undefined },
        ...{ shadow: false, failure: false, ms: 0.2, cuts: { lines: 0 }, rules: [] },
      },
      `{"ts":"${TS}","tool":"Bash","in_bytes":0,"out_bytes":0}`,
    ],
    [
      "a failure",
      { kind: "call", ts, tool: "Bash", inBytes: 9, outBytes: 9, failure: true },
      `{"ts":"${TS}","tool":"Bash","in_bytes":9,"out_bytes":9,"failure":true}`,
    ],
    [
      "an excerpt that a diff keeps above the budget",
      {
        ...{ kind: "call", ts, tool: "Bash", inBytes: 2211, outBytes: 19000, excerpt: true, kept: "diff" },
      },
      `{"ts":"${TS}","tool":"Bash","in_bytes":2211,"out_bytes":19000,"excerpt":true,"kept":"diff"}`,
    ],
    [
      "delivered",
      { kind: "delivered", ts, tool: "Bash", call: "9f31c2aa", delivered: 0 },
      `{"ts":"${TS}","tool":"Bash","call":"9f31c2aa","delivered":0}`,
    ],
    [
      "a reveal",
      { kind: "reveal", ts, tool: "Bash", revealed: 12 },
      `{"ts":"${TS}","tool":"Bash","reveal":true,"revealed":12}`,
    ],
    [
      "C13: a hostile name",
      { kind: "reveal", ts, tool: `\x1b[2J\n${"x".repeat(300)}` },
      `{"ts":"${TS}","tool":"\\\\x1b[2J\\\\x0a${"x".repeat(189)}","reveal":true}`,
    ],
  ])("%s", (_, row, expected) => {
    expect(formatRow(row)).toBe(expected);
  });
});

describe("parseRow", () => {
  const call = { ts: TS, tool: "Bash", in_bytes: 10, out_bytes: 4 };
  it.each<[string, unknown, Row | undefined]>([
    [
      "an excerpt",
      { ...call, excerpt: true, kept: "json" },
      { ...{ kind: "call", ts, tool: "Bash", inBytes: 10, outBytes: 4 }, excerpt: true, kept: "json" },
    ],
    ["no excerpt", { ...call, excerpt: 1 }, undefined],
    ["kept for no known reason", { ...call, kept: "luck" }, undefined],
    ["a call", call, { kind: "call", ts, tool: "Bash", inBytes: 10, outBytes: 4 }],
    [
      "a row of the Go program",
      { ...call, ts: "2026-11-30T10:00:00.000123456Z", reveal: false },
      { kind: "call", ts, tool: "Bash", inBytes: 10, outBytes: 4 },
    ],
    [
      "a reveal of the Go program",
      { ...call, in_bytes: 0, out_bytes: 0, reveal: true },
      { kind: "reveal", ts, tool: "Bash" },
    ],
    [
      "unknown fields, unknown cuts",
      { ...call, later: {}, cuts: { lines: 2, later: "x" } },
      { kind: "call", ts, tool: "Bash", inBytes: 10, outBytes: 4, cuts: { lines: 2 } },
    ],
    [
      "names come out clean",
      { ...call, tool: "a\x1b", host: "b\n" },
      { kind: "call", ts, tool: "a\\x1b", host: "b\\x0a", inBytes: 10, outBytes: 4 },
    ],
    [
      "a tool named __proto__",
      { ...call, tool: "__proto__" },
      expect.objectContaining({ tool: "__proto__" }),
    ],
    ["no object", [call], undefined],
    ["null", null, undefined],
    ["text", "x", undefined],
    ["no time", { ...call, ts: undefined }, undefined],
    ["a time that is none", { ...call, ts: "yesterday" }, undefined],
    ["a time as a number", { ...call, ts: 5 }, undefined],
    ["no tool", { ...call, tool: undefined }, undefined],
    ["a tool that is no text", { ...call, tool: {} }, undefined],
    ["a negative size", { ...call, in_bytes: -1 }, undefined],
    [
      "an infinite size",
      JSON.parse(`{"ts":"${TS}","tool":"Bash","in_bytes":1e999,"out_bytes":0}`),
      undefined,
    ],
    ["a size as text", { ...call, out_bytes: "4" }, undefined],
    ["half a call", { ...call, out_bytes: undefined }, undefined],
    ["neither call nor report", { ts: TS, tool: "Bash" }, undefined],
    ["delivered for no call", { ts: TS, tool: "Bash", delivered: 5 }, undefined],
    ["a negative delivery", { ts: TS, tool: "Bash", call: "1", delivered: -5 }, undefined],
    ["a negative reveal", { ts: TS, tool: "Bash", reveal: true, revealed: -5 }, undefined],
    ["reveal of a wrong type", { ...call, reveal: 1 }, undefined],
    ["shadow of a wrong type", { ...call, shadow: "yes" }, undefined],
    ["failure of a wrong type", { ...call, failure: 1 }, undefined],
    ["host of a wrong type", { ...call, host: 1 }, undefined],
    ["call of a wrong type", { ...call, call: 1 }, undefined],
    ["ms of a wrong type", { ...call, ms: "3" }, undefined],
    ["cuts of a wrong type", { ...call, cuts: 3 }, undefined],
    ["a cut of a wrong type", { ...call, cuts: { lines: -1 } }, undefined],
    ["rules of a wrong type", { ...call, rules: ["0"] }, undefined],
  ])("%s", (_, value, expected) => {
    expect(parseRow(value)).toEqual(expected);
  });

  it("reads back what formatRow writes", () => {
    const base = {
      ts: fc.integer({ min: 0, max: 4e12 }),
      tool: fc.string({ maxLength: 40 }).map((text) => text.replace(/[^\x20-\x7e]/g, "?")),
    };
    const size = fc.nat();
    const row: fc.Arbitrary<Row> = fc.oneof(
      fc.record(
        {
          ...{ kind: fc.constant("call" as const), ...base, inBytes: size, outBytes: size },
          ...{ host: fc.constant("claude-code"), call: fc.string(), ms: fc.integer({ min: 1, max: 9999 }) },
          ...{
            shadow: fc.constant(true),
            failure: fc.constant(true),
            cuts: fc.constant({ keys: 1, seen: 2 }),
          },
          rules: fc.array(size, { minLength: 1 }),
        },
        { requiredKeys: ["kind", "ts", "tool", "inBytes", "outBytes"] },
      ),
      fc.record({ kind: fc.constant("delivered" as const), ...base, call: fc.string(), delivered: size }),
      fc.record({ kind: fc.constant("reveal" as const), ...base, revealed: size }),
    );
    fc.assert(fc.property(row, (it) => void expect(parseRow(JSON.parse(formatRow(it)))).toEqual({ ...it })));
  });

  it("never throws, whatever JSON it gets", () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom("ts", "tool", "in_bytes", "cuts", "rules", "reveal"), fc.jsonValue()),
    );
    fc.assert(fc.property(value, (it) => void parseRow(it)));
  });
});

describe("hashCall", () => {
  it.each([
    ["", "811c9dc5"],
    ["a", "e40c292c"],
    ["foobar", "bf9cf968"],
  ])("%j is 32-bit FNV-1a: %s", (text, expected) => {
    expect(hashCall(text)).toBe(expected);
  });
});
