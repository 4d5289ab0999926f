// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readHealth } from "../../src/health.ts";
import type { Store } from "../../src/store/vault.ts";
import {
  encode,
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
