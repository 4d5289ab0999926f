// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { decodeUtf8, utf8Length } from "../../src/core/utf8.ts";

describe("utf8Length", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["\u007f\u0080", 3],
    ["\u07ff\u0800", 5],
    ["\uffff", 3],
    ["\u{10000}", 4],
    ["\ud800", 3],
    ["\ud800a", 4],
    ["\udc00\ud800", 6],
  ])("%j takes %i bytes", (text, bytes) => {
    expect(utf8Length(text)).toBe(bytes);
  });
});

describe("decodeUtf8", () => {
  it.each([
    [[0x61], "a"],
    [[0xef, 0xbb, 0xbf, 0x61], "\ufeffa"],
    [[0xc3], undefined],
    [[0xed, 0xa0, 0x80], undefined],
  ])("%j is %j", (bytes, text) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text);
  });
});
