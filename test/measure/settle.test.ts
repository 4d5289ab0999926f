// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import type { CallRow } from "../../src/measure/row.ts";
import { settle } from "../../src/measure/settle.ts";

const call = (inBytes: number, outBytes: number, more: Partial<CallRow> = {}): CallRow => ({
  ...{ kind: "call", ts: 0, tool: "Bash", inBytes, outBytes },
  ...more,
});

describe("C14: what one call counts for", () => {
  it.each<[string, CallRow, number | undefined, [number, number, boolean]]>([
    ["changed, not reported: our figure", call(1000, 400), undefined, [1000, 400, false]],
    ["changed and delivered as answered", call(1000, 400), 400, [1000, 400, false]],
    ["rewrite refused, original delivered", call(1000, 400), 1000, [1000, 1000, true]],
    ["a small rewrite refused", call(1000, 990), 1000, [1000, 1000, true]],
    ["another hook's larger answer", call(1000, 400), 700, [1000, 700, true]],
    ["larger than the original: negative", call(1000, 400), 1300, [1000, 1300, true]],
    ["a line end added by the host", call(1000, 400), 464, [1000, 464, false]],
    ["one byte more is another text", call(1000, 400), 465, [1000, 465, true]],
    ["a line end trimmed: not our saving", call(1000, 400), 336, [936, 336, false]],
    ["one byte more is another text", call(1000, 400), 335, [335, 335, true]],
    ["the host's preview instead", call(90_000, 60_000), 2238, [2238, 2238, true]],
    ["unchanged, not reported", call(1000, 1000), undefined, [1000, 1000, false]],
    ["unchanged and spilled by the host: not our saving", call(90_000, 90_000), 2238, [2238, 2238, false]],
    ["unchanged, delivered larger", call(1000, 1000), 1200, [1200, 1200, false]],
    ["an excerpt larger than the preview", call(2238, 20_000), undefined, [2238, 20_000, false]],
    ["the same, delivered", call(2238, 20_000), 20_000, [2238, 20_000, false]],
    ["the same, refused", call(2238, 20_000), 2238, [2238, 2238, true]],
    ["a failure", call(500, 500, { failure: true }), undefined, [500, 500, false]],
    ["a failure, reported", call(500, 500, { failure: true }), 510, [510, 510, false]],
    ["a failure never saves", call(500, 100, { failure: true }), undefined, [500, 500, false]],
    ["shadow", call(1000, 400, { shadow: true }), undefined, [1000, 400, false]],
    ["shadow, delivered whole", call(1000, 400, { shadow: true }), 1000, [1000, 400, false]],
    ["shadow, preview between", call(1000, 400, { shadow: true }), 600, [600, 400, false]],
    ["shadow, preview below", call(1000, 400, { shadow: true }), 300, [300, 300, false]],
    ["shadow, excerpt", call(2238, 20_000, { shadow: true }), 2238, [2238, 20_000, false]],
  ])("%s", (_, row, delivered, [bytesIn, out, rejected]) => {
    expect(settle(row, delivered)).toEqual({ in: bytesIn, out, rejected });
  });
});
