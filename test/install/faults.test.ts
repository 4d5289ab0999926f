// SPDX-License-Identifier: Apache-2.0
// The k-th file operation of init and uninstall fails, for every k; or all from the k-th on, as for a full disk or a
// process that was ended.
import { afterEach, beforeEach, expect, it } from "vitest";
import { setFaultPoint } from "../../src/faults.ts";
import { makeErrno } from "../support/faults.ts";
import { type InstallHome, makeInstallHome } from "../support/install-home.ts";

const FILES = { ".claude/settings.json": '{\n  "model": "opus" // mine\n}\n', ".claude.json": '{"n":1}' };
const MODES = ["one", "rest"] as const;

let home: InstallHome;
/** All files before and after `init`. */
let before: Record<string, string>;
let wired: Record<string, string>;
beforeEach(async () => {
  home = makeInstallHome();
  home.reset(FILES);
  before = home.snapshot();
  await home.init();
  wired = home.snapshot();
});
afterEach(() => {
  setFaultPoint(undefined);
  home.remove();
});

async function runWithFaults(k: number, mode: (typeof MODES)[number], run: () => Promise<{ code: number }>) {
  let failed = false;
  setFaultPoint((_, count) => {
    if (mode === "one" ? count !== k : count < k) return;
    failed = true;
    throw makeErrno("EIO");
  });
  const { code } = await run();
  setFaultPoint(undefined);
  return { failed, code };
}

/** For each of the user's files whether it is as before; anything but that or wired fails the test. */
function statesOf(name: string): boolean[] {
  return Object.keys(FILES).map((file) => {
    const now = home.snapshot()[file];
    expect([before[file], wired[file]], `${name}: ${file}`).toContain(now);
    return now === before[file];
  });
}

async function expectExactUndo(name: string) {
  expect((await home.uninstall()).code).toBe(0);
  expect(statesOf(name), name).toEqual([true, true]);
  expect(leftovers(), name).toEqual([]);
}

/** What is neither the user's nor the rules or the record. */
function leftovers(): string[] {
  const known = [...Object.keys(before), ".config/isthmos/rules.json", ".local/state/isthmos/installs.json"];
  return Object.keys(home.snapshot()).filter((name) => !known.includes(name));
}

it.each(MODES)("in init, the k-th and %s: no file is lost or half, and undo is exact", async (mode) => {
  for (let k = 1; ; k++) {
    home.reset(before);
    const { failed, code } = await runWithFaults(k, mode, () => home.init());
    const name = `${mode} ${k}`;
    const states = statesOf(name);
    if (!failed) {
      expect(k).toBeGreaterThan(40);
      expect([code, ...states]).toEqual([0, false, false]);
      return;
    }
    const now = home.snapshot();
    if (mode === "one") {
      // All is taken back, or the failure was of no matter.
      expect(states, name).toEqual([code === 1, code === 1]);
      expect(
        Object.keys(now).filter((file) => file.endsWith(".tmp")),
        name,
      ).toEqual([]);
    }
    if (Object.keys(now).join() !== Object.keys(before).join()) await expectExactUndo(name);
  }
});

it("a killed init, init again and uninstall leave nothing behind", async () => {
  for (let k = 1; ; k++) {
    home.reset(before);
    const { failed } = await runWithFaults(k, "rest", () => home.init());
    if (!failed) return;
    expect((await home.init()).code).toBe(0);
    expect(Object.keys(home.snapshot()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    await expectExactUndo(`${k}`);
  }
});

it.each(MODES)(
  "in uninstall, the k-th and %s: no file is lost or half, and once more does it",
  async (mode) => {
    for (let k = 1; ; k++) {
      home.reset(wired);
      const { failed, code } = await runWithFaults(k, mode, () => home.uninstall());
      const name = `${mode} ${k}`;
      const states = statesOf(name);
      if (!failed) {
        expect(k).toBeGreaterThan(20);
        expect([code, ...states]).toEqual([0, true, true]);
        return;
      }
      if (mode === "one" && code === 1) expect(states, name).toEqual([false, false]);
      await expectExactUndo(name);
    }
  },
);
