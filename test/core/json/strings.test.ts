// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeString, decodeText } from "../../../src/core/json/strings.ts";
import { encode } from "./support.ts";

/** A piece of a string's source and the bytes it stands for (surrogates alone: WTF-8). */
type Piece = readonly [raw: string, decoded: readonly number[]];
const utf8 = (text: string): number[] => [...encode(text)];
const surrogate = (unit: number): number[] => [0xed, 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
const hex = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;

const PLAIN = fc.constantFrom("a", "é", "€", "🎉", " ", "/", "~").map((text): Piece => [text, utf8(text)]);
const SHORT = fc
  .constantFrom(
    ...Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", '"': '"', "\\": "\\", "/": "/" }),
  )
  .map(([letter, text]): Piece => [`\\${letter}`, utf8(text)]);
const UNIT = fc
  .constantFrom(0, 0x41, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff)
  .map((unit): Piece => [hex(unit), utf8(String.fromCharCode(unit))]);
const PAIR = fc.integer({ min: 0x10000, max: 0x10ffff }).map((code): Piece => {
  const text = String.fromCodePoint(code);
  return [hex(text.charCodeAt(0)) + hex(text.charCodeAt(1)), utf8(text)];
});
const PIECES = fc
  .array(fc.oneof(PLAIN, SHORT, UNIT, PAIR, fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 30 })
  .map((items) =>
    items.flatMap((item): Piece[] =>
      // A letter after a lone half keeps it from meeting another.
      typeof item === "number"
        ? [
            [hex(item), surrogate(item)],
            ["|", [0x7c]],
          ]
        : [item],
    ),
  );

describe("decodeString", () => {
  it.each([
    ['"plain"', "plain"],
    ['""', ""],
    ['"a\\n\\u0041\\ud83c\\udf89z"', "a\nA🎉z"],
    ['"C:\\\\u0041"', "C:\\u0041"],
    ['"\\u00E9\\uABCD"', "é\uabcd"],
  ])("%s", (source, expected) => {
    const bytes = encode(`[${source}]`);
    expect(new TextDecoder().decode(decodeString(bytes, 1, bytes.length - 1).text)).toBe(expected);
  });

  it("keeps bytes that are not UTF-8", () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x5c, 0x6e, 0xc3, 0x22);
    expect([...decodeString(bytes, 0, 6).text]).toEqual([0xff, 0x0a, 0xc3]);
  });

  it("decodes as JSON.parse does, and finds the way back from every boundary", () => {
    fc.assert(
      fc.property(PIECES, (pieces) => {
        const source = `"${pieces.map(([raw]) => raw).join("")}"`;
        const bytes = encode(`xx${source}`);
        const { text, toRaw } = decodeString(bytes, 2, bytes.length);
        expect([...text]).toEqual(pieces.flatMap(([, decoded]) => decoded));
        const value: unknown = JSON.parse(source);
        expect(new TextDecoder().decode(encode(String(value).toWellFormed()))).toBe(
          new TextDecoder().decode(text).replace(/\ufffd{3}/g, "\ufffd"),
        );
        let raw = 3;
        let decoded = 0;
        for (const [rawPiece, decodedPiece] of pieces) {
          expect(toRaw(decoded)).toBe(raw);
          // Inside an escape: the escape, so that no cut can tear it.
          if (rawPiece.startsWith("\\")) {
            for (let inside = 1; inside < decodedPiece.length; inside++)
              expect(toRaw(decoded + inside)).toBe(raw);
          }
          raw += encode(rawPiece).length;
          decoded += decodedPiece.length;
        }
        expect(toRaw(text.length)).toBe(bytes.length - 1);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the texts of many small strings apart", () => {
    const bytes = encode(Array.from({ length: 5000 }, (_, i) => `"\\t${i}"`).join(""));
    const texts: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(0x22, start + 1) + 1;
      texts.push(decodeString(bytes, start, end).text);
      start = end;
    }
    expect(texts.map((text) => new TextDecoder().decode(text))).toEqual(
      Array.from({ length: 5000 }, (_, i) => `\t${i}`),
    );
  });
});

it("decodeText gives the same text, and over the document where it may", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (value, isEscaped) => {
      const escaped = JSON.stringify(value).replace(/[^ -~]|[a-c]/g, (unit) =>
        isEscaped && unit.length === 1 ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}` : unit,
      );
      const bytes = new TextEncoder().encode(`[${escaped}]`);
      const expected = [...decodeString(bytes, 1, bytes.length - 1).text];
      expect([...decodeText(bytes, 1, bytes.length - 1)]).toEqual(expected);
      const over = decodeText(bytes, 1, bytes.length - 1, true);
      expect([...over]).toEqual(expected);
      expect(over.buffer).toBe(bytes.buffer);
    }),
  );
});
