// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setFaultPoint } from "../../src/files.ts";
import { noteWritten, type SweepOptions, sweep } from "../../src/store/sweep.ts";
import type { Store } from "../../src/store/vault.ts";
import { makeErrno, recordOperations } from "../support/faults.ts";
import {
  age,
  encode,
  entryPath,
  HOUR_MS,
  keyFileOf,
  MINUTE_MS,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };
const TTL_MS = 168 * HOUR_MS;

let dir: string;
let folder: string;
let store: Store;

beforeEach(() => {
  dir = makeTempDir();
  folder = join(stateDirOf(dir), "store");
  store = openTempStore(dir);
});
afterEach(() => {
  setFaultPoint(undefined);
  removeTempDir(dir);
});

function runSweep(limits: Partial<SweepOptions> = {}): void {
  sweep({
    stateDir: stateDirOf(dir),
    keyFile: keyFileOf(dir),
    ttlMs: TTL_MS,
    maxBytes: 1e9,
    maxEntries: 1e9,
    ...limits,
  });
}

/** An entry of its own for each seed, saved so many ms ago; its id. */
function saveAged(seed: string, ageMs: number): string {
  const id = store.save(makeText(seed), HEAD);
  age(entryPath(dir, id), ageMs);
  return id;
}

function leave(name: string, ageMs: number, where = folder): string {
  fs.mkdirSync(where, { recursive: true });
  fs.writeFileSync(join(where, name), "left");
  age(join(where, name), ageMs);
  return join(where, name);
}

const present = () => fs.readdirSync(folder).filter((name) => !name.startsWith("."));

describe("what goes", () => {
  it.each([
    [-1, 1],
    [1, 0],
  ])("%i minute past the time to live: %i left", (minutes, left) => {
    saveAged("a", TTL_MS + minutes * MINUTE_MS);
    runSweep();
    expect(present()).toHaveLength(left);
  });

  it("above the number of entries the oldest go first", () => {
    const ids = [40, 20, 30, 50].map((minutes) => saveAged(`${minutes}`, minutes * MINUTE_MS));
    runSweep({ maxEntries: 4 });
    expect(present()).toHaveLength(4);
    runSweep({ maxEntries: 2 });
    expect(present().sort()).toEqual([ids[1], ids[2]].map((id) => `${id}.bin`).sort());
  });

  it("above the bytes the oldest go first, no more than needed", () => {
    const ids = [20, 30, 40].map((minutes) => saveAged(`${minutes}`, minutes * MINUTE_MS));
    const total = store.stats().bytes;
    runSweep({ maxBytes: total });
    expect(present()).toHaveLength(3);
    runSweep({ maxBytes: total - 1 });
    expect(present().sort()).toEqual([ids[0], ids[1]].map((id) => `${id}.bin`).sort());
  });

  it.each([
    [9, 1],
    [11, 0],
  ])("C6: what is %i minutes old, above the quota: %i left", (minutes, left) => {
    saveAged("a", minutes * MINUTE_MS);
    runSweep({ maxEntries: 0, maxBytes: 0 });
    expect(present()).toHaveLength(left);
  });

  it.each([
    [".x.1-a.tmp", 11 * MINUTE_MS, true],
    [".x.1-a.tmp", 9 * MINUTE_MS, false],
    ["notes.txt", TTL_MS * 2, false],
  ])("%s, %i ms old, goes: %s", (name, ageMs, goes) => {
    const path = leave(name, ageMs);
    runSweep();
    expect(fs.existsSync(path)).toBe(!goes);
  });

  it("what a killed process left beside the key goes, nothing else there", () => {
    store.save(makeText("a"), HEAD);
    const beside = join(dir, "data");
    leave(".store.key.1-a.tmp", 11 * MINUTE_MS, beside);
    leave(".other.1-a.tmp", TTL_MS * 2, beside);
    runSweep();
    expect(fs.readdirSync(beside).sort()).toEqual([".other.1-a.tmp", "store.key"]);
  });

  it("marks of what was revealed go after the hour", () => {
    const where = join(stateDirOf(dir), "revealed");
    leave("00112233445566aa-5", HOUR_MS + MINUTE_MS, where);
    leave("00112233445566aa-6", HOUR_MS - MINUTE_MS, where);
    fs.mkdirSync(folder);
    runSweep();
    expect(fs.readdirSync(where)).toEqual(["00112233445566aa-6"]);
  });

  it("links, folders and foreign files stay where they are", () => {
    fs.mkdirSync(join(folder, "00112233445566aa.bin"), { recursive: true });
    fs.symlinkSync("/etc/hostname", join(folder, "00112233445566ab.bin"));
    runSweep({ maxEntries: 0 });
    expect(present().sort()).toEqual(["00112233445566aa.bin", "00112233445566ab.bin"]);
  });

  it("what the Go program left goes only when it is too old, and its key last", () => {
    const names = [
      "00112233445566aa.bin",
      "00112233445566aa.meta",
      "00112233445566ab.bin",
      "00112233445566ab.meta",
    ];
    for (const name of names.slice(0, 2)) leave(name, TTL_MS + HOUR_MS);
    for (const name of names.slice(2)) leave(name, TTL_MS - HOUR_MS);
    leave("store.key", TTL_MS * 3);
    runSweep({ maxEntries: 0, maxBytes: 0 });
    expect(present().sort()).toEqual([...names.slice(2), "store.key"]);
    for (const name of names.slice(2)) age(join(folder, name), TTL_MS + HOUR_MS);
    runSweep();
    expect(present()).toEqual([]);
  });
});

it("an entry that cannot go does not keep the others", () => {
  const ids = ["a", "b", "c"].map((seed) => saveAged(seed, TTL_MS + HOUR_MS)).sort();
  let renames = 0;
  setFaultPoint((operation) => {
    // The first one is that of the tombstones.
    if (operation === "rename" && ++renames === 2) throw makeErrno("EPERM");
  });
  runSweep();
  expect(present()).toHaveLength(1);
  expect(ids).toContain(present()[0]?.slice(0, 16));
});

describe("C6: an entry renewed while the sweep is on it stays", () => {
  it.each([0, 1, 2, 3, 4, 5])("%i operations before it would go", (before) => {
    const id = saveAged("a", TTL_MS + HOUR_MS);
    const operations = recordOperations(() => runSweep());
    expect(present()).toEqual([]);
    saveAged("a", TTL_MS + HOUR_MS);
    const removal = operations.lastIndexOf("remove", -2);
    setFaultPoint((_, count) => {
      if (count !== removal + 1 - before) return;
      setFaultPoint(undefined);
      store.save(makeText("a"), HEAD);
    });
    runSweep();
    expect(store.load(id)).toMatchObject({ status: "ok" });
  });

  it("where the sweeper is killed before its second look, the next sweep brings it back", () => {
    const id = saveAged("a", HOUR_MS);
    fs.renameSync(entryPath(dir, id), `${entryPath(dir, id)}.123abc.out`);
    runSweep();
    expect(store.load(id)).toMatchObject({ status: "ok" });
  });

  it.each([
    ["it has run out", () => TTL_MS + HOUR_MS, false],
    ["it was saved again", () => HOUR_MS, true],
  ])("and does not, where %s", (_, ageMs, again) => {
    const id = saveAged("a", ageMs());
    fs.renameSync(entryPath(dir, id), `${entryPath(dir, id)}.123abc.out`);
    if (again) store.save(makeText("a"), HEAD);
    runSweep();
    expect(present()).toEqual(again ? [`${id}.bin`] : []);
  });
});

describe("when a sweep is due", () => {
  const due = (bytes: number) => noteWritten(stateDirOf(dir), bytes);

  beforeEach(() => {
    fs.mkdirSync(folder, { recursive: true });
    runSweep();
  });

  it.each([
    [59, false],
    [61, true],
    [-59, false],
    [-61, true],
  ])("%i minutes after the last: %s", (minutes, expected) => {
    age(join(folder, ".swept"), minutes * MINUTE_MS);
    expect(due(1)).toBe(expected);
  });

  it("after 32 MiB, in one piece or in many", () => {
    const mib = 1024 * 1024;
    expect(due(32 * mib - 16 * 1024)).toBe(false);
    expect(due(1)).toBe(true);
    runSweep();
    const answers = Array.from({ length: 32 }, () => due(mib));
    expect(answers.indexOf(true)).toBe(31);
  });

  it("after about 2,000 small entries", () => {
    const answers = Array.from({ length: 2048 }, () => due(10));
    expect(answers.indexOf(true)).toBe(2047);
  });

  it("C15: on other calls no folder is listed", () => {
    store.save(makeText("first"), HEAD);
    const operations = recordOperations(() => store.save(makeText("a"), HEAD));
    expect(operations).not.toContain("list");
  });

  it("a save that is due sweeps", () => {
    const id = saveAged("old", TTL_MS + HOUR_MS);
    store.save(makeText("a"), HEAD);
    expect(fs.existsSync(entryPath(dir, id))).toBe(true);
    age(join(folder, ".swept"), 2 * HOUR_MS);
    store.save(makeText("a"), HEAD);
    expect(fs.existsSync(entryPath(dir, id))).toBe(false);
    expect(fs.readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([".gone", ".swept"]);
  });
});

describe("one sweeper at a time", () => {
  it.each([
    [9, false],
    [11, true],
    [-11, true],
  ])("a lock of %i minutes ago is taken over: %s", (minutes, taken) => {
    const id = saveAged("a", TTL_MS + HOUR_MS);
    leave(".lock", minutes * MINUTE_MS);
    runSweep();
    expect([fs.existsSync(entryPath(dir, id)), fs.existsSync(join(folder, ".lock"))]).toEqual([
      !taken,
      !taken,
    ]);
  });

  it("C6: a failing sweep does not fail the save, and is not tried again on the next", () => {
    saveAged("a", TTL_MS + HOUR_MS);
    age(join(folder, ".swept"), 2 * HOUR_MS);
    setFaultPoint((operation) => {
      if (operation === "list") throw makeErrno("EACCES");
    });
    expect(store.load(store.save(encode("new"), HEAD)).status).toBe("ok");
    setFaultPoint(undefined);
    expect(fs.existsSync(join(folder, ".lock"))).toBe(false);
    expect(recordOperations(() => store.save(encode("newer"), HEAD))).not.toContain("list");
  });
});
