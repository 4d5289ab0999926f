// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { findField, parsePointer, pointerStep } from "../../../src/core/json/pointer.ts";
import { decode, scanText } from "./support.ts";

it.each([
  ["a", "/a"],
  [3, "/3"],
  ["a/b", "/a~1b"],
  ["m~n", "/m~0n"],
  ["~1", "/~01"],
  ["", "/"],
])("pointerStep %j is %s and parses back", (name, step) => {
  expect(pointerStep(name)).toBe(step);
  expect(parsePointer(step)).toEqual([String(name)]);
});

it.each(["a", "a/b", "/~", "/a~2", "/x/~"])("%j is no pointer", (text) => {
  expect(parsePointer(text)).toBeUndefined();
});

// The examples of RFC 6901 and what they leave open.
const DOCUMENT = JSON.stringify({
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
  é: 9,
  deep: [{ x: [1, [2, 3]] }],
  inner: '{"rows":[{"id":10},{"id":11}],"again":"[12]"}',
});

describe("findField", () => {
  it.each([
    ["", DOCUMENT],
    ["/foo", '["bar","baz"]'],
    ["/foo/0", '"bar"'],
    ["/", "0"],
    ["/a~1b", "1"],
    ["/c%d", "2"],
    ['/k"l', "6"],
    ["/ ", "7"],
    ["/m~0n", "8"],
    ["/é", "9"],
    ["/deep/0/x/1/1", "3"],
    ["/inner/rows/1/id", "11"],
    ["/inner/again", '"[12]"'],
    // Nothing there: past the end, no index, into a scalar, a second level of strings.
    ["/foo/2", undefined],
    ["/foo/00", undefined],
    ["/foo/-", undefined],
    ["/foo/length", undefined],
    ["/nope", undefined],
    ["//x", undefined],
    ["/inner/again/0", undefined],
    ["/foo/0/x", undefined],
    ["foo", undefined],
  ])("%j", (pointer, expected) => {
    const found = findField(scanText(DOCUMENT), pointer);
    const text =
      found && decode(found.index.bytes.subarray(found.index.start[found.node], found.index.end[found.node]));
    expect(text).toBe(expected);
  });

  it("takes the last of two members of one name, however spelled", () => {
    const found = findField(scanText('{"a":1,"\\u0061":2,"b":3}'), "/a");
    expect(found?.node).toBe(4);
  });
});
