// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateDocument, locateField, valueEnd } from "../../../src/core/json/locate.ts";
import { pointerStep } from "../../../src/core/json/pointer.ts";
import { decode, encode } from "./support.ts";

/** The JSON of what the pointer names, or undefined. */
function locate(document: string, pointer: string): string | undefined {
  const root = locateDocument(encode(document));
  if (root === undefined) throw new Error("no document");
  const found = locateField(root, pointer);
  return "problem" in found ? undefined : decode(found.bytes.subarray(found.start, found.end));
}

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

describe("locateField", () => {
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
    expect(locate(DOCUMENT, pointer)).toBe(expected);
  });

  it("takes the last of two members of one name, however spelled", () => {
    expect(locate('{"a":1,"\\u0061":2,"b":3}', "/a")).toBe("2");
  });

  it.each([
    ["/foo/0/x", "it leads into a text"],
    ["/a~1b/x", "it leads into a number"],
    ["/yes/x", "it leads into true or false"],
    ["/nil/x", "it leads into null"],
    ["foo", "one begins with /"],
  ])("says why there is no %s", (pointer, words) => {
    const root = locateDocument(encode('{"foo":["bar"],"a/b":1,"yes":true,"nil":null}'));
    expect(root && locateField(root, pointer)).toEqual({ problem: expect.stringContaining(words) });
  });

  it("finds every value of any document", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (text, spaces) => {
        const document = JSON.stringify(JSON.parse(text), null, spaces);
        const open: [string, unknown][] = [["", JSON.parse(document)]];
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
          const [pointer, value] = next;
          expect(JSON.parse(locate(document, pointer) ?? "")).toEqual(value);
          if (typeof value !== "object" || value === null) continue;
          // A member of the name __proto__ is one that JSON.parse makes and Object.entries lists.
          for (const [name, child] of Object.entries(value)) open.push([pointer + pointerStep(name), child]);
        }
      }),
    );
  });
});

describe("locateDocument", () => {
  it.each(["", " ", "hello", "one two", '{"a":1} {"b":2}', "[1", '"open', "[1]]"])(
    "takes %j for none",
    (text) => expect(locateDocument(encode(text))).toBeUndefined(),
  );

  it.each(["1", " true ", "null", '"a"', "[]", "{}", '\n{"a":[1,{"b":"]}"}]}\n'])(
    "takes %j for one",
    (text) => {
      const found = locateDocument(encode(text));
      expect(found && text.slice(found.start, found.end)).toBe(text.trim());
    },
  );

  it("C15: needs no stack for deep documents", () => {
    const deep = encode("[".repeat(200_000) + "]".repeat(200_000));
    expect(valueEnd(deep, 0)).toBe(deep.length);
  });
});
