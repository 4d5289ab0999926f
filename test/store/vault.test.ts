import * as fs from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
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
      { entries: 0, bytes: 0, leftovers: { files: 0, bytes: 0 }, foreign: [] },
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
    const { foreign } = store.stats();
    expect([store.unreadable() === 1, foreign.includes(`${id}.bin`)].filter(Boolean)).toEqual([true]);
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
