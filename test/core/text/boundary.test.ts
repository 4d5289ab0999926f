// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { cutAfter, cutBefore } from "../../../src/core/text/boundary.ts";
import { encode } from "./support.ts";

/** Offsets where the text may be cut, both functions agreeing on them. */
function cutsOf(text: Uint8Array): number[] {
  const cuts: number[] = [];
  for (let at = 0; at <= text.length; at++) {
    const before = cutBefore(text, 0, at, text.length);
    const after = cutAfter(text, 0, at, text.length);
    expect(before).toBeLessThanOrEqual(at);
    expect(after).toBeGreaterThanOrEqual(at);
    expect(before === at).toBe(after === at);
    if (before === at) cuts.push(at);
  }
  return cuts;
}

describe("where a text may be cut", () => {
  it.each([
    ["letters", "abc", [0, 1, 2, 3]],
    ["two bytes", "éé", [0, 2, 4]],
    ["three bytes", "빌드", [0, 3, 6]],
    ["four bytes", "🎉🎉", [0, 4, 8]],
    ["a combining mark", "xe\u0301x", [0, 1, 4, 5]],
    ["a joined emoji", "a👩‍👩‍👧b", [0, 1, 19, 20]],
    ["a skin tone", "👍🏽!", [0, 8, 9]],
    ["a variation selector", "❤️!", [0, 6, 7]],
    ["flags", "🇩🇪🇫🇷", [0, 8, 16]],
    ["Devanagari signs", "कि", [0, 6]],
    ["\\r\\n", "a\r\nb", [0, 1, 3, 4]],
    ["a control sequence", "a\x1b[31mb", [0, 1, 6, 7]],
    ["a link, ended by ESC \\", "\x1b]8;;file:///x\x1b\\y", [0, 16, 17]],
    ["a link, ended by BEL", "\x1b]8;;x\x07y", [0, 7, 8]],
    ["a character set", "\x1b(Bx", [0, 3, 4]],
    ["a single escape", "\x1bMx", [0, 2, 3]],
    ["a device control string", "\x1bP1q\x1b\\", [0, 6]],
    ["an unfinished control sequence", "ab\x1b[38;2", [0, 1, 2, 8]],
    ["an unfinished link", "ab\x1b]8;;x", [0, 1, 2, 8]],
    ["escapes in a row", "\x1b\x1b\x1b", [0, 1, 2, 3]],
    ["a sequence broken off by another", "\x1b[3\x1b[0mx", [0, 3, 7, 8]],
  ] as const)("%s", (_name, text, cuts) => expect(cutsOf(encode(text))).toEqual([...cuts]));

  it.each([
    ["invalid bytes", [0xff, 0xfe, 0xff], [0, 1, 2, 3]],
    ["a sequence that lacks its end", [0xe2, 0x82], [0, 1, 2]],
    ["continuations only", [0x80, 0x80, 0x80, 0x80, 0x80], [0, 1, 2, 3, 4, 5]],
    ["an overlong lead", [0xc0, 0x80], [0, 1, 2]],
    ["a lone surrogate", [0xed, 0xa0, 0xbd, 0x78], [0, 3, 4]],
    ["a pair of surrogates", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0, 6]],
  ])("%s", (_name, bytes, cuts) => expect(cutsOf(Uint8Array.from(bytes))).toEqual(cuts));

  it("gives up on a cluster without end, but not on a character", () => {
    const text = encode(`e${"\u0301".repeat(1000)}`);
    const cut = cutBefore(text, 0, 1000, text.length);
    expect(cut).toBe(999);
  });
});
