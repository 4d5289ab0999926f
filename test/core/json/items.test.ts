// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import { FULL, prune } from "./support.ts";

const STORED = new Set([EXAMPLE_ID]);
const PAD = "p".repeat(60);

/** `count` items `{"i":0,…}`, those of `failing` with an error. */
const objects = (count: number, failing: readonly number[] = []): string =>
  `[${Array.from({ length: count }, (_, i) => `{"i":${i},"p":"${PAD}"${failing.includes(i) ? ',"error":"boom"' : ""}}`)}]`;
const strings = (count: number): string => `[${Array.from({ length: count }, (_, i) => `"${i}-${PAD}"`)}]`;

/** What is left: the number of each kept item, and in between what a marker says before its id. */
function outline(out: string): unknown[] {
  const items: unknown = JSON.parse(out);
  if (!Array.isArray(items)) throw new Error("not an array");
  return items.map((item: { i?: number; isthmos?: string } | string) => {
    if (typeof item === "string") return item.startsWith("[") ? short(item) : Number.parseInt(item, 10);
    return item.i ?? short(item.isthmos ?? "");
  });
}
const short = (marker: string): string =>
  marker.replace("[isthmos: ", "").replace(FULL, " #").replace(" truncated]", "");

describe("max_items", () => {
  it.each([
    [19, undefined, undefined],
    [20, undefined, undefined],
    [22, undefined, [...range(0, 20), "2 of 22 items truncated, items 20-21 #"]],
    [40, undefined, [...range(0, 20), "20 of 40 items truncated, items 20-39 #"]],
    [40, 5, [...range(0, 15), "20 of 40 items truncated, items 15-34 #", ...range(35, 40)]],
    [40, 0, [...range(0, 20), "20 of 40 items truncated, items 20-39 #"]],
    // keep_last is clamped, so that the first item always stays.
    [40, 99, [0, "20 of 40 items truncated, items 1-20 #", ...range(21, 40)]],
  ])("C5: %d items, keep_last %s, limit 20", (count, keepLast, expected) => {
    for (const text of [objects(count), strings(count)]) {
      const { out, cuts } = prune(text, { maxItems: 20, keepLast });
      if (expected === undefined) expect([out, cuts]).toEqual([text, {}]);
      else {
        expect(outline(out)).toEqual(expected);
        expect(cuts.items).toBe(count - 20);
      }
    }
  });

  it("writes exactly this", () => {
    expect(
      prune(`{"rows": [{"a":1} , {"a":2}, {"a":3},\n {"a":4, "long":"${PAD}${PAD}"} ]}`, { maxItems: 1 }).out,
    ).toBe(
      `{"rows": [{"a":1} , {"isthmos":"[isthmos: 3 of 4 items truncated, items 1-3, field /rows${FULL}"} ]}`,
    );
    expect(prune(`["a" , "b", "${PAD}${PAD}" ]`, { maxItems: 1 }).out).toBe(
      `["a" , "[isthmos: 2 of 3 items truncated, items 1-2${FULL}" ]`,
    );
  });

  it.each([0, 1, 2, 3])("C2: a hole of its marker's size and %d bytes more", (more) => {
    const wrapped = `{"isthmos":"[isthmos: 1 of 2 items truncated, items 1-1${FULL}"}`;
    const item = (length: number): string => `{"a":"${"x".repeat(length - 8)}"}`;
    const { splices } = prune(`[{"a":1},${item(wrapped.length + more)}]`, { maxItems: 1 });
    expect(splices.length).toBe(more === 0 ? 0 : 1);
  });

  it("C2: where the last hole does not pay, the one before it carries the totals", () => {
    const small = '{"i":8}';
    const text = objects(10, [4, 7]).replace(/\{"i":[89],"p":"p+"\}/g, small);
    const { out, cuts } = prune(text, { maxItems: 2 });
    expect(outline(out)).toEqual([0, 1, "items 2-3", 4, "4 of 10 items truncated, items 5-6 #", 7, 8, 8]);
    expect(cuts.items).toBe(4);
  });

  it("C9: failing items stay, with holes around them", () => {
    const { out } = prune(objects(30, [3, 12, 29]), { maxItems: 4, keepLast: 1 });
    expect(outline(out)).toEqual([
      0,
      1,
      2,
      3,
      "items 4-11",
      12,
      "24 of 30 items truncated, items 13-28 #",
      29,
    ]);
  });

  it("C9: of more failures than the limit, the first three quarters and the last quarter", () => {
    // Each of another kind: letters, since numbers do not tell failures apart.
    const text = objects(100, range(10, 90)).replace(/\{"i":(\d)(\d),/g, (item, tens, ones) => {
      const kind = "qwertyuiop"[Number(tens)] ?? "";
      return `${item}"kind":"${kind}${"asdfghjklz"[Number(ones)]}",`;
    });
    const { out } = prune(text, { maxItems: 8 });
    expect(outline(out)).toEqual([
      ...range(0, 8),
      // Two items' bytes pay for the short marker.
      "items 8-9",
      ...range(10, 16),
      "items 16-87",
      88,
      89,
      "84 of 100 items truncated, items 90-99 #",
    ]);
  });

  it("C9: hundreds of one failure do not hide another", () => {
    const text = objects(200, range(10, 190)).replace('"i":100,', '"i":100,"kind":"disk dead",');
    const { out } = prune(text, { maxItems: 8 });
    expect(out).toContain("disk dead");
    expect(outline(out).filter((item) => typeof item === "number")).toHaveLength(8 + 3);
  });

  it("C9: failing strings stay", () => {
    const { out } = prune(strings(30).replace('"17-', '"17-ERROR: disk full '), { maxItems: 3 });
    expect(outline(out)).toEqual([0, 1, 2, "items 3-16", 17, "26 of 30 items truncated, items 18-29 #"]);
  });

  it("C7: cuts arrays from the outside, and kept items by themselves", () => {
    const row = `{"name":"${PAD}","tags":["a","b","c"],"list":${strings(6)}}`;
    const { out, cuts } = prune(`[${[row, row, row, row]}]`, { maxItems: 2 });
    const parsed = JSON.parse(out);
    expect(parsed.map((item: object) => Object.keys(item).join())).toEqual([
      "name,tags,list",
      "name,tags,list",
      "isthmos",
    ]);
    expect(parsed[1].list[2]).toBe(`[isthmos: 4 of 6 items truncated, items 2-5, field /1/list${FULL}`);
    expect(parsed[1].tags).toEqual(["a", "b", "c"]);
    expect(cuts.items).toBe(2 + 4 + 4);
  });
});

describe("C7: arrays that get no foreign item", () => {
  const numbers = Array.from({ length: 100 }, (_, i) => `${i}.0`).join(",");
  it.each([
    ["numbers", numbers],
    ["booleans and nulls", Array.from({ length: 100 }, (_, i) => (i % 2 ? "true" : "null")).join(",")],
    ["arrays", Array.from({ length: 100 }, (_, i) => `[${i}]`).join(",")],
    ["mixed kinds", Array.from({ length: 100 }, (_, i) => (i % 2 ? `"s${i}"` : "{}")).join(",")],
  ])("%s: the marker stands beside", (_, list) => {
    const items = list.split(/,(?![^[]*\])/);
    const marker = `[isthmos: 90 of 100 items truncated, items 8-97, field /v${FULL}`;
    expect(prune(`{"v":[${list}],"z":1}`, { maxItems: 10, keepLast: 2 }).out).toBe(
      `{"v":[${[...items.slice(0, 8), ...items.slice(98)]}],"v (isthmos)":"${marker}","z":1}`,
    );
  });

  it.each([
    ["the root", `[${numbers}]`],
    ["an item", `[[${numbers}],[${numbers}]]`],
    ["a member whose marker's name is taken", `{"v":[${numbers}],"v (isthmos)":1}`],
    ["a member whose marker's name is taken, with an escape", `{"v":[${numbers}],"\\u0076 (isthmos)":1}`],
    ["one of two members of one name", `{"v":[${numbers}],"v":[${numbers}]}`],
    ["a member whose name has escapes", `{"v\\u0041":[${numbers}]}`],
  ])("%s stays whole", (_, text) => {
    expect(prune(text, { maxItems: 10 }).splices).toEqual([]);
  });

  it("follows the white space of the member, unless that goes", () => {
    const text = `{\n  "a": 1,\n  "v" : [\n    ${numbers.replaceAll(",", ",\n    ")}\n  ],\n  "z": 1\n}`;
    const marker = `[isthmos: 98 of 100 items truncated, items 2-99, field /v${FULL}`;
    expect(prune(text, { maxItems: 2 }).out).toBe(
      `{\n  "a": 1,\n  "v" : [\n    0.0,\n    1.0\n  ],\n  "v (isthmos)" : "${marker}",\n  "z": 1\n}`,
    );
    expect(prune(text, { maxItems: 2, compact: true }).out).toBe(
      `{"a":1,"v":[0.0,1.0],"v (isthmos)":"${marker}","z":1}`,
    );
  });

  it("cuts the largest hole between pins, and still treats the items", () => {
    const mixed = `[1,2,"ERROR: disk full",${numbers},{"node_id":1}]`;
    const { out } = prune(`{"v":${mixed}}`, { maxItems: 2, keepLast: 1, dropKeys: ["node_id"] });
    expect(out).toBe(
      `{"v":[1,2,"ERROR: disk full",{}],"v (isthmos)":"[isthmos: 100 of 104 items truncated, items 3-102, field /v${FULL}"}`,
    );
    expect(prune(`[[${strings(9)}]]`, { maxItems: 2 }).out).toContain("items 2-8, field /0/0");
  });
});

describe("a marker of a stored original", () => {
  it("is pinned like a failure", () => {
    const marker = `{"isthmos":"[isthmos: 5 of 9 items truncated, items 2-6${FULL}"}`;
    const text = objects(30).replace(/\{"i":17,.*?\}/, marker);
    expect(outline(prune(text, { maxItems: 2 }, { stored: STORED }).out)).toEqual([
      0,
      1,
      "items 2-16",
      "5 of 9 items truncated, items 2-6 #",
      "27 of 30 items truncated, items 18-29 #",
    ]);
    expect(outline(prune(text, { maxItems: 2 }).out)).toEqual([
      0,
      1,
      "28 of 30 items truncated, items 2-29 #",
    ]);
  });

  it.each([
    ["objects", objects(100, range(20, 90))],
    ["strings", strings(100)],
    ["numbers", `{"v":[${Array.from({ length: 200 }, (_, i) => i)}]}`],
  ])("cut %s are not cut again", (_, text) => {
    const once = prune(text, { maxItems: 8, keepLast: 2 }).out;
    expect(once.length).toBeLessThan(text.length);
    expect(prune(once, { maxItems: 8, keepLast: 2 }, { stored: STORED }).out).toBe(once);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
