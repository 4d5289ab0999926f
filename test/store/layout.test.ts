// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { entryId, entryName, findLeftovers, isId } from "../../src/store/layout.ts";

it.each([
  ["0123456789abcdef", true],
  ["0123456789abcde", false],
  ["0123456789abcdef0", false],
  ["0123456789ABCDEF", false],
  ["0123456789abcdef\n", false],
  ["../456789abcdef01", false],
  ["", false],
])("%j is an id: %s", (text, expected) => expect(isId(text)).toBe(expected));

it.each([
  [entryName("0123456789abcdef"), "0123456789abcdef"],
  ["0123456789abcdef.bin.1-a.out", undefined],
  [".0123456789abcdef.bin.1-a.tmp", undefined],
  ["0123456789abcdef.meta", undefined],
  ["0123456789abcde.bin", undefined],
])("the id of %s: %s", (name, expected) => expect(entryId(name)).toBe(expected));

it.each([
  [[], []],
  [["aa.bin"], []],
  [
    ["aa.bin", "aa.meta"],
    ["aa.meta", "aa.bin"],
  ],
  [["aa.meta", "bb.bin"], ["aa.meta"]],
  [["store.key", ".swept", "notes.meta"], ["store.key"]],
])("of %j the Go program left %j", (names, expected) => expect([...findLeftovers(names)]).toEqual(expected));
