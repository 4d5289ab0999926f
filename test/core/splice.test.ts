// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXAMPLE_ID, type Marker } from "../../src/core/marker.ts";
import {
  applySplices,
  checkSplices,
  liftSplices,
  type Splice,
  splicedLength,
} from "../../src/core/splice.ts";

const MARKER: Marker = { kind: "hole", unit: "bytes", from: 1, to: 3 };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Splices of a text of `length` bytes: sorted, not overlapping. */
const splicesOf = (length: number): fc.Arbitrary<Splice[]> =>
  fc.uniqueArray(fc.nat(length), { maxLength: 8 }).chain((cuts) => {
    const sorted = cuts.sort((a, b) => a - b);
    const pairs = Array.from({ length: sorted.length >> 1 }, (_, i) => [sorted[2 * i], sorted[2 * i + 1]]);
    return fc.tuple(
      ...pairs.map(([start = 0, end = 0]) =>
        fc
          .array(fc.oneof(fc.string(), fc.constant(MARKER)), { maxLength: 3 })
          .map((insert): Splice => ({ start, end, insert })),
      ),
    );
  });

describe("splices", () => {
  it("C4: replace ranges and leave every other byte", () => {
    const splices: Splice[] = [
      { start: 0, end: 1, insert: [] },
      { start: 2, end: 4, insert: ["é", MARKER] },
      { start: 5, end: 5, insert: ["!"] },
    ];
    const out = applySplices(encode("abcdef"), splices, EXAMPLE_ID);
    expect(decode(out)).toBe("bé[isthmos: bytes 1-3 truncated]e!f");
  });

  it("C2: know the rendered length beforehand", () => {
    fc.assert(
      fc.property(
        fc
          .uint8Array({ maxLength: 60 })
          .chain((bytes) => fc.tuple(fc.constant(bytes), splicesOf(bytes.length))),
        ([bytes, splices]) => {
          expect(applySplices(bytes, splices, EXAMPLE_ID).length).toBe(splicedLength(bytes.length, splices));
        },
      ),
    );
  });

  it("are lifted out of a JSON string: what is inserted there is escaped", () => {
    const [lifted] = liftSplices([{ start: 1, end: 2, insert: ['"\n', MARKER] }], (decoded) => decoded + 10);
    expect(lifted).toEqual({ start: 11, end: 12, insert: ['\\"\\n', MARKER] });
  });
});

it.each([
  [
    "apart",
    [
      [0, 1],
      [2, 4],
    ],
    true,
  ],
  [
    "that touch",
    [
      [1, 2],
      [2, 2],
      [2, 4],
    ],
    true,
  ],
  [
    "that overlap by one byte",
    [
      [1, 3],
      [2, 4],
    ],
    false,
  ],
  [
    "out of order",
    [
      [2, 3],
      [0, 1],
    ],
    false,
  ],
  ["the wrong way round", [[2, 1]], false],
  ["beyond the text", [[3, 5]], false],
] as const)("C1: splices %s", (_, ranges, isFine) => {
  const check = () =>
    checkSplices(
      4,
      ranges.map(([start, end]) => ({ start, end, insert: [] })),
    );
  if (isFine) expect(check).not.toThrow();
  else expect(check).toThrow("cuts of a text cross at byte");
});
