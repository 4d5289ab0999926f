// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { boundPins, gapsOf, markHoles, type Site } from "../../src/core/holes.ts";
import { markerBytes } from "../../src/core/marker.ts";

/** Units of ten bytes each. */
const SITE: Site = {
  unit: "lines",
  total: 100,
  base: 1,
  wrapBytes: 0,
  bytesOf: ({ from, to }) => 10 * (to - from),
};

describe("markHoles", () => {
  it("gives the last hole totals and id, and the ones before it a short marker", () => {
    const holes = [
      { from: 10, to: 40 },
      { from: 50, to: 90 },
    ];
    expect(markHoles(holes, SITE)).toEqual([
      { from: 10, to: 40, marker: { kind: "hole", unit: "lines", from: 11, to: 40 } },
      { from: 50, to: 90, marker: { kind: "cut", unit: "lines", count: 70, total: 100, from: 51, to: 90 } },
    ]);
  });

  it("C2: makes no hole that its marker outweighs, the last one's role going to the one before", () => {
    const holes = [
      { from: 10, to: 40 },
      { from: 50, to: 55 },
      { from: 60, to: 62 },
    ];
    expect(markHoles(holes, SITE)).toEqual([
      { from: 10, to: 40, marker: { kind: "cut", unit: "lines", count: 30, total: 100, from: 11, to: 40 } },
    ]);
    expect(markHoles([{ from: 60, to: 62 }], SITE)).toEqual([]);
  });

  it.each([-1, 0, 1])("C2: is strict about the size (%i bytes beyond the marker)", (beyond) => {
    const marker = { kind: "cut", unit: "lines", count: 1, total: 100, from: 1, to: 1 } as const;
    const bytesOf = (): number => markerBytes(marker) + 4 + beyond;
    const holes = markHoles([{ from: 0, to: 1 }], { ...SITE, wrapBytes: 4, bytesOf });
    expect(holes).toHaveLength(beyond > 0 ? 1 : 0);
  });
});

describe("gapsOf", () => {
  it.each([
    ["", []],
    ["111", []],
    ["000", [[0, 3]]],
    [
      "0110",
      [
        [0, 1],
        [3, 4],
      ],
    ],
    ["1001", [[1, 3]]],
  ])("finds the gaps of %j", (keep, gaps) => {
    expect(gapsOf(Uint8Array.from(keep, Number)).map(({ from, to }) => [from, to])).toEqual(gaps);
  });
});

describe("boundPins", () => {
  it.each([
    [3, [1, 2, 3]],
    [4, [1, 2, 3, 4]],
    [8, [1, 2, 3, 9]],
  ])("C9: keeps the first three quarters and the last quarter of %i pins", (count, kept) => {
    const pins = count === 8 ? [1, 2, 3, 4, 5, 6, 7, 9] : Array.from({ length: count }, (_, i) => i + 1);
    expect(boundPins(pins, 4)).toEqual(kept);
  });
});
