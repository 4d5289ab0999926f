// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { parsePointer, pointerStep } from "../../../src/core/json/pointer.ts";

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
