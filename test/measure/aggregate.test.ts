// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type Aggregate, aggregate, OPEN_CALLS } from "../../src/measure/aggregate.ts";
import type { CallRow, Row } from "../../src/measure/row.ts";

let clock = 0;
const called = (tool: string, inBytes: number, outBytes: number, more: Partial<CallRow> = {}): CallRow => ({
  ...{ kind: "call", ts: clock++, tool, inBytes, outBytes },
  ...more,
});
const delivered = (tool: string, call: string, bytes: number): Row => ({
  ...{ kind: "delivered", ts: clock++, tool, call, delivered: bytes },
});
const reveal = (tool: string, revealed?: number): Row => ({ kind: "reveal", ts: clock++, tool, revealed });

const A = { call: "a" };
const SHADOW = { shadow: true };
const live = (rows: Row[]) => aggregate(rows).live.total;
const shadow = (rows: Row[]) => aggregate(rows).shadow.total;
const named = ({ live: { tools } }: Aggregate, tool: string) => tools.find((it) => it.tool === tool);

describe("C14: live totals", () => {
  it.each<[string, Row[], Partial<Aggregate["live"]["total"]>]>([
    ["nothing", [], { calls: 0, in: 0, out: 0, saved: 0, tokens: 0 }],
    [
      "estimated",
      [called("T", 100, 40)],
      { calls: 1, in: 100, out: 40, saved: 60, estimated: 1, delivered: 0 },
    ],
    [
      "delivered wins over the estimate",
      [called("T", 1000, 400, A), delivered("T", "a", 700)],
      { in: 1000, out: 700, saved: 300, delivered: 1, estimated: 0, rejected: 1 },
    ],
    [
      "a rejected rewrite saves nothing",
      [called("T", 1000, 400, A), delivered("T", "a", 1000)],
      { in: 1000, out: 1000, saved: 0, rejected: 1 },
    ],
    [
      "and may cost",
      [called("T", 1000, 400, A), delivered("T", "a", 1400)],
      { in: 1000, out: 1400, saved: -400, tokens: -100, rejected: 1 },
    ],
    [
      "the host's own spill is not our saving",
      [called("T", 90_000, 90_000, A), delivered("T", "a", 2000)],
      { in: 2000, out: 2000, saved: 0 },
    ],
    [
      "delivered before its call row",
      [delivered("T", "a", 400), called("T", 1000, 400, A)],
      { calls: 1, in: 1000, out: 400, delivered: 1, unrouted: 0 },
    ],
    [
      "a call measured twice is one call",
      [called("T", 1000, 400, A), called("T", 1000, 400, A), delivered("T", "a", 400)],
      { calls: 1, in: 1000, out: 400, delivered: 1 },
    ],
    [
      "a report said twice is one report",
      [called("T", 1000, 400, A), delivered("T", "a", 400), delivered("T", "a", 400)],
      { calls: 1, in: 1000, out: 400, delivered: 1, unrouted: 0 },
    ],
    [
      "another tool's report of the same short hash",
      [called("T", 1000, 400, A), delivered("U", "a", 50)],
      { calls: 2, in: 1050, out: 450, delivered: 1, estimated: 1, unrouted: 1 },
    ],
    [
      "calls without an id are never joined",
      [called("T", 100, 40), called("T", 100, 40)],
      { calls: 2, saved: 120, estimated: 2 },
    ],
    [
      "a failure is a call, in `in` and `out`",
      [called("T", 500, 500, { failure: true, ...A }), delivered("T", "a", 510)],
      { calls: 1, failures: 1, in: 510, out: 510, saved: 0 },
    ],
    [
      "a tool that no matcher routes",
      [delivered("Edit", "e", 30)],
      { calls: 1, unrouted: 1, in: 30, out: 30, saved: 0, delivered: 1 },
    ],
    [
      "reveals are netted",
      [called("T", 1000, 400), reveal("T", 600), reveal("T", 600)],
      { calls: 1, in: 1000, out: 400, reveals: 2, revealed: 1200, saved: -600, tokens: -150 },
    ],
    ["a reveal of unknown size", [called("T", 100, 40), reveal("T")], { saved: 60, reveals: 1, unsized: 1 }],
    ["shadow rows are apart", [called("T", 100, 40, SHADOW)], { calls: 0, in: 0, saved: 0 }],
    [
      "cuts of what reached the model",
      [
        called("T", 100, 40, { cuts: { lines: 3, keys: 1 } }),
        called("U", 100, 40, { cuts: { lines: 4 } }),
        called("T", 1000, 40, { cuts: { items: 9 }, ...A }),
        delivered("T", "a", 1000),
      ],
      { cuts: { lines: 7, keys: 1 } },
    ],
  ])("%s", (_, rows, expected) => {
    expect(live(rows)).toMatchObject(expected);
  });
});

describe("C14: shadow totals", () => {
  it.each<[string, Row[], Partial<Aggregate["shadow"]["total"]>]>([
    ["would have saved", [called("T", 100, 40, SHADOW)], { calls: 1, in: 100, out: 40, saved: 60 }],
    ["live rows are apart", [called("T", 100, 40)], { calls: 0, saved: 0 }],
    [
      "the host's spill is not our saving",
      [called("T", 90_000, 40_000, { ...SHADOW, ...A }), delivered("T", "a", 2000)],
      { in: 2000, out: 2000, saved: 0, delivered: 1 },
    ],
    [
      "an unrouted tool belongs to the mode of the call before",
      [called("T", 100, 40, SHADOW), delivered("Edit", "e", 30)],
      { calls: 2, unrouted: 1, in: 130, saved: 60 },
    ],
  ])("%s", (_, rows, expected) => {
    expect(shadow(rows)).toMatchObject(expected);
  });
});

describe("sections", () => {
  it("sorts by bytes saved, then by name; the total is the sum", () => {
    const rows = [called("b", 10, 5), called("a", 10, 5), called("loss", 10, 30), called("big", 100, 0)];
    const { tools, total } = aggregate(rows).live;
    expect(tools.map(({ tool, saved }) => [tool, saved])).toEqual([
      ["big", 100],
      ["a", 5],
      ["b", 5],
      ["loss", -20],
    ]);
    expect(total.saved).toBe(90);
  });

  it.each(["__proto__", "constructor", "toString", ""])("takes %j for a tool like any other", (tool) => {
    const sums = aggregate([called(tool, 10, 4), called(tool, 10, 4), reveal(tool, 1)]);
    expect(named(sums, tool)).toMatchObject({ calls: 2, in: 20, out: 8, saved: 11, reveals: 1 });
  });

  it("counts the live calls of each host", () => {
    const host = (name: string) => ({ host: name });
    const rows = [
      ...[called("T", 1, 1, host("claude-code")), called("T", 1, 1, host("claude-code"))],
      ...[
        called("T", 1, 1, host("codex")),
        called("T", 1, 1),
        called("T", 1, 1, { ...SHADOW, host: "codex" }),
      ],
    ];
    expect(aggregate(rows).hosts).toEqual([
      { host: "claude-code", calls: 2 },
      { host: "codex", calls: 1 },
      { host: "", calls: 1 },
    ]);
  });

  it.each([
    ["before", 9, 3],
    ["at", 10, 3],
    ["after", 11, 2],
    ["past the end", 13, 0],
  ])("since: %s the first row", (_, since, calls) => {
    const rows = [10, 11, 12].map((ts) => called("T", 1, 1, { ts }));
    const { live: section, first, last } = aggregate(rows, { since });
    expect(section.total.calls).toBe(calls);
    expect([first, last]).toEqual(calls === 0 ? [undefined, undefined] : [Math.max(since, 10), 12]);
  });
});

describe("memory", () => {
  it.each([
    ["n - 1", OPEN_CALLS - 1],
    ["n", OPEN_CALLS],
    ["n + 1", OPEN_CALLS + 1],
  ])("finds a call that is at least the %s-th newest, up to its bound", (_, others) => {
    const rows = [
      called("T", 1000, 400, A),
      ...Array.from({ length: others }, (_, n) => called("U", 1, 1, { call: `${n}` })),
      delivered("T", "a", 1000),
    ];
    expect(aggregate(rows).live.total).toMatchObject({
      calls: others + 1,
      delivered: 1,
      unrouted: 0,
      rejected: 1,
    });
  });

  it("C15: holds the newest calls, not the log", () => {
    const PAIRS = 300_000;
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const heap: number[] = [];
    function* stream(): Generator<Row> {
      for (let n = 1; n <= PAIRS; n++) {
        yield called("T", 1000, 400, { call: `${n}` });
        yield delivered("T", `${n}`, 400);
        if (n === PAIRS / 6 || n === PAIRS) {
          collect();
          heap.push(process.memoryUsage().heapUsed);
        }
      }
    }
    const { total } = aggregate(stream()).live;
    expect(total).toMatchObject({ calls: PAIRS, delivered: PAIRS, estimated: 0, saved: PAIRS * 600 });
    // Between the two looks half a million rows went by: some 60 MB, if they were held.
    const [early = 0, late = 0] = heap;
    expect(late - early).toBeLessThan(10e6);
  });
});
