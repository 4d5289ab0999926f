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
  budget: undefined,
  compact: false,
  stripAnsi: false,
  collapseCr: false,
  spilled: "pass",
};

function prune(text: string, policy: Partial<Policy>, ids: readonly string[] = []): string | undefined {
  const bytes = new TextEncoder().encode(text);
  const context = { stored: new Set(ids), pointerPrefix: "", nested: false };
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
    const kinds = Array.from(
      { length: 100 },
      (_, i) => `${"qwertyuiop"[i % 10]}${"asdfghjklz"[Math.floor(i / 10)]}`,
    );
    const text = kinds.map((kind) => `{"level":"error","message":"cannot connect to ${kind}"}\n`).join("");
    expect(prune(text, { maxLines: 8 })?.match(/cannot connect/g)).toHaveLength(16);
  });

  it("C9: hundreds of one failure, or of lines that are no record, do not hide another failure", () => {
    const repeats = Array.from({ length: 100 }, (_, i) => `{"level":"error","message":"retry ${i}"}\n`);
    repeats[50] = '{"level":"error","message":"disk dead"}\n';
    expect(prune(repeats.join(""), { maxLines: 8 })).toContain("disk dead");
    const lines = records(300).split("\n");
    const noisy = lines.map((line, i) => (i % 15 === 7 ? `GET /health 200\n${line}\n\n` : `${line}\n\n`));
    noisy[150] = '{"level":"error","message":"disk dead"}\n';
    expect(prune(noisy.join(""), { maxLines: 8 })).toContain("disk dead");
  });

  it("C8: leaves a patch between records as it is, records in it too", () => {
    const body = records(60).replace(/^/gm, " ").slice(0, -1);
    const patch = `diff --git a/log b/log\n--- a/log\n+++ b/log\n@@ -1,60 +1,61 @@\n+{"added":1}\n${body}`;
    const out = prune(`${records(900)}${patch}${records(900)}`, { maxLines: 6, dropKeys: ["text"] });
    expect(out).toContain(patch);
    expect(out).toContain("lines truncated");
  });

  it("C10: leaves what an earlier pass left", () => {
    const lines = records(80).split("\n");
    for (const i of [20, 21, 40, 60]) lines[i] = `{"level":"error","n":${i}}`;
    for (const maxLines of [2, 3, 5, 8]) {
      const once = prune(lines.join("\n"), { maxLines, maxItems: 4, dedup: true }) ?? "";
      expect(once).toContain("truncated");
      expect(prune(once, { maxLines, maxItems: 4, dedup: true }, [EXAMPLE_ID])).toBe(once);
    }
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
