// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import { readHealth } from "../../src/health.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { STORE_DEFAULTS, type Store } from "../../src/store/vault.ts";
import {
  age,
  encode,
  entryPath,
  HOUR_MS,
  keyFileOf,
  listAll,
  makeTempDir,
  makeText,
  modeOf,
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

function failureOf(run: () => unknown): StoreError {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

describe("save and load", () => {
  it("C6: what save answers an id for, load gives back, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        const id = store.save(bytes, HEAD);
        expect(id).toMatch(/^[0-9a-f]{16}$/);
        expect(store.load(id)).toEqual({ status: "ok", ...HEAD, savedAt: expect.any(Number), bytes });
      }),
      { numRuns: 50 },
    );
  });

  it("C11: the id is of the bytes alone: another process, another time, another tool", () => {
    const id = store.save(TEXT, HEAD);
    expect(openTempStore(dir).id(TEXT)).toBe(id);
    expect(openTempStore(dir).save(TEXT, { tool: "Read", kind: "json" })).toBe(id);
    expect(store.save(makeText("b"), HEAD)).not.toBe(id);
    expect(fs.readdirSync(folder).filter((name) => name.endsWith(".bin"))).toHaveLength(2);
  });

  it("C13: folders are 0700, files 0600, and hold neither the text nor the tool's name", () => {
    const secret = encode(`password of mcp__private: ${"f00d".repeat(50)}`);
    store.save(secret, { tool: "mcp__private__tool", kind: "text" });
    store.markRevealed(store.id(secret));
    for (const name of listAll(dir)) {
      const path = join(dir, name);
      expect([name, modeOf(path)]).toEqual([name, fs.statSync(path).isDirectory() ? 0o700 : 0o600]);
      if (!fs.statSync(path).isFile()) continue;
      const shown = name + fs.readFileSync(path, "latin1");
      for (const text of ["password", "f00df00d", "private"]) expect(shown).not.toContain(text);
    }
  });

  it("narrows a wider folder that an older version left", () => {
    fs.mkdirSync(folder, { recursive: true });
    fs.chmodSync(folder, 0o755);
    store.save(TEXT, HEAD);
    expect(modeOf(folder)).toBe(0o700);
  });

  it("opening, loading, asking: nothing is made", () => {
    store.load(EXAMPLE_ID);
    store.load("de6ac0410501901b");
    store.has("de6ac0410501901b");
    store.revealedWithinHour(TEXT);
    store.markRevealed("de6ac0410501901b");
    expect([store.stats(), store.unreadable(), store.keyState().state]).toEqual([
      { entries: 0, bytes: 0, leftovers: { files: 0, bytes: 0 } },
      0,
      "missing",
    ]);
    expect(listAll(dir)).toEqual([]);
  });

  it("saving again renews the entry and does not write it anew", () => {
    const id = store.save(TEXT, HEAD);
    const path = entryPath(dir, id);
    const before = fs.readFileSync(path);
    age(path, 100 * HOUR_MS);
    expect(store.save(TEXT, HEAD)).toBe(id);
    expect(fs.readFileSync(path)).toEqual(before);
    expect(Date.now() - fs.statSync(path).mtimeMs).toBeLessThan(HOUR_MS);
  });

  it.each<[string, (path: string) => void]>([
    ["damaged", (path) => fs.writeFileSync(path, fs.readFileSync(path).fill(0, 30, 31))],
    ["torn", (path) => fs.truncateSync(path, 40)],
    ["empty", (path) => fs.truncateSync(path, 0)],
    ["a link", (path) => replaceByLink(path)],
    ["a dangling link", (path) => replaceByLink(path, `${path}-nowhere`)],
  ])("C6: saving again repairs an entry that is %s", (_, spoil) => {
    const id = store.save(TEXT, HEAD);
    spoil(entryPath(dir, id));
    expect(store.load(id).status).toBe("unavailable");
    expect(store.unreadable()).toBe(1);
    expect(store.save(TEXT, HEAD)).toBe(id);
    expect(store.load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect(fs.lstatSync(entryPath(dir, id)).isFile()).toBe(true);
  });

  it.each([
    [99, true],
    [100, true],
    [101, false],
  ])("C15: an original of %i bytes under a limit of 100", (size, fits) => {
    const small = openTempStore(dir, { maxEntryBytes: 100 });
    if (fits) expect(small.load(small.save(encode("x".repeat(size)), HEAD)).status).toBe("ok");
    else
      expect(failureOf(() => small.save(encode("x".repeat(size)), HEAD))).toMatchObject({
        code: "store_failed",
      });
    expect(fs.existsSync(folder)).toBe(fits);
  });

  it("C15: 32 MiB is the most, whatever the limit says", () => {
    const wide = openTempStore(dir, { maxEntryBytes: 2 ** 40 });
    const most = new Uint8Array(STORE_DEFAULTS.maxEntryBytes);
    expect(wide.load(wide.save(most, HEAD))).toMatchObject({ status: "ok" });
    expect(failureOf(() => wide.save(new Uint8Array(most.length + 1), HEAD)).message).toContain("33554432");
  });
});

function replaceByLink(path: string, target = `${path}-moved`): void {
  fs.renameSync(path, `${path}-moved`);
  fs.symlinkSync(target, path);
}

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

function replaceByFile(path: string): void {
  fs.rmSync(path, { recursive: true });
  fs.writeFileSync(path, "x");
}

describe("save says honestly why not", () => {
  it.each<[string, string, () => void]>([
    ["the state folder cannot be made", "store_failed", () => fs.writeFileSync(stateDirOf(dir), "")],
    [
      "an entry cannot be replaced",
      "store_failed",
      () => fs.mkdirSync(join(entryPath(dir, store.id(TEXT)), "x"), { recursive: true }),
    ],
    [
      "the store is a link",
      "store_foreign",
      () => {
        fs.mkdirSync(join(dir, "elsewhere"));
        fs.mkdirSync(stateDirOf(dir));
        fs.symlinkSync(join(dir, "elsewhere"), folder);
      },
    ],
    [
      "the store is of another user",
      "store_foreign",
      () => {
        fs.mkdirSync(folder, { recursive: true });
        vi.spyOn(process, "getuid").mockReturnValue(fs.statSync(dir).uid + 1);
      },
    ],
    [
      "the key is too short",
      "key_unusable",
      () => {
        fs.mkdirSync(dirname(keyFileOf(dir)));
        fs.writeFileSync(keyFileOf(dir), "short", { mode: 0o600 });
      },
    ],
    ["the key cannot be made", "key_unusable", () => fs.writeFileSync(join(dir, "data"), "")],
  ])("C6: %s: %s, with the next step", (_, code, spoil) => {
    spoil();
    const error = failureOf(() => store.save(TEXT, HEAD));
    expect(error).toMatchObject({
      code,
      hint: expect.stringMatching(/./),
      message: expect.stringMatching(/^[a-z]/),
    });
    expect(listAll(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("nothing is written through a link in place of the store", () => {
    fs.mkdirSync(join(dir, "elsewhere"));
    fs.mkdirSync(stateDirOf(dir));
    fs.symlinkSync(join(dir, "elsewhere"), folder);
    failureOf(() => store.save(TEXT, HEAD));
    expect(fs.readdirSync(join(dir, "elsewhere"))).toEqual([]);
  });

  it("a link in a parent is fine", () => {
    fs.mkdirSync(join(dir, "elsewhere"));
    fs.symlinkSync(join(dir, "elsewhere"), stateDirOf(dir));
    expect(store.load(store.save(TEXT, HEAD)).status).toBe("ok");
  });
});

describe("the key", () => {
  it("entries but no key: a new one is made, health says so, the old entries are counted and left", () => {
    const id = store.save(TEXT, HEAD);
    fs.rmSync(keyFileOf(dir));
    expect([store.keyState().state, store.unreadable()]).toEqual(["missing", 1]);
    const next = store.save(TEXT, HEAD);
    expect(next).not.toBe(id);
    expect(readHealth(stateDirOf(dir)).map(({ code }) => code)).toEqual(["key_replaced"]);
    expect([store.load(id).status, store.load(next).status]).toEqual(["unavailable", "ok"]);
    expect([store.unreadable(), store.stats().entries]).toEqual([1, 2]);
  });

  it("no entries and no key: nothing to report", () => {
    store.save(TEXT, HEAD);
    expect(readHealth(stateDirOf(dir))).toEqual([]);
  });

  it("only what the Go program left: nothing is replaced", () => {
    fs.mkdirSync(folder, { recursive: true });
    for (const name of ["00112233445566aa.bin", "00112233445566aa.meta", "store.key"])
      fs.writeFileSync(join(folder, name), "x");
    store.save(TEXT, HEAD);
    expect(readHealth(stateDirOf(dir))).toEqual([]);
    expect(store.stats()).toMatchObject({ entries: 1, leftovers: { files: 3, bytes: 3 } });
    expect(store.unreadable()).toBe(0);
  });

  it("C11: 20 parallel first runs agree on one key, and each can read what another stored", async () => {
    const script = `
      import { openStore, STORE_DEFAULTS } from ${JSON.stringify(new URL("../../src/store/vault.ts", import.meta.url).href)};
      const [stateDir, keyFile, own] = process.argv.slice(1);
      const store = openStore({ stateDir, keyFile, ...STORE_DEFAULTS });
      const save = (text) => store.save(new TextEncoder().encode(text), { tool: "t", kind: "text" });
      console.log(save("the same"), save(own));`;
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        const args = ["--input-type=module", "-e", script, stateDirOf(dir), keyFileOf(dir), `own ${i}`];
        const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
        let out = "";
        child.stdout.on("data", (chunk) => {
          out += chunk;
        });
        return new Promise<string[]>((resolve) => child.on("close", () => resolve(out.trim().split(" "))));
      }),
    );
    expect(new Set(ids.map(([same]) => same))).toEqual(new Set([store.id(encode("the same"))]));
    expect(ids.map(([, own]) => store.load(own ?? "").status)).toEqual(ids.map(() => "ok"));
    expect(store.unreadable()).toBe(0);
    expect(fs.readdirSync(dirname(keyFileOf(dir)))).toEqual(["store.key"]);
    expect(readHealth(stateDirOf(dir))).toEqual([]);
  }, 180_000);
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
