// SPDX-License-Identifier: Apache-2.0

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBench } from "../support/apply-here.ts";
import { payload, rules, TOOL, toBytes } from "../support/arbitraries.ts";
import { EXECUTABLE_MISSING, makeHome } from "../support/run-cli.ts";

describe.skipIf(EXECUTABLE_MISSING)("C11: the same result in every process", () => {
  it("the executable's output is that of this process, under the same key and another one's but for the ids", () => {
    const home = makeHome([]);
    const bench = makeBench();
    const env = { HOME: home.path, ISTHMOS_BUDGET_MS: "60000" };
    const sameKey = { ISTHMOS_KEY_FILE: join(home.path, ".local/share/isthmos/store.key") };
    let changed = 0;
    const samples = fc.sample(fc.tuple(payload, rules), { numRuns: 16, seed: 7 });
    for (const [{ text }, file] of samples) {
      const bytes = toBytes(text);
      writeFileSync(join(home.path, ".config/isthmos/rules.json"), JSON.stringify(file));
      const run = home.run({ args: ["filter", "-tool", TOOL], input: bytes, env });
      expect(run).toMatchObject({ code: 0, stderr: "" });
      const here = bench.apply(bytes, file, { env: sameKey });
      expect(run.stdout.equals(here.output)).toBe(true);
      expect(home.run({ args: ["filter", "-tool", TOOL], input: bytes, env }).stdout.equals(run.stdout)).toBe(
        true,
      );
      const other = Buffer.from(bench.apply(bytes, file).output).toString("latin1");
      const withoutIds = (output: string) => output.replace(/reveal [0-9a-f]{16}\]/g, "reveal ID]");
      expect(withoutIds(other)).toBe(withoutIds(run.stdout.toString("latin1")));
      if (here.changed) changed++;
    }
    expect(changed).toBeGreaterThan(samples.length / 2);
    bench.remove();
    home.remove();
  });
});
