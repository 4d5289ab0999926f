// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { type Bench, makeBench } from "../support/apply-here.ts";
import { PROPERTY_TIMEOUT_MS, payload, RUNS, rules, toBytes } from "../support/arbitraries.ts";
import { checkJsonCut, checkLinesCut, checkTextCut } from "../support/check-cut.ts";

const bench: Bench = makeBench();
afterAll(() => bench.remove());

it(
  "C4, C5, C7: what is not cut is the original's bytes in order, and markers name every hole truly",
  () => {
    let changed = 0;
    fc.assert(
      fc.property(payload, rules, ({ kind, text }, file) => {
        const bytes = toBytes(text);
        const { output, changed: isChanged, id } = bench.apply(bytes, file);
        if (!isChanged) {
          expect(output).toBe(bytes);
          return;
        }
        changed++;
        const own = file.filter(({ tool }) => tool !== "Bash");
        const acting = own.filter((rule) => bytes.length >= (("min_bytes" in rule && rule.min_bytes) || 0));
        const cutRules = {
          dropKeys: acting.flatMap((rule) => rule.drop_keys ?? []),
          compact: acting.some((rule) => "compact" in rule && rule.compact),
          stripAnsi: acting.some((rule) => "strip_ansi" in rule && rule.strip_ansi),
          collapseCr: acting.some((rule) => "collapse_cr" in rule && rule.collapse_cr),
        };
        const report =
          kind === "json"
            ? checkJsonCut(bytes, output, cutRules)
            : kind === "lines"
              ? checkLinesCut(bytes, output, cutRules)
              : checkTextCut(bytes, output, cutRules);
        expect([...report.ids]).toEqual(id === undefined ? [] : [id]);
      }),
      { numRuns: RUNS },
    );
    // Half of the runs must have shown something.
    expect(changed).toBeGreaterThan(RUNS / 2);
  },
  PROPERTY_TIMEOUT_MS,
);
