// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { pruneLines } from "../../../src/core/json/ndjson.ts";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import type { Policy } from "../../../src/core/rules/policy.ts";
import { applySplices } from "../../../src/core/splice.ts";

const NO_LIMITS: Policy = {
  rules: [0],
  dropKeys: [],
  maxItems: 0,
  maxLines: 0,
  keepLast: undefined,
  maxStr: 0,
  dedup: false,
  compact: false,
  spilled: "pass",
};

function prune(text: string, policy: Partial<Policy>): string | undefined {
  const bytes = new TextEncoder().encode(text);
  const context = { stored: new Set<string>(), pointerPrefix: "", nested: false };
  const edits = pruneLines(bytes, { ...NO_LIMITS, ...policy }, context);
  return edits && new TextDecoder().decode(applySplices(bytes, edits.splices, EXAMPLE_ID));
}

const record = (n: number): string => `{"n":${n},"text":"tick tick tick tick"}`;
const records = (count: number, end = "\n"): string =>
  Array.from({ length: count }, (_, i) => record(i) + end).join("");
const wrapped = (text: string): string => `{"isthmos":"[isthmos: ${text}]"}`;
const REVEAL = `full: isthmos reveal ${EXAMPLE_ID}`;

describe("pruneLines", () => {
  it.each([
    ["nothing", ""],
    ["one record", `${record(1)}\n`],
    ["a text", "one\ntwo\n"],
    ["a text with a record", `text\n${records(20)}`],
    ["fewer than nine in ten records", `${records(8)}text\n`],
    ["lines of scalars", "1\n2\n3\n"],
  ])("C3: does not take %s for JSON lines", (_, text) => {
    expect(prune(text, { maxLines: 2 })).toBeUndefined();
  });

  it("treats each record by itself", () => {
    const text = '{"a":1,"b":2}\n\n{"b":[1]}\n{"a":3}\n';
    expect(prune(text, { dropKeys: ["b"] })).toBe('{"a":1}\n\n{}\n{"a":3}\n');
  });

  it("counts records with max_lines, a marker being a record", () => {
    expect(prune(records(20), { maxLines: 4 })).toBe(
      `${records(3)}${wrapped(`16 of 20 lines truncated, lines 4-19, ${REVEAL}`)}\n${record(19)}\n`,
    );
  });

  it("counts records with max_items, the stricter limit being the one that acts", () => {
    expect(prune(records(20), { maxItems: 3, maxLines: 10 })).toBe(
      `${records(3)}${wrapped(`17 of 20 lines truncated, lines 4-20, ${REVEAL}`)}\n`,
    );
  });

  it("C9: pins failing records and lines that are none", () => {
    const lines = records(30).split("\n").slice(0, -1);
    lines[10] = '{"n":10,"level":"error"}';
    lines[20] = "plain text";
    const out = prune(`${lines.join("\n")}\n`, { maxLines: 4 });
    expect(out?.split("\n")).toEqual([
      ...lines.slice(0, 3),
      wrapped("lines 4-10 truncated"),
      lines[10],
      wrapped("lines 12-20 truncated"),
      lines[20],
      wrapped(`24 of 30 lines truncated, lines 22-29, ${REVEAL}`),
      lines[29],
      "",
    ]);
  });

  it("C9: pins no more than the limit", () => {
    const text = `${'{"level":"error","message":"cannot connect"}\n'.repeat(100)}`;
    const kept = prune(text, { maxLines: 8 })?.match(/cannot connect/g);
    expect(kept).toHaveLength(16);
  });

  it("C4: keeps CRLF and a missing last line end", () => {
    const text = `${records(20, "\r\n")}${record(20)}`;
    expect(prune(text, { maxLines: 4 })).toBe(
      `${records(3, "\r\n")}${wrapped(`17 of 21 lines truncated, lines 4-20, ${REVEAL}`)}\r\n${record(20)}`,
    );
  });

  it("collapses equal records, before they are counted", () => {
    const text = `${record(1)}\n${`${record(2)}\n`.repeat(6)}${record(3)}\n`;
    const collapsed = `${record(1)}\n${record(2)}\n${wrapped("previous line repeated 5 more times")}\n${record(3)}\n`;
    expect(prune(text, { dedup: true })).toBe(collapsed);
    expect(prune(text, { dedup: true, maxLines: 3 })).toBe(collapsed);
    expect(prune(`${record(2)}\n${record(2)}\n`, { dedup: true })).toBe(`${record(2)}\n${record(2)}\n`);
  });

  it("C15: is linear in 20 MB of small records", () => {
    const text = '{"a":[]}\n'.repeat(2_200_000);
    expect(prune(text, { maxLines: 10, dedup: true })?.length).toBeLessThan(200);
  });
});
