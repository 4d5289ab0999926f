// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { cleanText } from "../../../src/core/text/clean.ts";
import { decode, encode } from "./support.ts";

const ESC = "\x1b";

function strip(text: string): string {
  const bytes = encode(text);
  return decode(cleanText(bytes, { stripAnsi: true })?.text ?? bytes);
}

it.each([
  ["a colour", `${ESC}[31mred${ESC}[0m\n`, "red\n"],
  ["colours of every form", `${ESC}[38;2;1;2;3ma${ESC}[4:3mb${ESC}[mc`, "abc"],
  ["erased parts and the screen", `${ESC}[2J${ESC}[Htop${ESC}[K\n`, "top\n"],
  ["a cursor movement at the start of a line", `${ESC}[1A${ESC}[2Kpulled\n`, "pulled\n"],
  ["a movement beside white space", `a ${ESC}[5Cb`, "a b"],
  ["a movement that alone parts two words: a space", `foo${ESC}[5Cbar`, "foo bar"],
  [
    "a link, its text stays",
    `see ${ESC}]8;;https://x.test/a${ESC}\\the page${ESC}]8;;${ESC}\\.`,
    "see the page.",
  ],
  ["a link that ends with BEL", `${ESC}]8;id=1;file:///a\x07a.ts${ESC}]8;;\x07`, "a.ts"],
  [
    "titles and other control strings",
    `${ESC}]0;title\x07a${ESC}P1$r0m${ESC}\\b${ESC}_Gf=100;AAAA${ESC}\\c`,
    "abc",
  ],
  [
    "character sets and modes",
    `${ESC}(B${ESC})0${ESC}#8${ESC}%G${ESC}[?25l${ESC}[?2004hx${ESC}7${ESC}8${ESC}=`,
    "x",
  ],
  ["one that the end cuts off", `end${ESC}[3`, "end"],
  ["ESC alone at the end", `end${ESC}`, "end"],
  ["a link that the end cuts off", `end${ESC}]8;;http`, "end"],
  ["one that a line end breaks off", `x${ESC}[31\r\ny`, "x\r\ny"],
  ["one that another breaks off", `x${ESC}[31${ESC}[1my${ESC}${ESC}[0m`, "xy"],
  ["one that a wide character breaks off", `x${ESC}[31é`, "xé"],
  ["the one-character form", "\u009b31mred\u009b0m", "red"],
])("strip_ansi takes %s", (_, text, out) => {
  expect(strip(text)).toBe(out);
});

it.each([
  ["text that looks like one", "[31m \\x1b[31m ^[[31m \\u001b[0m"],
  ["ESC before what is no sequence", `press ${ESC}foo`],
  ["a title that its line leaves open", `${ESC}]0;title\nnext line`],
  ["a control character in a title", `${ESC}]0;a\tb\x07`],
  ["a marker that stands in a title", `${ESC}]0;[isthmos: lines 2-3 truncated]\x07`],
  ["U+009B in text that was decoded wrongly", "Ð\u009b5m и\u009b31m"],
  ["U+009B that begins no whole sequence", "\u009bа \u009b31"],
  ["other characters from U+0080 to U+009F", "a \u009dtitle\u009c b\u0090"],
])("C4: strip_ansi leaves %s", (_, text) => {
  expect(strip(text)).toBe(text);
});

it("strip_ansi leaves the bytes 0x9B of other characters and of broken UTF-8", () => {
  const text = Uint8Array.of(0xe2, 0x80, 0x9b, 0x33, 0x31, 0x6d, 0x9b, 0x31, 0x6d);
  expect(cleanText(text, { stripAnsi: true })).toBeUndefined();
});

it.each([256, 257])("takes an open control string at the end of the text up to 256 bytes: %i", (bytes) => {
  const text = `x${ESC}]0;${"t".repeat(bytes - 4)}`;
  expect(strip(text)).toBe(bytes === 256 ? "x" : text);
});
