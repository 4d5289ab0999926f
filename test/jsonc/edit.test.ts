// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRecord, JsoncError, nodeAt, parseText, toValue } from "../../src/jsonc/document.ts";
import { appendAt, removeAt, setAt, withoutMark } from "../../src/jsonc/edit.ts";

const LAYOUTS: readonly (readonly [name: string, text: string])[] = [
  ["two blanks", '{\n  "a": 1,\n  "l": [\n    1\n  ]\n}\n'],
  ["four blanks", '{\n    "a": 1,\n    "l": [\n        1\n    ]\n}'],
  ["tabs", '{\n\t"a": 1,\n\t"l": [\n\t\t{ "x": 1 }\n\t]\n}\n'],
  ["CRLF", '{\r\n  "a": 1,\r\n  "l": [\r\n    1\r\n  ]\r\n}\r\n'],
  ["minified", '{"a":1,"l":[1]}'],
  ["one line", '{ "a": 1, "l": [1, 2] }'],
  ["trailing commas", '{\n  "a": 1,\n  "l": [\n    1,\n  ],\n}\n'],
  ["comma first", '{\n  "a": 1\n  , "l": [1]\n}\n'],
  [
    "comments",
    '// top\n{\n  // of a\n  "a": 1, // after a\n  /* of l */ "l": [\n    1 // one\n  ] // after l\n  // end\n}\n// bottom\n',
  ],
  ["a comment before the comma", '{\n  "a": 1 /* x */, // y\n  "l": [1 /* z */]\n}'],
  ["a comment as last thing", '{"a":1,"l":[1 // one\n]}'],
  ["no list items", '{\n  "a": 1,\n  "l": []\n}'],
];

describe.each(LAYOUTS)("in a text with %s", (_, text) => {
  const value = { matcher: "x", hooks: [{ type: "command", n: 1 }] };

  it("a member added and removed leaves every byte", () => {
    const more = setAt(text, ["new"], value);
    expect(toValue(parseText(more))).toEqual({ ...(toValue(parseText(text)) as object), new: value });
    expect(removeAt(more, ["new"])).toBe(text);
  });

  it("an item added and removed leaves every byte", () => {
    const { length } = nodeAt(text, parseText(text), ["l"])?.children ?? [];
    const more = appendAt(text, ["l"], value);
    expect(toValue(nodeAt(more, parseText(more), ["l", length]))).toEqual(value);
    expect(removeAt(more, ["l", length])).toBe(text);
  });

  it("what is added twice and removed in another order leaves every byte", () => {
    const more = setAt(setAt(text, ["n1"], value), ["n2"], [1]);
    expect(removeAt(removeAt(more, ["n1"]), ["n2"])).toBe(text);
  });

  it("removing a member keeps comments and the others", () => {
    const less = removeAt(text, ["a"]);
    const { a: _a, ...rest } = toValue(parseText(text)) as Record<string, unknown>;
    expect(toValue(parseText(less))).toEqual(rest);
    for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(less).toContain(comment);
  });

  it("line ends stay of one kind", () => {
    const more = setAt(text, ["new"], value);
    expect(/(?<!\r)\n/.test(more)).toBe(!text.includes("\r") && (text.includes("\n") || more.includes("\n")));
  });
});

describe("setAt", () => {
  it.each([
    ['{"a":1}', ["a"], 2, '{"a":2}'],
    ['{"a":{}}', ["a", "b"], 1, '{"a":{"b":1}}'],
    ["{}", ["a"], 1, '{\n  "a": 1\n}'],
    ["{ }", ["a"], 1, '{\n  "a": 1\n}'],
    ["{\n}", ["a"], 1, '{\n  "a": 1\n}'],
    ["{ /* c */ }", ["a"], 1, '{ /* c */\n  "a": 1\n}'],
    ['{\n  "a": 1\n}', ["b", "c"], [1, "x"], '{\n  "a": 1,\n  "b": {\n    "c": [1, "x"]\n  }\n}'],
    ['{"a": 1}', ["b"], { c: [1] }, '{"a": 1, "b": {"c": [1]}}'],
    ['{"a":1}', ["__proto__"], 1, '{"a":1,"__proto__":1}'],
  ])("%j at %j", (text, path, value, expected) => expect(setAt(text, path, value)).toBe(expected));

  it.each([
    ["a list is no object", '{"a":[]}', ["a", "b"]],
    ["a word is no object", '{"a":1}', ["a", "b"]],
    ["a name that stands twice", '{"a":{},\n"a":{}}', ["a", "b"]],
    ["broken JSON", '{"a":', ["a"]],
  ])("refuses: %s", (_, text, path) => expect(() => setAt(text, path, 1)).toThrow(JsoncError));
});

describe("parseText", () => {
  it.each(["", " \n", "// only\n/* comments */"])("finds nothing in %j", (text) =>
    expect(parseText(text)).toBeUndefined(),
  );
  it("names the line of a fault", () =>
    expect(() => parseText('{\n"a": tru\n}')).toThrow(/^line 2: not JSON/));
});

it("a byte order mark stays", () =>
  expect(withoutMark('\uFEFF{"a":1}', (body) => setAt(body, ["a"], 2))).toBe('\uFEFF{"a":2}'));

it("any value in any layout: added and removed, every byte is as before", () => {
  const layouts = [undefined, 1, 2, 4, "\t"] as const;
  const keys = fc.string({ maxLength: 6 });
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      fc.dictionary(keys, value, { minKeys: 1, maxKeys: 4 }),
      value,
      fc.constantFrom(...layouts),
      fc.boolean(),
      (given, added, unit, crlf) => {
        const plain = JSON.stringify(given, undefined, unit);
        const text = crlf ? plain.replaceAll("\n", "\r\n") : plain;
        fc.pre(!Object.hasOwn(given, "added"));
        const more = setAt(text, ["added"], added);
        expect(toValue(nodeAt(more, parseText(more), ["added"]))).toEqual(JSON.parse(JSON.stringify(added)));
        expect(removeAt(more, ["added"])).toBe(text);
      },
    ),
  );
});

it("tells objects from lists", () =>
  expect([{}, [], null, 1].map(isRecord)).toEqual([true, false, false, false]));
