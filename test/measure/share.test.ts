// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { aggregate } from "../../src/measure/aggregate.ts";
import type { Row } from "../../src/measure/row.ts";
import { shareLines } from "../../src/measure/share.ts";

const DAY_MS = 86_400_000;
const called = (tool: string, inBytes: number, outBytes: number, ts = 0, shadow = false): Row => ({
  ...{ kind: "call", ts, tool, inBytes, outBytes, shadow },
});

describe("shareLines", () => {
  it("C13: gives totals and built-in names, no name of a server or a script", () => {
    const rows: Row[] = [
      ...[called("mcp__acme_secret__list", 9000, 1000), called("mcp__other__get", 2000, 1000, 3 * DAY_MS)],
      ...[called("Bash", 5000, 1000), called("deploy-acme", 1000, 500), called("", 10, 10)],
      { kind: "reveal", ts: 0, tool: "Bash", revealed: 500 },
    ];
    expect(shareLines(aggregate(rows))).toEqual([
      "isthmos: 5 tool results in 3 days, 17.0 KB in, 3.5 KB out",
      "saved: 13.0 KB, 76.4% of all tool output seen, about 3250 tokens (bytes / 4)",
      "by tool: MCP tools 9.0 KB, Bash 3.5 KB, other tools 500 B",
      "sizes: 0 as the host delivered them, 5 estimated; 1 reveal netted",
    ]);
  });

  it("C14: says when it is shadow mode", () => {
    expect(shareLines(aggregate([called("Read", 100, 40, 0, true)])).slice(0, 3)).toEqual([
      "isthmos: 1 tool result in 1 day, 100 B in, 40 B out",
      "would have saved (shadow mode): 60 B, 60.0% of all tool output seen, about 15 tokens (bytes / 4)",
      "by tool: Read 60 B",
    ]);
  });

  it("C14: a loss is shared as a loss", () => {
    expect(shareLines(aggregate([called("Read", 100, 140)]))[1]).toBe(
      "saved: -40 B, -40.0% of all tool output seen, about -10 tokens (bytes / 4)",
    );
  });
});
