// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { FileOperation } from "../../src/files.ts";
import { recordOperations } from "../support/faults.ts";
import { expectHonest, expectUsable } from "../support/store-invariants.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "../support/store-scenarios.ts";
import { makeTempDir, removeTempDir } from "../support/temp-store.ts";

/** A kill before one of these leaves the same disk as a kill before the next operation that writes. */
const ONLY_READS: ReadonlySet<FileOperation> = new Set(["stat", "list", "read"]);
/** Children at a time; more than the cores of a small machine gain nothing. */
const PARALLEL = 2;

let bin: string;
let driver: string;

// One file starts in a third of the time of twenty.
beforeAll(async () => {
  bin = makeTempDir();
  driver = join(bin, "kill-driver.mjs");
  const entry = fileURLToPath(new URL("../support/kill-driver.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile: driver, bundle: true, platform: "node", format: "esm" });
});
afterAll(() => removeTempDir(bin));

/** The numbers of the operations that a kill can precede to some effect, and one past the last. */
function killPoints(name: ScenarioName): number[] {
  const dir = makeTempDir();
  SCENARIOS[name].prepare(dir);
  const operations = recordOperations(() => SCENARIOS[name].run(dir));
  removeTempDir(dir);
  const points = operations.flatMap((operation, i) => (ONLY_READS.has(operation) ? [] : [i + 1]));
  return [...points, operations.length + 1];
}

/** How the run ended that was to be killed before its k-th operation: a signal, or null if it was over by then. */
async function killAt(name: ScenarioName, k: number): Promise<string | null> {
  const dir = makeTempDir();
  SCENARIOS[name].prepare(dir);
  const child = spawn(process.execPath, [driver, name, dir, String(k)], { stdio: "inherit" });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("exit", (...how) => resolve(how));
  });
  if (signal === null) expect(code).toBe(0);
  expectHonest(name, dir, signal === null && name.includes("save"));
  expectUsable(dir);
  removeTempDir(dir);
  return signal;
}

it.each(SCENARIO_NAMES)(
  "C6: %s, killed before each file operation",
  async (name) => {
    const points = killPoints(name);
    const ends: (string | null)[] = [];
    for (let i = 0; i < points.length; i += PARALLEL) {
      ends.push(...(await Promise.all(points.slice(i, i + PARALLEL).map((k) => killAt(name, k)))));
    }
    expect(ends.at(-1)).toBeNull();
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(["SIGKILL"]));
  },
  600_000,
);
