// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../scripts/build/project.ts";
import { measureShapes } from "../../scripts/sutra/measure.ts";
import { PROFILE_RULES, readStarterRules } from "../../scripts/sutra/rules.ts";
import { makeShapes } from "../../scripts/sutra/shapes.ts";
import { findShortfalls, formatShapes } from "../../scripts/sutra/tables.ts";

const DOCUMENT = readFileSync(join(ROOT, "docs/benchmark.md"), "utf8");
const shapes = makeShapes();

describe("the eight shapes", () => {
  // By name only: a title must not hold the text.
  it.each(shapes.map(({ name }) => name))("%s: has the published size, within 1 %%", (name) => {
    const { text, clue, published } = shapes.find((shape) => shape.name === name) ?? shapes[0]!;
    expect(Math.abs(Buffer.byteLength(text) / published.bytes - 1)).toBeLessThan(0.01);
    expect(text.split(clue)).toHaveLength(2);
  });

  it.each([
    ["profile", PROFILE_RULES, true],
    ["starter rules", readStarterRules(), false],
  ])(
    "under the %s: no clue is lost, and docs/benchmark.md has the table",
    (_, rules, comparesRows) => {
      const measured = measureShapes(shapes, rules);
      expect(findShortfalls(measured, comparesRows)).toEqual([]);
      expect(DOCUMENT).toContain(formatShapes(measured));
    },
    120_000,
  );
});
