// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { errorCode } from "../../src/files.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { runWithFault } from "../support/faults.ts";
import { expectHonest, expectUsable } from "../support/store-invariants.ts";
import { CALL, openTempSeen, SCENARIO_NAMES, SCENARIOS } from "../support/store-scenarios.ts";
import { listAll, makeTempDir, removeTempDir } from "../support/temp-store.ts";

const MODES = ["one", "rest"] as const;

it.each(SCENARIO_NAMES.flatMap((name) => MODES.map((mode) => [name, mode] as const)))(
  "C1, C6: %s, with the k-th file operation failing (%s), for every k",
  (name, mode) => {
    const { prepare, run } = SCENARIOS[name];
    let k = 1;
    for (; ; k++) {
      const dir = makeTempDir();
      prepare(dir);
      let thrown: unknown;
      const failed = runWithFault(k, mode, () => {
        try {
          run(dir);
        } catch (error) {
          thrown = error;
        }
      });
      // Each has a code: a StoreError one for the health record, the file system its own.
      if (thrown !== undefined)
        expect(thrown instanceof StoreError || errorCode(thrown) === "EIO").toBe(true);
      expectHonest(name, dir, thrown === undefined && name.includes("save"));
      if (mode === "one" && name === "seen boundary") expect(openTempSeen(dir).find(CALL)).toBeUndefined();
      if (mode === "one" && failed !== "remove") {
        expect(
          listAll(dir).filter((path) => path.endsWith(".out") || /\.store\.key\..*tmp$/.test(path)),
        ).toEqual([]);
      }
      expectUsable(dir);
      removeTempDir(dir);
      if (failed === undefined) break;
      expect(k).toBeLessThan(300);
    }
    // A run of no operation would prove nothing.
    expect(k).toBeGreaterThan(3);
  },
  180_000,
);
