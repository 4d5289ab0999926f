// SPDX-License-Identifier: Apache-2.0
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyFile, openKeys } from "../../src/store/key.ts";
import { keyFileOf, makeTempDir, modeOf, removeTempDir } from "../support/temp-store.ts";

let dir: string;
let keyFile: string;

beforeEach(() => {
  dir = makeTempDir();
  keyFile = keyFileOf(dir);
});
afterEach(() => {
  vi.restoreAllMocks();
  removeTempDir(dir);
});

function writeKey(bytes: number, mode = 0o600): void {
  mkdirSync(dirname(keyFile), { recursive: true });
  writeFileSync(keyFile, new Uint8Array(bytes).fill(1));
  chmodSync(keyFile, mode);
}

describe("createKeyFile", () => {
  it("C13: makes 32 bytes that nobody else can read, in a private folder, once", () => {
    expect(createKeyFile(keyFile)).toBe(true);
    const first = readFileSync(keyFile);
    expect(first).toHaveLength(32);
    expect([modeOf(dirname(keyFile)), modeOf(keyFile)]).toEqual([0o700, 0o600]);
    expect(createKeyFile(keyFile)).toBe(false);
    expect(readFileSync(keyFile)).toEqual(first);
    expect(readdirSync(dirname(keyFile))).toEqual(["store.key"]);
    rmSync(keyFile);
    createKeyFile(keyFile);
    expect(readFileSync(keyFile)).not.toEqual(first);
  });
});

describe("openKeys", () => {
  it("makes nothing", () => {
    expect(openKeys(keyFile)().state).toBe("missing");
    expect(existsSync(dirname(keyFile))).toBe(false);
  });

  it.each([
    ["31 bytes", () => writeKey(31), "does not hold 32 bytes"],
    ["33 bytes", () => writeKey(33), "does not hold 32 bytes"],
    ["0 bytes", () => writeKey(0), "does not hold 32 bytes"],
    ["a folder", () => mkdirSync(keyFile, { recursive: true }), "not a regular file"],
    ["writable by the group", () => writeKey(32, 0o620), "written by others"],
    ["writable by everyone", () => writeKey(32, 0o602), "written by others"],
    [
      "a link",
      () => {
        writeKey(32);
        writeFileSync(`${keyFile}2`, readFileSync(keyFile));
        rmSync(keyFile);
        symlinkSync(`${keyFile}2`, keyFile);
      },
      "not a regular file",
    ],
    [
      "a dangling link",
      () => {
        mkdirSync(dirname(keyFile));
        symlinkSync(`${keyFile}2`, keyFile);
      },
      "not a regular file",
    ],
    [
      "of another user",
      () => {
        writeKey(32);
        vi.spyOn(process, "getuid").mockReturnValue(statSync(keyFile).uid + 1);
      },
      "another user",
    ],
  ])("%s: unusable, with the next step, and left as it is", (_, make, reason) => {
    make();
    const before = existsSync(keyFile) && statSync(keyFile).isFile() ? readFileSync(keyFile) : undefined;
    const key = openKeys(keyFile)();
    expect(key.state).toBe("unusable");
    expect(key.reason).toContain(reason);
    expect(key.hint).toMatch(/./);
    expect(createKeyFile(keyFile)).toBe(false);
    if (before !== undefined) expect(readFileSync(keyFile)).toEqual(before);
  });

  it.each([
    [0o600, undefined],
    [0o400, undefined],
    [0o644, "the key file can be read by others"],
  ])("mode %o can be used", (mode, reason) => {
    writeKey(32, mode);
    const key = openKeys(keyFile)();
    expect([key.state, key.reason]).toEqual(["ok", reason]);
  });

  it("derives three keys that have nothing in common, and the same ones in every process", () => {
    writeKey(32);
    const hex = ["id", "seal", "seen"].map((purpose) => Buffer.from(derive(purpose)).toString("hex"));
    // HKDF-SHA256 of 32 bytes of value 1, no salt, info "isthmos/<purpose>/v1".
    expect(hex).toEqual([
      "d9679ed95898a9f8bc3d6b49b9f7d7df3ff2d342f021f2c6c52e08e24e7d8ef6",
      "abe3b5ea8ace10f36b1717ad5682d88790c7d4008b16d324af6ff9917100c401",
      "42c50f34273a2b037d1f8acff256b5acab4598d3d5b580e040096e007763e2c1",
    ]);
  });

  it("notices that the file was replaced", () => {
    createKeyFile(keyFile);
    const read = openKeys(keyFile);
    const first = derive("id", read);
    expect(derive("id", read)).toBe(first);
    rmSync(keyFile);
    expect(read().state).toBe("missing");
    createKeyFile(keyFile);
    expect(derive("id", read)).not.toEqual(first);
  });
});

function derive(purpose: string, read = openKeys(keyFile)): Uint8Array {
  const key = read();
  if (key.state !== "ok") throw new Error(key.reason);
  if (purpose !== "id" && purpose !== "seal" && purpose !== "seen") throw new Error(purpose);
  return key.keys(purpose);
}
