// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { type Part, recoverPart } from "../../src/core/recover.ts";

const LINES = "one\ntwo\r\nthree\nfour";
const DOCUMENT = JSON.stringify({
  log: { text: "a\nb\nc" },
  items: [1, { x: 2 }, 3],
  doc: '{"list":["p","q"]}',
});
const RECORDS = '{"a":1}\n{"a":[5,6,7]}\n';

function recover(original: string, part: Part): string {
  const found = recoverPart(new TextEncoder().encode(original), part);
  return "problem" in found ? `! ${found.problem}` : new TextDecoder().decode(found.bytes);
}

describe("recoverPart", () => {
  it.each<[string, string, Part, string]>([
    ["the whole", LINES, {}, LINES],
    ["lines, counted from 1", LINES, { lines: { from: 2, to: 3 } }, "two\r\nthree\n"],
    ["the last line", LINES, { lines: { from: 4, to: 4 } }, "four"],
    ["lines past the end", LINES, { lines: { from: 3, to: 99 } }, "three\nfour"],
    ["a line that is not there", LINES, { lines: { from: 5, to: 5 } }, "! the text has 4 lines, not 5"],
    ["line 0", LINES, { lines: { from: 0, to: 1 } }, "! lines count from 1"],
    ["bytes, half-open", LINES, { bytes: { from: 1, to: 4 } }, "ne\n"],
    ["no bytes", LINES, { bytes: { from: 4, to: 4 } }, ""],
    ["bytes past the end", LINES, { bytes: { from: 99, to: 100 } }, "! the text has 19 bytes, not 99"],
    ["a field's decoded text", DOCUMENT, { field: "/log/text" }, "a\nb\nc"],
    ["lines of a field", DOCUMENT, { field: "/log/text", lines: { from: 2, to: 2 } }, "b\n"],
    ["bytes of a field", DOCUMENT, { field: "/log/text", bytes: { from: 2, to: 5 } }, "b\nc"],
    ["a field that is no string", DOCUMENT, { field: "/items/1" }, '{"x":2}'],
    ["items", DOCUMENT, { field: "/items", items: { from: 1, to: 2 } }, '{"x":2},3'],
    ["items past the end", DOCUMENT, { field: "/items", items: { from: 2, to: 9 } }, "3"],
    [
      "items that are not there",
      DOCUMENT,
      { field: "/items", items: { from: 3, to: 4 } },
      "! the array has 3 items; they count from 0",
    ],
    ["items of an object", DOCUMENT, { items: { from: 0, to: 0 } }, "! there is no array there"],
    ["a document inside a string", DOCUMENT, { field: "/doc/list", items: { from: 1, to: 1 } }, '"q"'],
    [
      "items of a document that is an array in a string",
      '{"body":"[1,[2],3]"}',
      { field: "/body", items: { from: 1, to: 2 } },
      "[2],3",
    ],
    ["a field that is not there", DOCUMENT, { field: "/nope" }, "! there is no field /nope"],
    ["a field of a text", LINES, { field: "/a" }, "! the original is no JSON document"],
    ["a field of a JSON line", RECORDS, { field: "/1/a", items: { from: 1, to: 2 } }, "6,7"],
    ["a JSON line", RECORDS, { field: "/0" }, '{"a":1}'],
    ["a JSON line that is not there", RECORDS, { field: "/2" }, "! the text has 2 lines, not 3"],
  ])("gives back %s", (_, original, part, expected) => {
    expect(recover(original, part)).toBe(expected);
  });
});
