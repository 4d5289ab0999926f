// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { compress, type Facts } from "../../src/core/compress.ts";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import type { Region } from "../../src/core/region.ts";
import type { Policy } from "../../src/core/rules/policy.ts";
import { applySplices } from "../../src/core/splice.ts";

const POLICY: Policy = {
  rules: [0],
  dropKeys: ["drop"],
  maxItems: 2,
  maxLines: 4,
  keepLast: 1,
  maxStr: 0,
  dedup: true,
  budget: undefined,
  compact: false,
  stripAnsi: false,
  collapseCr: false,
  spilled: "pass",
};
const FACTS: Facts = { tool: "Bash", seen: false, stored: new Set(), lossy: true };

function run(text: string, input: Partial<Region> = {}, facts: Partial<Facts> = {}) {
  const bytes = new TextEncoder().encode(text);
  const found = compress({ bytes, cut: "any", content: "text", ...input }, POLICY, { ...FACTS, ...facts });
  return { ...found, text: new TextDecoder().decode(applySplices(bytes, found.splices, EXAMPLE_ID)) };
}

const LINES = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join("");
const LIST = JSON.stringify({ items: Array.from({ length: 40 }, (_, i) => ({ id: i, name: `row ${i}` })) });

describe("compress", () => {
  it.each([
    ["a text by lines", LINES, "[isthmos: 56 of 60 lines truncated, lines 4-59,"],
    ["a document by items", LIST, "[isthmos: 38 of 40 items truncated, items 1-38, field /items,"],
    ["a document behind white space", `\n  ${LIST}`, "[isthmos: 38 of 40 items"],
    [
      "JSON lines by records",
      '{"text":"tick tick"}\n{"n":1}\n'.repeat(30),
      '{"isthmos":"[isthmos: 58 of 60 lines',
    ],
    ["a text that only opens like JSON", `[INFO] start\n${LINES}`, "[isthmos: 57 of 61 lines truncated"],
  ])("treats %s", (_, text, marker) => {
    expect(run(text).text).toContain(marker);
    expect(run(text).citesId).toBe(true);
  });

  it.each([
    ["a region that may not be cut", LINES, { cut: "none" }],
    ["an empty one", "", {}],
    ["one below every limit", "one\ntwo\n", {}],
    ["a JSON string", `"${"a\\n".repeat(60)}"`, {}],
    ["names that fit", "a\nb\n", { content: "names" }],
  ] as const)("C3: leaves %s", (_, text, input) => {
    expect(run(text, input)).toMatchObject({ splices: [], cuts: {}, citesId: false, text });
  });

  it("C7: cuts a file with line numbers at its end only, whatever it holds", () => {
    const out = run(`${LINES}${LINES}`, { cut: "tail" }).text;
    expect(out).toBe(
      `line 0\nline 1\nline 2\nline 3\n[isthmos: 116 of 120 lines truncated, lines 5-120, full: isthmos reveal ${EXAMPLE_ID}]\n`,
    );
    expect(run(LIST, { cut: "tail" }).splices).toEqual([]);
  });

  it("loses nothing where nothing can be stored", () => {
    expect(run(LINES, {}, { lossy: false }).splices).toEqual([]);
    expect(run(`{"drop":1,"items":[1,2,3,4,5,6]}`, {}, { lossy: false }).text).toBe(
      '{"items":[1,2,3,4,5,6]}',
    );
    const same = run("the same line again\n".repeat(9), {}, { lossy: false });
    expect(same.text).toBe("the same line again\n[isthmos: previous line repeated 8 more times]\n");
    expect(same.citesId).toBe(false);
  });
});

describe("compress, for what was seen", () => {
  const REFERENCE = "identical to an earlier Bash result in this session";
  const long = LINES.repeat(12);
  const list = JSON.stringify(Array.from({ length: 400 }, (_, i) => ({ id: i })));

  it("C12: says that a result is the same, with its size", () => {
    expect(run(long, {}, { seen: true })).toMatchObject({
      text: `[isthmos: ${REFERENCE}, 720 lines, full: isthmos reveal ${EXAMPLE_ID}]`,
      citesId: true,
      cuts: { seen: 1 },
    });
  });

  it("C7: keeps a document a document of its kind", () => {
    const bytes = list.length;
    const marker = `[isthmos: ${REFERENCE}, ${bytes} bytes, full: isthmos reveal ${EXAMPLE_ID}]`;
    expect(JSON.parse(run(list, {}, { seen: true }).text)).toEqual([{ isthmos: marker }]);
    expect(JSON.parse(run(`{"a":${list}}`, {}, { seen: true }).text)).toEqual({
      isthmos: marker.replace(String(bytes), String(bytes + 6)),
    });
  });

  it.each([
    [4095, false],
    [4096, true],
  ])("C12: refers to %i bytes: %s", (bytes, refers) => {
    expect(run("x".repeat(bytes), {}, { seen: true }).splices.length > 0).toBe(refers);
  });

  it("C12: needs the store, and a text", () => {
    expect(run(long, {}, { seen: true, lossy: false }).text).not.toContain(REFERENCE);
    expect(run(long, { content: "names" }, { seen: true }).text).not.toContain(REFERENCE);
  });

  it("keeps a tool's name from breaking the marker", () => {
    expect(run(long, {}, { seen: true, tool: 'a"]\n\\é' }).text).toContain("an earlier a_____ result");
  });
});
