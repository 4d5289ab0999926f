// SPDX-License-Identifier: Apache-2.0
import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { crc32 } from "../../src/store/crc32.ts";
import { encode } from "../support/temp-store.ts";

it.each([
  ["", 0],
  ["a", 0xe8b7be43],
  ["123456789", 0xcbf43926],
  ["The quick brown fox jumps over the lazy dog", 0x414fa339],
])("crc32 of %j", (text, expected) => expect(crc32(encode(text))).toBe(expected));

it("agrees with zlib's on any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});
