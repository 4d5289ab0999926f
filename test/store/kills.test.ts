// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { expectHonest, expectUsable } from "../support/store-invariants.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "../support/store-scenarios.ts";
import { makeTempDir, removeTempDir } from "../support/temp-store.ts";

const DRIVER = fileURLToPath(new URL("../support/kill-driver.ts", import.meta.url));
/** Children at a time; more than the cores of a small machine gain nothing. */
const PARALLEL = 2;

/** Kills one run before its k-th operation; false if the run was over by then. */
async function killAt(name: ScenarioName, k: number): Promise<boolean> {
  const dir = makeTempDir();
  SCENARIOS[name].prepare(dir);
  const child = spawn(process.execPath, [DRIVER, name, dir, String(k)], { stdio: "inherit" });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.on("exit", (...how) => resolve(how));
  });
  expect([code, signal]).toBeOneOf([
    [0, null],
    [null, "SIGKILL"],
  ]);
  expectHonest(name, dir, code === 0 && name.includes("save"));
  expectUsable(dir);
  removeTempDir(dir);
  return signal !== null;
}

it.each(SCENARIO_NAMES)(
  "C6: %s, killed before each file operation",
  async (name) => {
    let kills = 0;
    for (let k = 1, more = true; more; k += PARALLEL) {
      const killed = await Promise.all(Array.from({ length: PARALLEL }, (_, i) => killAt(name, k + i)));
      kills += killed.filter(Boolean).length;
      more = !killed.includes(false);
    }
    expect(kills).toBeGreaterThan(2);
  },
  600_000,
);
