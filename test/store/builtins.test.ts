// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { loadCrypto, loadZlib } from "../../src/store/builtins.ts";
import {
  keyFileOf,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

it("loads the built-ins", () => {
  expect(loadCrypto().createHash("sha256").update("").digest("hex")).toMatch(/^e3b0c442/);
  expect(loadZlib().constants.ZSTD_c_compressionLevel).toBe(100);
});

it("crypto is loaded by the first call that stores, zlib by the first that stores 16 KiB, neither before", () => {
  const dir = makeTempDir();
  const store = openTempStore(dir);
  store.markRevealed(store.save(makeText("revealed"), { tool: "t", kind: "text" }));
  const url = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);
  const script = `
    const loaded = () => process.moduleLoadList.filter((name) => /NativeModule (crypto|zlib)$/.test(name));
    const { openStore, STORE_DEFAULTS } = await import(${url("store/vault.ts")});
    const { openSeen } = await import(${url("store/seen.ts")});
    const [stateDir, keyFile] = process.argv.slice(1);
    const store = openStore({ stateDir, keyFile, ...STORE_DEFAULTS });
    const seen = openSeen(stateDir, keyFile);
    const call = { session: "s", tool: "t", useId: "u", bytes: new Uint8Array(5000) };
    seen.beginGeneration("s", { starts: true });
    seen.find(call);
    seen.pend(call);
    seen.promote({ ...call, bytes: new Uint8Array(4999) });
    store.has("00112233445566aa");
    store.revealedWithinHour(call.bytes);
    store.stats();
    store.keyState();
    const before = loaded();
    store.save(call.bytes, { tool: "t", kind: "text" });
    const small = loaded().length;
    store.save(new Uint8Array(16384), { tool: "t", kind: "text" });
    console.log(JSON.stringify([before, small, loaded().length]));`;
  // With a bundle there is no loader; here the type stripper must not have loaded them first.
  const args = ["--no-warnings", "--input-type=module", "-e", script, stateDirOf(dir), keyFileOf(dir)];
  const answer: unknown = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  removeTempDir(dir);
  expect(answer).toEqual([[], 1, 2]);
});
