// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { takeLock, waitForLock } from "../../src/store/lock.ts";
import { age, MINUTE_MS, makeTempDir, removeTempDir } from "../support/temp-store.ts";

let dir: string;
let lock: string;
beforeEach(() => {
  dir = makeTempDir();
  lock = join(dir, ".lock");
});
afterEach(() => removeTempDir(dir));

it("is taken with the number of the process, and given back", () => {
  const release = takeLock(dir);
  expect(readFileSync(lock, "utf8")).toBe(String(process.pid));
  release?.();
  expect(existsSync(lock)).toBe(false);
});

it.each([
  ["a process that runs", String(process.ppid), 0, false],
  ["a process that runs, 11 minutes ago", String(process.ppid), 11, true],
  ["a process that was killed", "", 0, true],
  ["nobody known, 9 minutes ago", "x", 9, false],
  ["nobody known, 11 minutes ago", "x", 11, true],
])("held by %s: taken over: %s", (_, holder, minutes, taken) => {
  const dead = String(spawnSync(process.execPath, ["-e", ""]).pid);
  writeFileSync(lock, holder === "" ? dead : holder);
  age(lock, minutes * MINUTE_MS);
  expect(takeLock(dir) !== undefined).toBe(taken);
});

it("says so where it stays taken", () => {
  writeFileSync(lock, String(process.ppid));
  expect(() => waitForLock(dir, 60)).toThrow("another process");
});
