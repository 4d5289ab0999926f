// SPDX-License-Identifier: Apache-2.0
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setFaultPoint } from "../../src/files.ts";
import { createKeyFile } from "../../src/store/key.ts";
import { type Rotated, type RotateOptions, rotateKey } from "../../src/store/rotate.ts";
import type { Store } from "../../src/store/vault.ts";
import { installSecretTool } from "../support/fake-tools.ts";
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
const DRIVER = fileURLToPath(new URL("../support/save-driver.ts", import.meta.url));

let dir: string;
let store: Store;
beforeEach(() => {
  dir = makeTempDir();
  store = openTempStore(dir);
});
afterEach(() => {
  setFaultPoint(undefined);
  vi.unstubAllEnvs();
  removeTempDir(dir);
});

const rotate = (options: Partial<RotateOptions> = {}): Rotated =>
  rotateKey({ stateDir: stateDirOf(dir), keyFile: keyFileOf(dir), ...options });
const oldFile = () => `${keyFileOf(dir)}.old`;

describe("a rotation", () => {
  it("C6: makes a new key, and every marker still leads to its original", () => {
    const ids = ["a", "b", "c"].map((seed) => store.save(makeText(seed), HEAD));
    const [key, entries] = [
      fs.readFileSync(keyFileOf(dir)),
      ids.map((id) => fs.readFileSync(entryPath(dir, id))),
    ];
    expect(rotate()).toEqual({
      outcome: "rotated",
      kind: "file",
      resealed: 3,
      unreadable: 0,
      leftBehind: false,
    });
    expect(fs.readFileSync(keyFileOf(dir))).not.toEqual(key);
    expect(fs.existsSync(oldFile())).toBe(false);
    for (const [i, id] of ids.entries()) {
      expect(fs.readFileSync(entryPath(dir, id))).not.toEqual(entries[i]);
      expect(store.load(id)).toMatchObject({ status: "ok", ...HEAD, bytes: makeText("abc"[i] ?? "") });
    }
    // The key before is worth nothing now.
    fs.writeFileSync(keyFileOf(dir), key);
    expect(ids.map((id) => store.load(id).status)).toEqual(["unavailable", "unavailable", "unavailable"]);
  });

  it("C11: the same text has another id afterwards, and both lead to it", () => {
    const before = store.save(TEXT, HEAD);
    rotate();
    const after = store.save(TEXT, HEAD);
    expect(after).not.toBe(before);
    for (const id of [before, after]) expect(store.load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect(rotate().resealed).toBe(2);
    expect(store.load(before)).toMatchObject({ status: "ok", bytes: TEXT });
  });

  it("keeps the age of an entry", () => {
    const id = store.save(TEXT, HEAD);
    age(entryPath(dir, id), 100 * HOUR_MS);
    const before = fs.statSync(entryPath(dir, id)).mtimeMs;
    rotate();
    expect(Math.abs(fs.statSync(entryPath(dir, id)).mtimeMs - before)).toBeLessThan(2);
  });

  it("C10: what was revealed before is not cut again after it, nor what is revealed after it", () => {
    const [first, second] = [makeText("first"), makeText("second")];
    const ids = [first, second].map((text) => store.save(text, HEAD));
    store.markRevealed(ids[0] ?? "");
    rotate();
    expect([store.revealedWithinHour(first), store.revealedWithinHour(second)]).toEqual([true, false]);
    store.markRevealed(ids[1] ?? "");
    expect(store.revealedWithinHour(second)).toBe(true);
  });

  it("without a key makes one; with another kind moves it", () => {
    expect(rotate()).toMatchObject({ outcome: "made", kind: "file", resealed: 0 });
    const id = store.save(TEXT, HEAD);
    vi.stubEnv("ISTHMOS_PASSPHRASE", "secret");
    expect(rotate({ kind: "passphrase" })).toMatchObject({
      outcome: "rotated",
      kind: "passphrase",
      resealed: 1,
    });
    expect(store.load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect(rotate()).toMatchObject({ kind: "passphrase" });
    expect(rotate({ kind: "file" })).toMatchObject({ kind: "file", resealed: 1 });
    expect(fs.statSync(keyFileOf(dir)).size).toBe(32);
  });

  it("leaves alone what opens under neither key, and says how much", () => {
    const id = store.save(TEXT, HEAD);
    const lost = entryPath(dir, "00112233445566aa");
    fs.copyFileSync(entryPath(dir, id), lost);
    const before = fs.readFileSync(lost);
    expect(rotate()).toMatchObject({ resealed: 1, unreadable: 1 });
    expect(fs.readFileSync(lost)).toEqual(before);
  });

  it("does not touch a store that is a link, or one whose key cannot be used", () => {
    store.save(TEXT, HEAD);
    fs.truncateSync(keyFileOf(dir), 31);
    expect(() => rotate()).toThrow("32 bytes");
    fs.renameSync(join(stateDirOf(dir), "store"), join(dir, "elsewhere"));
    fs.symlinkSync(join(dir, "elsewhere"), join(stateDirOf(dir), "store"));
    expect(() => rotate()).toThrow("symbolic link");
    expect(fs.statSync(keyFileOf(dir)).size).toBe(31);
  });
});

describe("copies of the key", () => {
  const put = (name: string) => {
    const path = join(dir, "data", name);
    fs.writeFileSync(path, "k".repeat(32), { mode: 0o600 });
    return path;
  };
  const left = () => fs.readdirSync(join(dir, "data")).sort();

  it("C13: of a killed rotation go with the next one", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    store.save(TEXT, HEAD);
    for (const name of [`.store.key.old.${pid}-a.tmp`, `.store.key.${pid}-b.tmp`]) put(name);
    put(`.store.key.${process.pid}-c.tmp`);
    age(put(`.store.key.${process.ppid}-d.tmp`), 2 * 60_000);
    const foreign = [`.other.key.${pid}-a.tmp`, ".store.key.tmp"];
    for (const name of foreign) put(name);
    rotate();
    expect(left()).toEqual([...foreign, "store.key"]);
  });

  it("of a process that may be writing stay", () => {
    rotate();
    put(`.store.key.${process.ppid}-a.tmp`);
    rotate();
    expect(left()).toEqual([`.store.key.${process.ppid}-a.tmp`, "store.key"]);
  });
});

describe("a rotation that was broken off", () => {
  it("C6: after the new key, before the entries: all open, and the next one finishes it", () => {
    const id = store.save(TEXT, HEAD);
    fs.renameSync(keyFileOf(dir), oldFile());
    createKeyFile(keyFileOf(dir));
    expect(store.load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect([store.unreadable(), store.keyState().isRotating]).toEqual([0, true]);
    expect(rotate()).toMatchObject({ outcome: "finished", resealed: 1 });
    expect([store.load(id).status, fs.existsSync(oldFile())]).toEqual(["ok", false]);
  });

  it("before the new key: the next one makes it", () => {
    const id = store.save(TEXT, HEAD);
    fs.copyFileSync(keyFileOf(dir), oldFile());
    const key = fs.readFileSync(keyFileOf(dir));
    expect(rotate()).toMatchObject({ outcome: "rotated", resealed: 1 });
    expect(fs.readFileSync(keyFileOf(dir))).not.toEqual(key);
    expect(store.load(id).status).toBe("ok");
  });

  it("the key is gone, the one before is there", () => {
    const id = store.save(TEXT, HEAD);
    fs.renameSync(keyFileOf(dir), oldFile());
    expect(rotate()).toMatchObject({ outcome: "finished", resealed: 1 });
    expect(store.load(id).status).toBe("ok");
  });

  it("keeps the key before where an entry cannot be written", () => {
    const id = store.save(TEXT, HEAD);
    setFaultPoint((operation) => {
      if (operation === "touch") throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
    });
    expect(() => rotate()).toThrow("ENOSPC");
    setFaultPoint(undefined);
    expect(fs.existsSync(oldFile())).toBe(true);
    expect(store.load(id).status).toBe("ok");
    expect(rotate().outcome).toBe("finished");
  });

  it("takes what was asked for as well, when it has finished", () => {
    const id = store.save(TEXT, HEAD);
    fs.renameSync(keyFileOf(dir), oldFile());
    createKeyFile(keyFileOf(dir));
    vi.stubEnv("ISTHMOS_PASSPHRASE", "secret");
    expect(rotate({ kind: "passphrase" })).toMatchObject({ outcome: "rotated", kind: "passphrase" });
    expect(store.load(id).status).toBe("ok");
  });
});

describe("with a keychain", () => {
  beforeEach(() => {
    installSecretTool(join(dir, "bin"));
    vi.stubEnv("PATH", `${join(dir, "bin")}:/usr/bin:/bin`);
  });

  it("moves the key there, and the key before out of it", () => {
    const id = store.save(TEXT, HEAD);
    expect(rotate({ kind: "keychain" })).toMatchObject({ kind: "keychain", resealed: 1 });
    const items = () => fs.readdirSync(join(dir, "bin", "items"));
    const first = items();
    expect(rotate()).toMatchObject({ kind: "keychain", leftBehind: false });
    expect(items()).toHaveLength(1);
    expect(items()).not.toEqual(first);
    expect(store.load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect(rotate({ kind: "file" })).toMatchObject({ kind: "file" });
    expect(items()).toEqual([]);
  });

  it("leaves everything as it was where the keychain does not take the key", () => {
    const id = store.save(TEXT, HEAD);
    const key = fs.readFileSync(keyFileOf(dir));
    fs.writeFileSync(join(dir, "bin", "broken"), "");
    expect(() => rotate({ kind: "keychain" })).toThrow("did not take the key");
    expect(fs.readFileSync(keyFileOf(dir))).toEqual(key);
    expect([fs.existsSync(oldFile()), store.load(id).status]).toEqual([false, "ok"]);
  });
});

describe("at the same time", () => {
  it("C6: a save that holds the key before ends under the new one", () => {
    const id = store.save(TEXT, HEAD);
    const other = makeText("other");
    let done = false;
    setFaultPoint((operation) => {
      // Just before the new entry gets its name, after its bytes were sealed.
      if (operation !== "rename" || done) return;
      done = true;
      setFaultPoint(undefined);
      rotate();
    });
    const saved = store.save(other, HEAD);
    expect(done).toBe(true);
    expect(store.load(saved)).toMatchObject({ status: "ok", bytes: other });
    expect([store.load(id).status, store.unreadable()]).toEqual(["ok", 0]);
    expect(store.revealedWithinHour(other)).toBe(false);
    store.markRevealed(saved);
    expect(store.revealedWithinHour(other)).toBe(true);
  });

  it("C6: savers in other processes lose nothing", async () => {
    store.save(TEXT, HEAD);
    const savers = ["x", "y"].map((name) => save(name, 60));
    let ended = false;
    const all = Promise.all(savers).finally(() => {
      ended = true;
    });
    while (!ended) {
      rotate();
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const saved = (await all).flatMap((text) => text.trim().split("\n"));
    expect(saved).toHaveLength(120);
    for (const line of saved) {
      const [id = "", ...seed] = line.split(" ");
      expect(store.load(id)).toMatchObject({ status: "ok", bytes: makeText(seed.join(" ")) });
    }
    expect(store.unreadable()).toBe(0);
  });
});

function save(name: string, count: number): Promise<string> {
  const child = spawn(process.execPath, [DRIVER, dir, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += String(chunk);
  });
  return new Promise((resolve) => child.on("close", () => resolve(out)));
}
