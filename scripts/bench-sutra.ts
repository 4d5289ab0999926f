// SPDX-License-Identifier: Apache-2.0
// The eight shapes of a published benchmark of SUTRA, under its profile and under our starter rules: bytes, tokens,
// the way back to each clue, and two controls of the same size. The tables go to stdout; docs/benchmark.md holds them
// and a test compares. Exit code 1 where a row is worse than the published one or a clue is lost.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIST, runStep } from "./build/project.ts";
import { measureShapes } from "./sutra/measure.ts";
import { PROFILE_RULES, readStarterRules } from "./sutra/rules.ts";
import { makeShapes, type Shape } from "./sutra/shapes.ts";
import { findShortfalls, formatShapes, median } from "./sutra/tables.ts";

const RUNS = 9;
const TIME = "/usr/bin/time";

/** Time as a ratio to a call that does nothing, and peak memory, of the executable: by the machine, so not compared. */
function formatCosts(shapes: readonly Shape[], home: string): string {
  const built = join(DIST, "isthmos");
  if (!existsSync(built)) throw new Error("dist/isthmos is missing: run npm run build");
  // Where a file lies on the disk shows in the memory that is counted for it.
  const program = join(home, "isthmos");
  copyFileSync(built, program);
  const run = (shape: Shape, variables: Record<string, string>): number => {
    const startedAt = process.hrtime.bigint();
    const env = { HOME: home, ISTHMOS_BUDGET_MS: "60000", ...variables };
    spawnSync(program, ["filter", "-tool", shape.tool], { env, input: shape.text, maxBuffer: 2 ** 30 });
    return Number(process.hrtime.bigint() - startedAt);
  };
  const lines = ["| shape | time, ratio to a call that is switched off | peak memory, MB |", "|---|--:|--:|"];
  for (const shape of shapes) {
    const [own, off]: [number[], number[]] = [[], []];
    for (let i = 0; i < RUNS; i++) {
      own.push(run(shape, {}));
      off.push(run(shape, { ISTHMOS_DISABLE: "1" }));
    }
    lines.push(
      `| ${shape.name} | ${(median(own) / median(off)).toFixed(2)} | ${measurePeak(program, shape, home)} |`,
    );
  }
  return lines.join("\n");
}

function measurePeak(program: string, shape: Shape, home: string): string {
  if (!existsSync(TIME)) return "?";
  const args = ["-v", program, "filter", "-tool", shape.tool];
  const { stderr } = spawnSync(TIME, args, { env: { HOME: home }, input: shape.text, maxBuffer: 2 ** 30 });
  const kilobytes = /Maximum resident set size \(kbytes\): (\d+)/.exec(stderr.toString())?.[1];
  return kilobytes === undefined ? "?" : ((Number(kilobytes) * 1024) / 1e6).toFixed(0);
}

await runStep(() => {
  const shapes = makeShapes();
  const profile = measureShapes(shapes, PROFILE_RULES);
  const starter = measureShapes(shapes, readStarterRules());
  console.log(
    `Profile "sutra":\n\n${formatShapes(profile)}\n\nStarter rules, live:\n\n${formatShapes(starter)}\n`,
  );
  const home = mkdtempSync(join(tmpdir(), "isthmos-sutra-"));
  try {
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(join(home, ".config/isthmos/rules.json"), PROFILE_RULES);
    console.log(formatCosts(shapes, home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const faults = [...findShortfalls(profile, true), ...findShortfalls(starter, false)];
  if (faults.length > 0) throw new Error(`below the mark:\n  ${faults.join("\n  ")}`);
});
