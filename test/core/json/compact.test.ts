// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addCompaction } from "../../../src/core/json/compact.ts";
import { applySplices } from "../../../src/core/splice.ts";
import { DOCUMENT, decode, prune, scanText } from "./support.ts";

describe("compact", () => {
  it.each([
    ['{ "a" : [ 1 , 2 ] , "b" : { } }', '{"a":[1,2],"b":{}}', 13],
    ['{\r\n\t"a b": "c  d"\r\n}', '{"a b":"c  d"}', 6],
    // Around the document it stays: the final line end belongs to the text.
    [' { "a":1}\n', ' {"a":1}\n', 1],
    ['{"a":1}', '{"a":1}', undefined],
    // Inside a string it stays, also where that is JSON.
    ['{"t":"{ \\"a\\" : 1 }"}', '{"t":"{ \\"a\\" : 1 }"}', undefined],
    ["[ ]", "[]", 1],
    ['"x" ', '"x" ', undefined],
  ])("%j", (text, out, space) => {
    const result = prune(text, { compact: true });
    expect([result.out, result.cuts.space]).toEqual([out, space]);
  });

  it("counts what goes with a dropped member as that member's", () => {
    const { out, cuts } = prune('{ "k" : [ 1, 2 ] , "a" : 1 , "k" : 2 }', { compact: true, dropKeys: ["k"] });
    expect([out, cuts]).toEqual(['{"a":1}', { keys: 2, space: 4 }]);
  });

  it("puts white space and other splices into one order", () => {
    const index = scanText('[1 , 2 ,"a b" ]');
    const { splices, bytes } = addCompaction(index, [
      { start: 2, end: 6, insert: [] },
      { start: 10, end: 11, insert: ["_"] },
    ]);
    expect([decode(applySplices(index.bytes, splices)), bytes]).toEqual(['[1,"a_b"]', 2]);
  });

  it("C7: leaves the same value in fewer bytes", () => {
    fc.assert(
      fc.property(DOCUMENT, (text) => {
        const { out, cuts } = prune(text, { compact: true });
        expect(JSON.parse(out)).toEqual(JSON.parse(text));
        expect(new TextEncoder().encode(text).length - new TextEncoder().encode(out).length).toBe(
          cuts.space ?? 0,
        );
        expect(out.replace(/"(?:[^"\\]|\\.)*"/g, '""')).not.toMatch(/\s/);
      }),
      { numRuns: 100 },
    );
  });
});
