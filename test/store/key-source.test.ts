// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyFile, openKeys } from "../../src/store/key.ts";
import { forgetMaster, keyKind, makeKeyFile, openMaster } from "../../src/store/key-source.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { installSecretTool } from "../support/fake-tools.ts";
import {
  keyFileOf,
  makeTempDir,
  makeText,
  modeOf,
  openTempStore,
  removeTempDir,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };
const TEXT = makeText("a");

let dir: string;
let bin: string;
beforeEach(() => {
  dir = makeTempDir();
  bin = join(dir, "bin");
  installSecretTool(bin);
  vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
  vi.stubEnv("ISTHMOS_PASSPHRASE", "secret");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  removeTempDir(dir);
});

const calls = () =>
  existsSync(join(bin, "calls")) ? readFileSync(join(bin, "calls"), "utf8").split("\n") : [];

describe.each(["file", "keychain", "passphrase"] as const)("a key kept as %s", (kind) => {
  it("is made once, is private, and opens in every process", () => {
    const store = openTempStore(dir, { keyKind: kind });
    const id = store.save(TEXT, HEAD);
    const file = readFileSync(keyFileOf(dir));
    expect([keyKind(file), modeOf(keyFileOf(dir))]).toEqual([kind, 0o600]);
    expect(store.keyState()).toEqual({ state: "ok", kind, isRotating: false });
    // Another setting does not change where a key is.
    expect(openTempStore(dir).load(id)).toMatchObject({ status: "ok", bytes: TEXT });
    expect(readFileSync(keyFileOf(dir))).toEqual(file);
  });

  it("is another one each time, and goes from where it is", () => {
    const [one, two] = [makeKeyFile(kind), makeKeyFile(kind)];
    const [first, second] = [openMaster(one), openMaster(two)];
    expect([first.state, second.state]).toEqual(["ok", "ok"]);
    expect(first).not.toEqual(second);
    expect([forgetMaster(one), forgetMaster(two)]).toEqual([true, true]);
    if (kind === "keychain") expect(readdirSync(join(bin, "items"))).toEqual([]);
  });
});

it("C13: neither keychain nor passphrase leave the key, or the passphrase, in the file", () => {
  for (const kind of ["keychain", "passphrase"] as const) {
    const file = makeKeyFile(kind);
    const opened = openMaster(file);
    const text = Buffer.from(file).toString("latin1");
    expect(text).not.toContain('secret"');
    const master = opened.state === "ok" ? Buffer.from(opened.master) : Buffer.alloc(0);
    for (const form of ["base64", "hex", "latin1"] as const)
      expect(text).not.toContain(master.toString(form));
  }
});

it("asks the keychain once in a process, and again when the key file was replaced", () => {
  createKeyFile(keyFileOf(dir), "keychain");
  openKeys(keyFileOf(dir))();
  const before = calls().length;
  for (let i = 0; i < 3; i++) expect(openKeys(keyFileOf(dir))().state).toBe("ok");
  expect(calls()).toHaveLength(before);
  rmSync(keyFileOf(dir));
  createKeyFile(keyFileOf(dir), "keychain");
  expect(openKeys(keyFileOf(dir))().state).toBe("ok");
  expect(calls().length).toBeGreaterThan(before);
});

it("asks a keychain that refused again after a minute", () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
  const file = makeKeyFile("keychain");
  openMaster(makeKeyFile("passphrase"));
  writeFileSync(join(bin, "broken"), "");
  expect(openMaster(file)).toMatchObject({ state: "unusable", hint: expect.stringContaining("unlock") });
  rmSync(join(bin, "broken"));
  vi.setSystemTime(1_000_000 + 59_000);
  expect(openMaster(file).state).toBe("unusable");
  vi.setSystemTime(1_000_000 + 61_000);
  expect(openMaster(file).state).toBe("ok");
});

describe("C1, C6: where the key cannot be had, nothing is stored and the reason is clear", () => {
  it.each<[string, "keychain" | "passphrase", () => void, RegExp]>([
    ["the passphrase is wrong", "passphrase", () => vi.stubEnv("ISTHMOS_PASSPHRASE", "wrong"), /not the one/],
    [
      "there is no passphrase",
      "passphrase",
      () => vi.stubEnv("ISTHMOS_PASSPHRASE", ""),
      /needs a passphrase/,
    ],
    ["the tool is gone", "keychain", () => rmSync(join(bin, "secret-tool")), /not installed/],
    [
      "the keychain is empty",
      "keychain",
      () => rmSync(join(bin, "items"), { recursive: true }),
      /gave no key/,
    ],
  ])("%s", (_, kind, spoil, reason) => {
    const id = openTempStore(dir, { keyKind: kind }).save(TEXT, HEAD);
    const file = readFileSync(keyFileOf(dir));
    // Forgets what this process was told.
    openMaster(makeKeyFile("passphrase"));
    spoil();
    const store = openTempStore(dir);
    expect(store.load(id)).toMatchObject({ status: "unavailable", reason: expect.stringMatching(reason) });
    let failure: unknown;
    try {
      store.save(makeText("b"), HEAD);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ code: "key_unusable", message: expect.stringMatching(reason) });
    expect(readFileSync(keyFileOf(dir))).toEqual(file);
  });
});

it.each(["", "{", "{}", '{"kind":"file"}', '{"kind":"keychain"}', '{"kind":"passphrase"}', "[1]", "{\u0000"])(
  "a key file that holds %j: unusable",
  (text) => {
    mkdirSync(dirname(keyFileOf(dir)), { recursive: true });
    writeFileSync(keyFileOf(dir), text, { mode: 0o600 });
    expect(openKeys(keyFileOf(dir))()).toMatchObject({
      state: "unusable",
      reason: expect.stringContaining("32"),
    });
  },
);
