// SPDX-License-Identifier: Apache-2.0
import { rmSync, truncateSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type KeyArgs, run } from "../../../src/commands/store/key.ts";
import { captureIo } from "../../support/io.ts";
import { makeStoreHome, type StoreHome } from "../../support/store-home.ts";
import { makeText } from "../../support/temp-store.ts";

let at: StoreHome;
beforeEach(() => {
  at = makeStoreHome();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(at.home, { recursive: true });
});

function key(args: Partial<KeyArgs> = {}) {
  const io = captureIo();
  return { code: run({ json: false, ...args }, at.env, io), out: io.written() };
}

it("makes a key, rotates it, moves it; originals stay", () => {
  expect(key().out).toBe("there was no key: one was made, in the key file\n");
  const id = at.save("a");
  expect(key().out).toBe("a new key, in the key file; 1 original sealed anew, ids as before\n");
  vi.stubEnv("ISTHMOS_PASSPHRASE", "secret");
  expect(JSON.parse(key({ to: "passphrase", json: true }).out)).toEqual({
    status: "ok",
    outcome: "rotated",
    key: "passphrase",
    resealed: 1,
    unreadable: 0,
    left_behind: false,
  });
  expect(at.store.load(id)).toMatchObject({ status: "ok", bytes: makeText("a") });
});

it("says why not, and changes nothing", () => {
  const id = at.save("a");
  vi.stubEnv("ISTHMOS_PASSPHRASE", "");
  expect(key({ to: "passphrase" })).toEqual({ code: 1, out: "" });
  expect(at.store.load(id).status).toBe("ok");
  truncateSync(at.env.keyFile.value, 31);
  expect(JSON.parse(key({ json: true }).out)).toMatchObject({ status: "error", reason: expect.any(String) });
});
