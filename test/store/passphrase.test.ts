// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { openSealedKey, parseSealedKey, sealKey } from "../../src/store/passphrase.ts";

const KEY = new Uint8Array(32).fill(7);
const sealed = sealKey(KEY, "pass phrase é");
const parse = (change: object) => parseSealedKey(new Map(Object.entries({ ...sealed, ...change })));

it("opens with the same passphrase, however its accents are composed", () => {
  expect(openSealedKey(sealed, "pass phrase é")).toEqual({ state: "ok", master: KEY });
  expect(openSealedKey(sealed, "pass phrase e\u0301")).toEqual({ state: "ok", master: KEY });
  expect(JSON.stringify(sealed)).not.toContain(Buffer.from(KEY).toString("base64"));
});

it("another salt each time", () => {
  expect(sealKey(KEY, "pass").salt).not.toBe(sealKey(KEY, "pass").salt);
});

it.each([
  ["another passphrase", sealed, "pass phrase"],
  ["none", sealed, undefined],
  ["a damaged key", { ...sealed, sealed: `A${sealed.sealed.slice(1)}` }, "pass phrase é"],
  ["a short one", { ...sealed, sealed: "AAAA" }, "pass phrase é"],
  ["a cost that scrypt refuses", { ...sealed, n: 3 }, "pass phrase é"],
])("%s: unusable, with the next step", (_, source, passphrase) => {
  expect(openSealedKey(source, passphrase)).toMatchObject({
    state: "unusable",
    reason: expect.stringContaining("passphrase"),
    hint: expect.stringContaining("ISTHMOS_PASSPHRASE"),
  });
});

it("a new one needs a passphrase", () => {
  expect(() => sealKey(KEY, undefined)).toThrow("no passphrase");
});

it.each([
  [{ n: 2 ** 20, r: 8 }, false],
  [{ n: 2 ** 18, r: 8 }, true],
  [{ n: 0 }, false],
  [{ p: 5 }, false],
  [{ kdf: "none" }, false],
  [{ salt: 1 }, false],
  [{}, true],
])("C15: a file that asks for %j is read: %s", (change, isRead) => {
  expect(parse(change) !== undefined).toBe(isRead);
});
