// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  addTombstones,
  clearTombstones,
  dropTombstones,
  readTombstones,
  TOMBSTONES_MAX,
} from "../../src/store/tombstones.ts";
import {
  age,
  entryPath,
  HOUR_MS,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };
const idOf = (number: number) => number.toString(16).padStart(16, "0");

let dir: string;
let folder: string;
beforeEach(() => {
  dir = makeTempDir();
  folder = join(stateDirOf(dir), "store");
  mkdirSync(folder, { recursive: true });
});
afterEach(() => removeTempDir(dir));

describe("the list", () => {
  it("is empty, and no file, before anything went", () => {
    expect(readTombstones(folder)).toEqual([]);
    addTombstones(folder, []);
    expect([clearTombstones(folder), readdirSync(folder)]).toEqual([false, []]);
  });

  it("C15: holds the newest 2,000, each once, in 8 bytes", () => {
    const all = Array.from({ length: TOMBSTONES_MAX + 1 }, (_, i) => idOf(i));
    addTombstones(folder, all.slice(0, TOMBSTONES_MAX));
    expect(readTombstones(folder)).toEqual(all.slice(0, TOMBSTONES_MAX));
    addTombstones(folder, [idOf(5), idOf(TOMBSTONES_MAX)]);
    const kept = readTombstones(folder);
    expect([kept.length, kept.at(-2), kept.at(-1)]).toEqual([TOMBSTONES_MAX, idOf(5), idOf(TOMBSTONES_MAX)]);
    expect([kept[0], kept.filter((id) => id === idOf(5)).length]).toEqual([idOf(1), 1]);
    expect(statSync(join(folder, ".gone")).size).toBe(TOMBSTONES_MAX * 8);
  });

  it("lets ids be taken out, and goes with its last one", () => {
    addTombstones(folder, [idOf(1), idOf(2)]);
    dropTombstones(folder, new Set([idOf(1)]));
    expect(readTombstones(folder)).toEqual([idOf(2)]);
    dropTombstones(folder, new Set([idOf(2)]));
    expect(existsSync(join(folder, ".gone"))).toBe(false);
  });

  it.each([
    ["a rest that is no id", new Uint8Array(12), 1],
    ["too large", new Uint8Array(TOMBSTONES_MAX * 8 + 1), 0],
  ])("is read as far as it goes: %s", (_, bytes, count) => {
    writeFileSync(join(folder, ".gone"), bytes);
    expect(readTombstones(folder)).toHaveLength(count);
  });
});

describe("load tells expired from not found", () => {
  it.each([
    ["it was too old", 200 * HOUR_MS, {}],
    ["the store was full", HOUR_MS, { maxEntries: 1 }],
  ])("also after the sweep, where %s", (_, ageMs, limits) => {
    const store = openTempStore(dir, limits);
    const id = store.save(makeText("old"), HEAD);
    age(entryPath(dir, id), ageMs);
    age(join(folder, ".swept"), 2 * HOUR_MS);
    store.save(makeText("new"), HEAD);
    expect(existsSync(entryPath(dir, id))).toBe(false);
    expect(store.load(id)).toEqual({
      status: "expired",
      reason: expect.stringContaining("kept no longer"),
      hint: "run the tool again",
    });
    expect(store.load("00112233445566aa").status).toBe("not_found");
    expect(store.find(id.slice(0, 8))).toEqual({ id });
    expect(store.load(store.save(makeText("old"), HEAD)).status).toBe("ok");
  });
});
