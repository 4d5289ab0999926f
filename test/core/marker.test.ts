// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  EXAMPLE_ID,
  formatMarker,
  type Marker,
  markerBytes,
  parseMarker,
  quotablePath,
  quotablePointer,
} from "../../src/core/marker.ts";

const ROWS: [Marker, string, object][] = [
  [
    { kind: "cut", unit: "items", count: 17, total: 20, from: 2, to: 18 },
    `[isthmos: 17 of 20 items truncated, items 2-18, full: isthmos reveal ${EXAMPLE_ID}]`,
    { id: EXAMPLE_ID, unit: "items", from: 2, to: 18 },
  ],
  [
    { kind: "cut", unit: "lines", count: 360, total: 400, failing: 3, from: 41, to: 400 },
    `[isthmos: 360 of 400 lines truncated, 3 of them failing, lines 41-400, full: isthmos reveal ${EXAMPLE_ID}]`,
    { id: EXAMPLE_ID, unit: "lines", from: 41, to: 400 },
  ],
  [
    { kind: "cut", unit: "bytes", count: 5120, from: 6144, to: 11264, field: "/log/text" },
    `[isthmos: 5120 bytes truncated, bytes 6144-11264, field /log/text, full: isthmos reveal ${EXAMPLE_ID}]`,
    { id: EXAMPLE_ID, unit: "bytes", from: 6144, to: 11264, field: "/log/text" },
  ],
  [
    { kind: "hole", unit: "lines", from: 21, to: 180 },
    "[isthmos: lines 21-180 truncated]",
    { unit: "lines", from: 21, to: 180 },
  ],
  [
    { kind: "excerpt", bytes: 81234, lines: 2000, path: "/home/dev/tool-results/b 1.txt" },
    `[isthmos: excerpt of 81234 bytes, 2000 lines, saved in /home/dev/tool-results/b 1.txt, full: isthmos reveal ${EXAMPLE_ID}]`,
    { excerpt: true, id: EXAMPLE_ID, path: "/home/dev/tool-results/b 1.txt" },
  ],
  [
    { kind: "excerpt", bytes: 9, lines: 1 },
    `[isthmos: excerpt of 9 bytes, 1 lines, full: isthmos reveal ${EXAMPLE_ID}]`,
    { excerpt: true, id: EXAMPLE_ID },
  ],
  [{ kind: "repeat", times: 7 }, "[isthmos: previous line repeated 7 more times]", {}],
  [
    { kind: "seen", tool: "Bash", count: 400, unit: "lines" },
    `[isthmos: identical to an earlier Bash result in this session, 400 lines, full: isthmos reveal ${EXAMPLE_ID}]`,
    { id: EXAMPLE_ID },
  ],
];

describe("markers", () => {
  it.each(ROWS)("C5: are formatted, sized and read back: %j", (marker, text, parsed) => {
    expect(formatMarker(marker, EXAMPLE_ID)).toBe(text);
    expect(markerBytes(marker)).toBe(text.length);
    expect(parseMarker(text)).toEqual(parsed);
    expect(JSON.stringify(text)).toBe(`"${text}"`);
  });

  it("C6: cannot cite an id that is not given", () => {
    expect(() => formatMarker({ kind: "cut", unit: "lines", count: 1, from: 1, to: 1 })).toThrow();
  });

  it.each([
    "",
    "[isthmos]",
    "[isthmos: x",
    "x [isthmos: lines 1-2 truncated]",
    "[isthmos: lines 1-2 truncated] x",
    `[isthmos: ${"x".repeat(1100)}]`,
  ])("are not seen in %j", (text) => {
    expect(parseMarker(text)).toBeUndefined();
  });
});

it.each([
  ["/a/b.txt", true],
  ["C:\\a\\b (1).txt", true],
  [`/${"é".repeat(159)}a`, true],
  [`/${"é".repeat(160)}`, false],
  ["", false],
  ["/a]b", false],
  ['/a"b', false],
  ["/a\nb", false],
  ["/a, full: b", false],
  ["/a/lines 1-2", false],
])("a path that a marker names: %j %s", (path, isNamed) => {
  expect(quotablePath(path)).toBe(isNamed ? path : undefined);
});

describe("quotablePointer", () => {
  it.each([
    ["/log/text", true],
    ["/häuser/0", true],
    [`/${"k".repeat(255)}`, true],
    [`/${"k".repeat(256)}`, false],
    ["", false],
    ['/a"b', false],
    ["/a\\b", false],
    ["/a]b", false],
    ["/a)b", false],
    ["/a`touch b`", false],
    ["/a$(b)", false],
    ["/a;b|c>d&e", false],
    ["/it's", false],
    ["/a\u202eb", false],
    ["/a b", true],
    ["/a\nb", false],
    ["/a\u007fb", false],
    ["/a\u2028b", false],
    ["/a\ud800b", false],
    ["/a, full: b", false],
  ])("%j: %s", (pointer, quotable) => {
    expect(quotablePointer(pointer)).toBe(quotable ? pointer : undefined);
  });
});
