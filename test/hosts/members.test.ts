// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { scan } from "../../src/core/json/scan.ts";
import { findMember, itemsOf, kindOf, membersOf, readBytes, readText } from "../../src/hosts/members.ts";

function indexOf(json: string) {
  const index = scan(new TextEncoder().encode(json));
  if (index === undefined) throw new Error("not JSON");
  return index;
}

describe("findMember", () => {
  it.each([
    ['{"name":"a"}', "a"],
    ['{"x":{"name":"inner"},"name":"a","y":[{"name":"b"}]}', "a"],
    ['{"name":"a","name":"b"}', "b"],
    ['{"n\\u0061me":"a"}', "a"],
    ['{"\\u006e\\u0061\\u006d\\u0065":"a"}', "a"],
    ['{"nam":"a","names":"b","Name":"c"}', undefined],
    ['{"name\\u0000":"a"}', undefined],
    ['["name","a"]', undefined],
    ['"name"', undefined],
    ["{}", undefined],
  ])("%s: %s", (json, expected) => {
    const index = indexOf(json);
    expect(readText(index, findMember(index, 0, "name"))).toBe(expected);
  });

  it("what is not there has no members, no kind and no text", () => {
    const index = indexOf('{"a":1}');
    expect(findMember(index, -1, "a")).toBe(-1);
    expect([...membersOf(index, -1)]).toEqual([]);
    expect(kindOf(index, -1)).toBe(-1);
    expect(readBytes(index, -1)).toBeUndefined();
    expect(readText(index, findMember(index, 0, "a"))).toBeUndefined();
  });
});

describe("itemsOf and membersOf", () => {
  it("give direct children only", () => {
    const index = indexOf('{"a":[1,[2,3],{"b":4}],"c":{"d":5},"e":6}');
    const keys = [...membersOf(index, 0)].map(([key]) => text(index, key));
    expect(keys).toEqual(['"a"', '"c"', '"e"']);
    expect([...itemsOf(index, findMember(index, 0, "a"))].map((item) => text(index, item))).toEqual([
      "1",
      "[2,3]",
      '{"b":4}',
    ]);
  });
});

function text(index: ReturnType<typeof indexOf>, node: number): string {
  return new TextDecoder().decode(index.bytes.subarray(index.start[node], index.end[node]));
}
