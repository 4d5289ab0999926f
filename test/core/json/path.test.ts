// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { createKeyTable } from "../../../src/core/json/key-table.ts";
import { type Frame, memberNames, openFrame, pathPointer } from "../../../src/core/json/path.ts";
import { ARRAY } from "../../../src/core/json/scan.ts";
import { scanText } from "./support.ts";

const keys = createKeyTable(() => false);

/** The pointer of the document's first innermost value: the way down along first children. */
function firstPointer(text: string, prefix: string | undefined): string | undefined {
  const index = scanText(text);
  const path: Frame[] = [];
  for (let node = 0; index.next[node] !== node + 1; ) {
    const frame = openFrame(index, node);
    const isArray = index.kind[node] === ARRAY;
    frame.at = isArray ? 0 : node + 1;
    path.push(frame);
    node += isArray ? 1 : 2;
  }
  return pathPointer(index, path, prefix, keys);
}

describe("pathPointer", () => {
  it.each([
    ["1", ""],
    ["[[1]]", "/0/0"],
    ['{"a":{"b/c":[1]}}', "/a/b~1c/0"],
    ['{"\\u0061~":1}', "/a~0"],
    // What a marker cannot quote, and what names two members.
    ['{"a]":1}', undefined],
    ['{"a\\"":1}', undefined],
    ['{"a\\n":1}', undefined],
    ['{"a":1,"a":2}', undefined],
    ['{"a":1,"\\u0061":2}', undefined],
    [`{"${"k".repeat(255)}":1}`, `/${"k".repeat(255)}`],
    [`{"${"k".repeat(256)}":1}`, undefined],
    [`${"[".repeat(128)}1${"]".repeat(128)}`, "/0".repeat(128)],
    [`${"[".repeat(129)}1${"]".repeat(129)}`, undefined],
  ])("%.40s: %s", (text, expected) => {
    expect(firstPointer(text, "")).toBe(expected);
  });

  it("stands behind the document's own pointer, or is not known without it", () => {
    expect(firstPointer('{"a":1}', "/12")).toBe("/12/a");
    expect(firstPointer('{"a":1}', undefined)).toBeUndefined();
  });
});

it("memberNames counts decoded names, __proto__ like any other", () => {
  const index = scanText('{"a":{"a":9},"\\u0061":1,"__proto__":2}');
  expect([...memberNames(index, openFrame(index, 0), keys)]).toEqual([
    ["a", 2],
    ["__proto__", 1],
  ]);
});
