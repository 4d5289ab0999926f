// SPDX-License-Identifier: Apache-2.0
import { createCipheriv, randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ENTRY_FILE_MAX_BYTES,
  inspectEntry,
  openEntry,
  REGION_MAX_BYTES,
  sealEntry,
} from "../../src/store/seal.ts";
import { encode, makeText } from "../support/temp-store.ts";

const KEY = new Uint8Array(32).fill(7);
const ID = "de6ac0410501901b";
const HEAD = { tool: "Bash", kind: "text", savedAt: 1_700_000_000_000 };
const HEADER = 22;

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.tuple(fc.string({ maxLength: 30 }), fc.nat(200)).map(([line, times]) => encode(line.repeat(times))),
);
const anyHead = fc.record({
  tool: fc.string({ unit: "binary", maxLength: 300 }),
  kind: fc.string(),
  savedAt: fc.nat(),
});
const anyId = fc.stringMatching(/^[0-9a-f]{16}$/);
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("openEntry", () => {
  it("gives back what was sealed, for any bytes and names", () => {
    fc.assert(
      fc.property(anyKey, anyId, anyHead, anyBytes, (key, id, head, bytes) => {
        const entry = sealEntry(key, id, head, bytes);
        expect(openEntry(key, id, entry)).toEqual({ status: "ok", ...head, bytes });
        expect(inspectEntry(key, id, entry).status).toBe("ok");
      }),
    );
  });

  it("C6: any flipped bit, any shortened entry, another id and another key do not open", () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(), fc.nat(7), anyId, anyKey, (bytes, at, bit, id, key) => {
        const entry = sealEntry(KEY, ID, HEAD, bytes);
        const flipped = entry.slice();
        flipped[at % entry.length]! ^= 1 << bit;
        expect(openEntry(KEY, ID, flipped).status).not.toBe("ok");
        expect(openEntry(KEY, ID, entry.slice(0, at % entry.length)).status).not.toBe("ok");
        expect(openEntry(KEY, ID, Uint8Array.of(...entry, 0)).status).toBe("damaged");
        if (id !== ID) expect(openEntry(KEY, id, entry).status).toBe("damaged");
        if (!Buffer.from(key).equals(KEY)) expect(openEntry(key, ID, entry).status).toBe("damaged");
      }),
    );
  });

  it("C6: every single bit of a small entry counts", () => {
    const entry = sealEntry(KEY, ID, HEAD, encode("some output"));
    for (let bit = 0; bit < entry.length * 8; bit++) {
      const flipped = entry.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(openEntry(KEY, ID, flipped).status).not.toBe("ok");
      expect(inspectEntry(KEY, ID, flipped).status).not.toBe("ok");
    }
  });

  it("never throws, whatever the file holds", () => {
    const magic = encode("isthmos\0\x01\x01");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, ours) => {
        const status = openEntry(KEY, ID, ours ? Uint8Array.of(...magic, ...bytes) : bytes).status;
        expect(status).toBe(ours ? "damaged" : "foreign");
      }),
    );
  });

  it.each([
    ["empty", [], "foreign"],
    ["half of the magic", [0x69, 0x73, 0x74], "foreign"],
    ["an entry of the Go program: nonce first", [...new Uint8Array(200).fill(0x55)], "foreign"],
    ["the magic alone", [...encode("isthmos\0")], "damaged"],
    ["version 0", [...encode("isthmos\0\x00\x00"), ...new Uint8Array(60)], "damaged"],
    ["version 2", [...encode("isthmos\0\x02\x00"), ...new Uint8Array(60)], "newer"],
    ["version 255, short", [...encode("isthmos\0"), 255], "newer"],
  ])("%s", (_, bytes, expected) => expect(openEntry(KEY, ID, Uint8Array.from(bytes)).status).toBe(expected));
});

describe("sealEntry", () => {
  it("C13: shows neither the text nor the tool's name, and draws a new nonce each time", () => {
    const secret = randomBytes(500).toString("hex");
    const entry = sealEntry(KEY, ID, { ...HEAD, tool: "mcp__private__tool" }, encode(secret));
    const shown = Buffer.from(entry).toString("latin1");
    for (const text of [secret.slice(0, 16), "private", "text", ID, "1700000000000"])
      expect(shown).not.toContain(text);
    const again = sealEntry(KEY, ID, HEAD, encode(secret));
    expect(again.slice(0, 10)).toEqual(entry.slice(0, 10));
    expect(again.slice(10, HEADER)).not.toEqual(entry.slice(10, HEADER));
  });

  it("packs what shrinks and keeps raw what does not", () => {
    const text = makeText("a", 100_000);
    expect(sealEntry(KEY, ID, HEAD, text).length).toBeLessThan(2000);
    const noise = randomBytes(100_000);
    const entry = sealEntry(KEY, ID, HEAD, noise);
    expect(entry.length).toBeLessThan(noise.length + 200);
    expect(openEntry(KEY, ID, entry)).toEqual({ status: "ok", ...HEAD, bytes: new Uint8Array(noise) });
  });

  it("cuts an endless tool name", () => {
    const opened = openEntry(
      KEY,
      ID,
      sealEntry(KEY, ID, { ...HEAD, tool: "\u0001".repeat(100_000) }, encode("x")),
    );
    expect(opened).toEqual({ status: "ok", ...HEAD, tool: "\u0001".repeat(1000), bytes: encode("x") });
  });

  it("C15: the largest region fits the bound on entry files, even where it does not shrink", () => {
    const entry = sealEntry(KEY, ID, { ...HEAD, tool: "\u0001".repeat(2000) }, randomBytes(REGION_MAX_BYTES));
    expect(entry.length).toBeLessThanOrEqual(ENTRY_FILE_MAX_BYTES);
    expect(openEntry(KEY, ID, entry).status).toBe("ok");
  });
});

describe("C15: an entry sealed with our key, but lying about its length", () => {
  const honest = encode("x".repeat(5000));
  it.each([
    ["as recorded", { ...HEAD, length: 5000 }, "ok"],
    ["one byte more than recorded", { ...HEAD, length: 4999 }, "damaged"],
    ["one byte less than recorded", { ...HEAD, length: 5001 }, "damaged"],
    ["recorded above the cap", { ...HEAD, length: REGION_MAX_BYTES + 1 }, "damaged"],
    ["a negative length", { ...HEAD, length: -1 }, "damaged"],
    ["no length", HEAD, "damaged"],
    ["a length of another type", { ...HEAD, length: "5000" }, "damaged"],
    ["a tool of another type", { ...HEAD, tool: 5, length: 5000 }, "damaged"],
    ["a list for a head", [5000], "damaged"],
    ["nothing for a head", null, "damaged"],
  ])("%s", (_, head, expected) => {
    expect(openEntry(KEY, ID, sealByHand(JSON.stringify(head), zstdCompressSync(honest))).status).toBe(
      expected,
    );
  });

  it("unpacks no more than recorded", () => {
    const bomb = zstdCompressSync(new Uint8Array(200 * 1024 * 1024));
    expect(openEntry(KEY, ID, sealByHand(JSON.stringify({ ...HEAD, length: 100 }), bomb)).status).toBe(
      "damaged",
    );
  });

  it.each([0, 3, 1_000_000, 0xffffffff])("a head length of %i", (length) => {
    expect(openEntry(KEY, ID, sealByHand("{}", zstdCompressSync(honest), length)).status).toBe("damaged");
  });
});

/** The layout of docs/formats.md, written out once more. */
function sealByHand(head: string, body: Uint8Array, headLength = encode(head).length): Uint8Array {
  const header = Buffer.concat([encode("isthmos\0\x01\x01"), randomBytes(12)]);
  const cipher = createCipheriv("aes-256-gcm", KEY, header.subarray(10), { authTagLength: 16 });
  cipher.setAAD(Buffer.concat([header, encode(ID)]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headLength);
  const sealed = cipher.update(Buffer.concat([length, encode(head), body]));
  return Buffer.concat([header, sealed, cipher.final(), cipher.getAuthTag()]);
}
