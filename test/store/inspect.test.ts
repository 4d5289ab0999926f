import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Store } from "../../src/store/vault.ts";
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

let dir: string;
let folder: string;
let store: Store;

beforeEach(() => {
  dir = makeTempDir();
  folder = join(stateDirOf(dir), "store");
  store = openTempStore(dir);
});
afterEach(() => {
  vi.restoreAllMocks();
  removeTempDir(dir);
});

describe("stats", () => {
  it("counts entries, bytes and the oldest", () => {
    const ids = ["a", "b", "c"].map((seed) => store.save(makeText(seed), HEAD));
    age(entryPath(dir, ids[1] ?? ""), 5 * HOUR_MS);
    const { entries, bytes, oldest = 0 } = store.stats();
    expect([entries, bytes]).toEqual([
      3,
      ids.reduce((sum, id) => sum + fs.statSync(entryPath(dir, id)).size, 0),
    ]);
    expect(Math.round((Date.now() - oldest) / HOUR_MS)).toBe(5);
  });

  it("says why there is nothing to count", () => {
    fs.mkdirSync(stateDirOf(dir));
    fs.symlinkSync(dir, folder);
    expect(store.stats()).toMatchObject({ entries: 0, problem: "the store folder is a symbolic link" });
  });
});
