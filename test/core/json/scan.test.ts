// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ARRAY, KEY, NUMBER, OBJECT, STRING, scan, TRUE } from "../../../src/core/json/scan.ts";
import { DOCUMENT, decode, encode, scanText } from "./support.ts";

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const ACCEPTED = [
  ..."{} [] 0 -0 1.10 1E2 1e+9 1e-9 12345678901234567890 true false null".split(" "),
  ' \t\r\n{"a":1} \n',
  '""',
  '"\\u0041\\ud83d\\b\\f\\n\\r\\t\\/\\\\\\""',
  '{"a":1,"a":2}',
  '{"":{"__proto__":[]}}',
  "[[],{},[{}]]",
  '"\u007f\u2028"',
];
const REJECTED = [
  ...'01 1. .5 1e 1e+ - +1 0x1 NaN Infinity tru nul truee [1,] [,1] [1 {a:1} {\'a\':1} ] } [} {] {"a"} {"a":} {"a":1,}'.split(
    " ",
  ),
  "",
  "  ",
  "[1 2]",
  '{"a":1 "b":2}',
  '{"a" 1}',
  '"abc',
  '"\\x"',
  '"\\u12g4"',
  '"\\u12',
  '"\\',
  '"a\nb"',
  '"a\u0000b"',
  "1 2",
  "{} {}",
  "[1]//",
  "\ufeff{}",
  '{"a":1}\u00a0',
  "{1:2}",
];

describe("scan", () => {
  it.each(ACCEPTED)("accepts %j", (text) => {
    expect([scan(encode(text)) !== undefined, parses(text)]).toEqual([true, true]);
  });
  it.each(REJECTED)("rejects %j", (text) => {
    expect([scan(encode(text)) !== undefined, parses(text)]).toEqual([false, false]);
  });

  it("gives kinds, spans and siblings in document order", () => {
    const text = ' {"a" : [1, "x"], "b":true} ';
    const index = scanText(text);
    const nodes = Array.from({ length: index.count }, (_, node) => [
      index.kind[node],
      text.slice(index.start[node], index.end[node]),
      index.next[node],
    ]);
    expect(nodes).toEqual([
      [OBJECT, '{"a" : [1, "x"], "b":true}', 7],
      [KEY, '"a"', 2],
      [ARRAY, '[1, "x"]', 5],
      [NUMBER, "1", 4],
      [STRING, '"x"', 5],
      [KEY, '"b"', 6],
      [TRUE, "true", 7],
    ]);
  });

  it("scans a part of the bytes, with offsets of the whole", () => {
    const bytes = encode('junk {"a":1}\nmore');
    const index = scan(bytes, 5, 12);
    expect([index?.start[0], index?.end[0], scan(bytes, 5, 11), scan(bytes, 5, 14)]).toEqual([
      5,
      12,
      undefined,
      undefined,
    ]);
  });

  it("keeps the indexes of small documents apart", () => {
    const indexes = Array.from({ length: 3000 }, (_, i) => scanText(`{"k":[${i},"${i}"]}`));
    indexes.forEach((index, i) => {
      expect(index.count).toBe(5);
      expect(decode(index.bytes.subarray(index.start[3], index.end[3]))).toBe(String(i));
      expect(index.next[0]).toBe(5);
    });
  });

  it("takes broken UTF-8 inside strings and nowhere else", () => {
    expect(scan(Uint8Array.of(0x22, 0xff, 0xc3, 0x22))?.count).toBe(1);
    expect(scan(Uint8Array.of(0x5b, 0xff, 0x5d))).toBeUndefined();
  });

  it.each([
    [99_999, true],
    [100_000, true],
    [100_001, false],
  ])("C15: depth %d is scanned: %s", (depth, accepted) => {
    expect(scan(encode("[".repeat(depth) + "]".repeat(depth))) !== undefined).toBe(accepted);
  });

  it("agrees with JSON.parse on documents and their mutations", () => {
    let accepted = 0;
    let runs = 0;
    const edit = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom("", ...'{}[]",:\\u0e-. \n+tn1a'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(DOCUMENT, fc.array(edit, { maxLength: 2 }), (document, edits) => {
        let text = document;
        for (const [share, inserted, replaces] of edits) {
          const at = Math.floor(share * text.length);
          text = text.slice(0, at) + inserted + text.slice(at + (replaces ? 1 : 0));
        }
        const good = scan(encode(text)) !== undefined;
        runs++;
        if (good) accepted++;
        expect(good).toBe(parses(text));
      }),
      { numRuns: 200 },
    );
    expect(accepted).toBeGreaterThan(runs / 5);
    expect(accepted).toBeLessThan((runs * 9) / 10);
  });
});
