// SPDX-License-Identifier: Apache-2.0
// Inputs of 20 MB that are made to be slow. What is not linear in them takes hours; the bound is generous, as the
// machine may be loaded. What takes longer than the time budget passes, which is an answer too.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bashEvent } from "../../scripts/payloads.ts";
import { makeBench } from "../support/apply-here.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const SIZE_BYTES = 20_000_000;
const BOUND_MS = 45_000;
const RULE = {
  tool: "slow*",
  drop_keys: ["*_url", "node_id"],
  max_items: 5,
  max_lines: 50,
  keep_last: 10,
  max_str: 200,
  dedup: true,
};

/** `part` as often as it takes. */
const fill = (part: string, lead = "", end = ""): string =>
  lead + part.repeat(Math.floor((SIZE_BYTES - lead.length - end.length) / part.length)) + end;

const INPUTS: Readonly<Record<string, () => string>> = {
  "one line": () => fill("x"),
  "one line of failures": () => fill("error: "),
  "empty lines": () => fill("\n"),
  "failing lines, all different": () =>
    Array.from({ length: SIZE_BYTES / 40 }, (_, i) => `ERROR step ${i}: it failed for reason ${i}\n`).join(
      "",
    ),
  "heads of diffs that have no hunk": () => fill("--- a\n+++ b\n@@ -1,9999999 +1,9999999 @@\n"),
  "hunks that never end": () => fill("-x\n", "--- a\n+++ b\n@@ -1,9999999 +1,9999999 @@\n"),
  "open brackets": () => fill("["),
  "a document nested to the half": () => "[".repeat(SIZE_BYTES / 2) + "]".repeat(SIZE_BYTES / 2),
  "one string": () => fill("a", '["', '"]'),
  "one string of escapes": () => fill("\\u00e9", '["', '"]'),
  "a document in a string": () =>
    JSON.stringify({ inner: `[${fill('{"node_id":1},').slice(0, 10_000_004)}{}]` }),
  "short items": () => fill("1,", "[", "1]"),
  "members of one name": () => fill('"a":[1,2,3,4,5,6,7,8,9],', "{", '"b":1}'),
  "members of many names": () =>
    `{${Array.from({ length: SIZE_BYTES / 24 }, (_, i) => `"key_${i}_url":"x",`).join("")}"b":1}`,
  "failing items in failing items": () => fill('[{"error":"x"},1,2,3,4,5,6,7,{"error":').slice(0, SIZE_BYTES),
  "records with nothing in them": () => fill("{}\n"),
  "a record of many members to drop": () =>
    `{"a":1}\n{"a":2}\n{${fill('"node_id":1,"b":2,').slice(0, 8_999_990)}"c":3}\n{"a":3}\n`,
  "starts of markers": () => fill("[isthmos: "),
  "markers that cite nothing": () =>
    fill("[isthmos: lines 1-9 truncated, full: isthmos reveal 00112233445566aa]\n"),
};

describe.skipIf(EXECUTABLE_MISSING)("C15: 20 MB are answered in linear time", () => {
  let home: Home;
  beforeAll(() => {
    home = makeHome([RULE, { tool: "Bash", max_lines: 50 }]);
  });
  afterAll(() => home.remove());

  it.each(Object.entries(INPUTS))("%s", (_, make) => {
    const input = Buffer.from(make(), "latin1");
    const started = performance.now();
    const run = home.run({ args: ["filter", "-tool", "slow"], input });
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^(isthmos: error: the time budget of 2000 ms ran out; .*\n)?$/);
    if (run.stdout.length >= input.length) expect(run.stdout.equals(input)).toBe(true);
  });

  it("a record of more edits than a call takes arguments is treated like others", () => {
    const record = `{${'"node_id":1,"b":2,'.repeat(300_000)}"c":3}\n`;
    const bench = makeBench();
    const { output, changed } = bench.apply(
      Buffer.from(`{"a":1}\n${record}`),
      [{ tool: "slow", drop_keys: ["node_id"] }],
      {
        tool: "slow",
      },
    );
    expect(changed).toBe(true);
    expect(output.length).toBeLessThan(record.length / 2);
    bench.remove();
  });

  it("in an event, too", () => {
    const started = performance.now();
    const run = home.run({ input: bashEvent(fill("\x1b[31merror\n").slice(0, SIZE_BYTES / 2)) });
    expect(performance.now() - started).toBeLessThan(BOUND_MS);
    expect(run.code).toBe(0);
  });

  it("with its budget spent it passes the input on, and says so", () => {
    const input = Buffer.from(fill("some line of a log\n"));
    const env = { HOME: home.path, ISTHMOS_BUDGET_MS: "1" };
    const run = home.run({ args: ["filter", "-tool", "slow"], input, env });
    expect(run.code).toBe(0);
    expect(run.stdout.equals(input)).toBe(true);
    expect(run.stderr).toMatch(/^isthmos: error: the time budget of 1 ms ran out/);
  });
});
