import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import type { Store } from "../../src/store/vault.ts";
import {
  age,
  entryPath,
  HOUR_MS,
  keyFileOf,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };
const TEXT = makeText("a");

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

describe("load says honestly why not", () => {
  it.each([
    "",
    "de6ac0410501901",
    "de6ac0410501901b0",
    "DE6AC0410501901B",
    "../../../etc/pass",
    "..",
    "de6ac0410501901b\n",
    "de6ac0410501901g",
    "\0".repeat(16),
    "__proto__",
    "../store/x.bin\0aa",
  ])("an id that is none: %j", (id) => {
    store.save(TEXT, HEAD);
    expect([store.load(id).status, store.has(id)]).toEqual(["not_found", false]);
  });

  it("the example id is never found", () => {
    store.save(TEXT, HEAD);
    fs.writeFileSync(entryPath(dir, EXAMPLE_ID), "x");
    expect(store.load(EXAMPLE_ID).status).toBe("not_found");
  });

  it.each([
    [-1, "ok"],
    [1, "expired"],
  ])("%i minute past the time to live: %s", (minutes, status) => {
    const id = store.save(TEXT, HEAD);
    age(entryPath(dir, id), 168 * HOUR_MS + minutes * 60_000);
    expect([store.load(id).status, store.has(id)]).toEqual([status, true]);
  });

  it("a flipped bit, another name, a later version, an entry of the Go program: unavailable, and untouched", () => {
    const id = store.save(TEXT, HEAD);
    const good = fs.readFileSync(entryPath(dir, id));
    const other = "00112233445566aa";
    for (const [name, bytes] of [
      [id, good.map((byte, i) => (i === 60 ? byte ^ 1 : byte))],
      [other, good],
      [id, good.map((byte, i) => (i === 8 ? 2 : byte))],
      [id, new Uint8Array(300).fill(9)],
      [id, new Uint8Array(0)],
    ] as const) {
      fs.writeFileSync(entryPath(dir, name), bytes);
      const loaded = store.load(name);
      expect(loaded).toEqual({
        status: "unavailable",
        reason: expect.stringMatching(/./),
        hint: expect.stringMatching(/./),
      });
      expect(fs.readFileSync(entryPath(dir, name))).toEqual(Buffer.from(bytes));
    }
  });

  it.each<[string, string, () => void]>([
    ["a folder in place of an entry", "unavailable", () => fs.mkdirSync(entryPath(dir, "00112233445566aa"))],
    [
      "a link in place of an entry",
      "unavailable",
      () => fs.symlinkSync("/etc/hostname", entryPath(dir, "00112233445566aa")),
    ],
    ["the key is gone", "unavailable", () => fs.rmSync(keyFileOf(dir))],
    ["the key is too short", "unavailable", () => fs.truncateSync(keyFileOf(dir), 31)],
    ["another key", "unavailable", () => fs.writeFileSync(keyFileOf(dir), "k".repeat(32))],
    ["the store is a link", "unavailable", () => replaceByLink(folder)],
    ["the store is a file", "unavailable", () => replaceByFile(folder)],
    ["the store is gone", "not_found", () => fs.rmSync(folder, { recursive: true })],
    ["the state is a file", "not_found", () => replaceByFile(stateDirOf(dir))],
  ])("%s: %s", (name, status, spoil) => {
    store.save(TEXT, HEAD);
    fs.copyFileSync(entryPath(dir, store.id(TEXT)), entryPath(dir, "00112233445566aa"));
    if (name.includes("in place")) fs.rmSync(entryPath(dir, "00112233445566aa"));
    spoil();
    expect(store.load("00112233445566aa")).toMatchObject({ status, reason: expect.stringMatching(/./) });
    expect(() => [
      store.stats(),
      store.unreadable(),
      store.keyState(),
      store.has("00112233445566aa"),
    ]).not.toThrow();
  });
});

function replaceByLink(path: string, target = `${path}-moved`): void {
  fs.renameSync(path, `${path}-moved`);
  fs.symlinkSync(target, path);
}

function replaceByFile(path: string): void {
  fs.rmSync(path, { recursive: true });
  fs.writeFileSync(path, "x");
}
