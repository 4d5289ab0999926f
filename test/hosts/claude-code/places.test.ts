// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { scan } from "../../../src/core/json/scan.ts";
import type { CutMarker, HoleMarker, Marker, RepeatMarker, SeenMarker } from "../../../src/core/marker.ts";
import { applySplices, type Insert } from "../../../src/core/splice.ts";
import { countKept, placeEdits } from "../../../src/hosts/claude-code/places.ts";
import { findRegions } from "../../../src/hosts/claude-code/shapes.ts";
import type { Rewrite } from "../../../src/hosts/host.ts";

const ID = "0123456789abcdef";
const lines: CutMarker = { kind: "cut", unit: "lines", count: 2, total: 4, from: 3, to: 4 };
const LINES = `[isthmos: 2 of 4 lines truncated, lines 3-4, full: isthmos reveal ${ID}]`;
const hole: HoleMarker = { kind: "hole", unit: "lines", from: 2, to: 3 };
const middle: CutMarker = { kind: "cut", unit: "bytes", count: 5, from: 1, to: 6 };
const repeat: RepeatMarker = { kind: "repeat", times: 4 };
const seen: SeenMarker = { kind: "seen", tool: "mcp__a__b", count: 9, unit: "lines" };
const SEEN = `[isthmos: identical to an earlier mcp__a__b result in this session, 9 lines, full: isthmos reveal ${ID}]`;

function place(tool: string, json: string) {
  const bytes = new TextEncoder().encode(json);
  const index = scan(bytes);
  const [found] = index ? findRegions(index, tool, 0) : [];
  if (found === undefined) throw new Error("no region");
  return { bytes, found };
}

function rewritten(tool: string, json: string, ...splices: [number, number, ...Insert[]][]): string {
  const { bytes, found } = place(tool, json);
  const edits = placeEdits(found, {
    splices: splices.map(([start, end, ...insert]) => ({ start, end, insert })),
    id: ID,
  });
  return new TextDecoder().decode(
    applySplices(
      bytes,
      [...edits].sort((a, b) => a.start - b.start),
    ),
  );
}

const cut = (start: number, end: number, ...insert: Insert[]): Rewrite => ({
  splices: [{ start, end, insert }],
  id: ID,
});

describe("names", () => {
  const list = '{"numFiles": 4, "filenames": [ "a.ts" , "b\\u00e9.ts", "c.ts" ,"d.ts" ]}';
  // The names joined: "a.ts\nbé.ts\nc.ts\nd.ts", 21 bytes.
  it.each([
    [
      "after a name",
      11,
      21,
      ["\n", lines],
      `{"numFiles": 2, "filenames": [ "a.ts" , "b\\u00e9.ts","${LINES}" ]}`,
    ],
    [
      "after its line feed",
      12,
      21,
      [lines],
      `{"numFiles": 2, "filenames": [ "a.ts" , "b\\u00e9.ts","${LINES}" ]}`,
    ],
    [
      "with a line feed after",
      12,
      21,
      [lines, "\n"],
      `{"numFiles": 2, "filenames": [ "a.ts" , "b\\u00e9.ts","${LINES}" ]}`,
    ],
    ["from the start", 0, 21, [lines], `{"numFiles": 0, "filenames": [ "${LINES}" ]}`],
    [
      "the last",
      16,
      21,
      ["\n", lines],
      `{"numFiles": 3, "filenames": [ "a.ts" , "b\\u00e9.ts", "c.ts","${LINES}" ]}`,
    ],
    ["without a marker", 16, 21, [], '{"numFiles": 3, "filenames": [ "a.ts" , "b\\u00e9.ts", "c.ts" ]}'],
    ["all, without a marker", 0, 21, [], '{"numFiles": 0, "filenames": [  ]}'],
  ] as const)("C7: a cut %s", (_name, start, end, insert, expected) => {
    expect(rewritten("Glob", list, [start, end, ...insert])).toBe(expected);
  });

  it.each([
    ["in the middle of a name", [[2, 21, lines]]],
    ["that leaves the end", [[5, 12, lines]]],
    [
      "in two places",
      [
        [0, 5],
        [16, 21, lines],
      ],
    ],
    ["of nothing", []],
    ["that puts in two lines", [[12, 21, "x\ny"]]],
  ] as [string, [number, number, ...Insert[]][]][])("C7: refuses a cut %s", (_name, splices) => {
    expect(() => rewritten("Glob", list, ...splices)).toThrow(/name/);
  });
});

describe("JSON values", () => {
  const json = '{ "a": [1, 2, 3], "n": 12345678901234567890 }';
  it("C4: an edit inside keeps the rest", () => {
    expect(rewritten("mcp__a__b", json, [8, 11])).toBe('{ "a": [2, 3], "n": 12345678901234567890 }');
  });

  it("C7: a marker for the whole of it is wrapped in a value of its kind", () => {
    expect(rewritten("mcp__a__b", json, [0, json.length, seen])).toBe(JSON.stringify({ isthmos: SEEN }));
    const nested = '{"content":[{"type":"text","text":"a"}],"structuredContent":[1,2]}';
    const bytes = new TextEncoder().encode(nested);
    const found = findRegions(scan(bytes)!, "mcp__a__b", 0)[1]!;
    const answer = new TextDecoder().decode(applySplices(bytes, placeEdits(found, cut(0, 5, seen))));
    expect(answer).toBe(nested.replace("[1,2]", JSON.stringify([SEEN])));
  });

  it("C7: refuses an edit that leaves no JSON, or JSON of another kind", () => {
    expect(() => rewritten("mcp__a__b", json, [3, 9, lines])).toThrow("left no JSON");
    expect(() => rewritten("mcp__a__b", json, [0, 2, "["])).toThrow("left no JSON");
  });
});

describe("countKept", () => {
  const content = "a\nb\nc\nd\n";
  it.each([
    ["the end gone, marker last", "Read", content, cut(4, 8, lines), 2],
    ["the end gone, before a line feed", "Read", content, cut(3, 8, "\n", lines), 2],
    ["the end gone, a line feed after", "Read", content, cut(4, 8, lines, "\n"), 2],
    ["the end gone, the last line feed stays", "Read", content, cut(4, 7, lines), 2],
    ["no last line feed", "Read", "a\nb\nc\nd", cut(4, 7, lines), 2],
    ["everything gone", "Read", content, cut(0, 8, seen), 0],
    ["nothing gone", "Read", content, { splices: [] }, 4],
    ["a part of the last kept line", "Read", content, cut(5, 8, lines), 3],
    ["windows line ends", "Read", "a\r\nb\r\nc\r\n", cut(3, 8, hole), 1],
    ["windows line ends, the last of which stays", "Read", "a\r\nb\r\nc\r\n", cut(3, 7, hole), 1],
  ] as [string, string, string, Rewrite, number][])("C7: %s", (_name, tool, text, rewrite, expected) => {
    const { found } = place(tool, JSON.stringify({ type: "text", file: { content: text, numLines: 4 } }));
    expect(countKept(found.place, found.region, rewrite)).toBe(expected);
  });

  const matching = "l1\nl2 is long\nl3\nl4\nl5\nl6";
  it.each([
    [
      "two holes",
      [
        [3, 17, hole, "\n"],
        [23, 25, lines],
      ],
      3,
    ],
    ["repeated lines", [[3, 17, repeat, "\n"]], 4],
    ["the middle of a line", [[5, 10, middle]], 6],
    ["the end of a line", [[5, 13, middle]], 6],
    ["the start of a line", [[3, 8, middle]], 6],
    ["lines without a marker", [[3, 17]], 4],
  ] as [string, [number, number, ...(string | Marker)[]][], number][])(
    "C7: matching lines, %s",
    (_name, splices, expected) => {
      const json = JSON.stringify({ mode: "content", content: matching, numLines: 6 });
      expect(rewritten("Grep", json, ...splices)).toContain(`"numLines":${expected}}`);
    },
  );
});
