// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chooseTool, entrustKey, fetchKey, forgetKey, parseEntrusted } from "../../src/store/keychain.ts";
import { installPowershell, installSecretTool } from "../support/fake-tools.ts";
import { makeTempDir, removeTempDir } from "../support/temp-store.ts";

const KEY = new Uint8Array(32).fill(9);

let dir: string;
beforeEach(() => {
  dir = makeTempDir();
  vi.stubEnv("PATH", `${dir}:/usr/bin:/bin`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeTempDir(dir);
});

it.each([
  ["linux", "secret-tool"],
  ["freebsd", "secret-tool"],
  ["darwin", "security"],
  ["win32", "dpapi"],
])("on %s: %s", (platform, tool) => expect(chooseTool(platform)).toBe(tool));

it("gives a key to secret-tool, gets it back and takes it out", () => {
  installSecretTool(dir);
  const entrusted = entrustKey(KEY, undefined, "secret-tool");
  expect(entrusted).toEqual({
    kind: "keychain",
    tool: "secret-tool",
    item: expect.stringMatching(/^\w{16}$/),
  });
  expect(readFileSync(join(dir, "items", entrusted.item), "utf8")).toBe(Buffer.from(KEY).toString("base64"));
  expect(fetchKey(entrusted)).toEqual({ state: "ok", master: KEY });
  expect(forgetKey(entrusted)).toBe(true);
  expect(readdirSync(join(dir, "items"))).toEqual([]);
  expect(fetchKey(entrusted)).toMatchObject({ state: "unusable", reason: "secret-tool gave no key" });
});

it("with DPAPI the blob itself is the item, and nothing is left to take out", () => {
  installPowershell(dir);
  const entrusted = entrustKey(KEY, undefined, "dpapi");
  expect(entrusted.item).toBe(Buffer.from(Buffer.from(KEY).toString("base64")).toString("base64"));
  expect([fetchKey(entrusted), forgetKey(entrusted)]).toEqual([{ state: "ok", master: KEY }, true]);
});

it.each<[string, () => void, RegExp]>([
  ["no tool", () => {}, /needs secret-tool, which is not installed/],
  [
    "a keychain that waits for a person",
    () => {
      installSecretTool(dir);
      writeFileSync(join(dir, "locked"), "");
    },
    /did not answer within 300 ms: the keychain may be locked/,
  ],
  [
    "a service that is not there",
    () => {
      installSecretTool(dir);
      writeFileSync(join(dir, "broken"), "");
    },
    /did not take the key \(Cannot reach the secret service\)/,
  ],
])("%s: one clear line", (_, prepare, reason) => {
  prepare();
  expect(() => entrustKey(KEY, 300, "secret-tool")).toThrow(reason);
});

it("what is no key is not taken for one", () => {
  installSecretTool(dir);
  const entrusted = entrustKey(KEY, undefined, "secret-tool");
  writeFileSync(join(dir, "items", entrusted.item), "short");
  expect(fetchKey(entrusted)).toMatchObject({ state: "unusable", reason: expect.stringContaining("no key") });
});

it.each([
  [{ tool: "secret-tool", item: "0011aabb" }, true],
  [{ tool: "rm", item: "0011aabb" }, false],
  [{ tool: "constructor", item: "0011aabb" }, false],
  [{ tool: "secret-tool", item: "-x y" }, false],
  [{ tool: "secret-tool", item: "a\nb" }, false],
  [{ tool: "secret-tool" }, false],
])("a key file that says %j is read: %s", (fields, isRead) => {
  expect(parseEntrusted(new Map(Object.entries(fields))) !== undefined).toBe(isRead);
});
