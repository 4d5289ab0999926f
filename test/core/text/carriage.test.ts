// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { cleanText } from "../../../src/core/text/clean.ts";
import { decode, encode } from "./support.ts";

const ESC = "\x1b";

function collapse(text: string, stripAnsi = false): string {
  const bytes = encode(text);
  return decode(cleanText(bytes, { collapseCr: true, stripAnsi })?.text ?? bytes);
}

it.each([
  ["a progress bar", "10%\r20%\r30%\n", "30%\n"],
  ["spaces that are left at the end", "ok        \rdone\n", "done\n"],
  ["carriage returns before a line end", "a\r\r\r\nb", "a\r\nb"],
  ["one at the start of a line", "a\n\rb\n", "a\nb\n"],
  ["one at the end of the text", "10%\r20%\r", "20%"],
  ["bold letters of a manual", "N\bNA\bA_\bx", "NAx"],
  ["erasing backspaces", "abc\b \b\bx", "ax"],
  ["a backspace at the start", "\b\bab", "ab"],
  ["the erased rest of a line", `long text\rhi${ESC}[K\n`, "hi\n"],
  ["a spinner that sets the column", `${ESC}[2K${ESC}[1Gone${ESC}[2K${ESC}[1Gtwo\n`, "two\n"],
  ["a cursor that goes back", `abc${ESC}[2Dxy\n`, "axy\n"],
  ["wide characters", "日本\rab語\n", "ab語\n"],
  ["emoji of one character", "🌍 10%\r🌍 20%\n", "🌍 20%\n"],
  ["combining marks", "e\u0301x\rabc\n", "abc\n"],
  ["blocks, braille and letters with accents", "⠋ █░ né\r⠙ ██ né\n", "⠙ ██ né\n"],
  ["the last of several lines alone", "a\nb\r\nc1\rc2\n", "a\nb\r\nc2\n"],
])("collapse_cr shows %s as a terminal does", (_, text, out) => {
  expect(collapse(text)).toBe(out);
});

it.each([
  ["line ends", "a\r\nb\r\n"],
  ["a tab", "a\tb\rc\n"],
  ["a movement to another line", `a\rb${ESC}[1Ac\n`],
  ["a gap that no byte stands for", `ab${ESC}[2Kc\r${ESC}[9Gx\n`],
  ["half of a wide character", "日本\ra\n"],
  ["joined emoji, whose width is unknown", "👩‍👩‍👧\rab\n"],
  ["flags and selectors", "🇩🇪 1\r🇩🇪 2\n❤️ 1\r❤️ 2\n"],
  ["other control characters", "a\x00b\rcd\ne\x7f\rf\n"],
  ["an unknown sequence", `a${ESC}[5@\rb\n`],
  ["bytes that would change places", "foobar\rXY\n"],
  ["a bar that became shorter", "compile 100%\rbuild 80%\n"],
  ["a last letter written over after the end", "ma\b\b\b \n"],
  ["wide characters that would change places", "日本\rab\n"],
  ["spaces at the end that show in a colour", `${ESC}[41m      ${ESC}[0m\rXY\n`],
])("C4: collapse_cr leaves a line with %s", (_, text) => {
  expect(collapse(text)).toBe(text);
});

it("collapse_cr leaves bytes that are no UTF-8", () => {
  const text = Uint8Array.of(0x61, 0xff, 0x0d, 0x62, 0x0a);
  expect(cleanText(text, { collapseCr: true })).toBeUndefined();
});

it.each([
  ["a failure that would vanish", "ERROR: no space\rgoing on      \n", "ERROR: no space\rgoing on      \n"],
  [
    "one behind a colour",
    `${ESC}[31mERROR${ESC}[0m: x\rok       \n`,
    `${ESC}[31mERROR${ESC}[0m: x\rok       \n`,
  ],
  ["one that is erased", `ERROR: x${ESC}[2K${ESC}[1Gok\n`, `ERROR: x${ESC}[2K${ESC}[1Gok\n`],
  ["not one that is told again with other numbers", "ERROR: try 1\rERROR: try 2\n", "ERROR: try 2\n"],
  ["not a count of none", "12 passed, 0 failed\r13 passed, 0 failed\n", "13 passed, 0 failed\n"],
  ["not a failure that is the last word", "running\rERROR: x\n", "ERROR: x\n"],
])("C9: collapse_cr keeps %s", (_, text, out) => {
  expect(collapse(text)).toBe(out);
});

it.each([
  [
    "keeps the colours that still hold",
    `${ESC}[1m10%${ESC}[0m\r${ESC}[32m20%${ESC}[0m\n`,
    `${ESC}[0m${ESC}[32m20%${ESC}[0m\n`,
  ],
  ["keeps modes", `${ESC}[?25l1%\r${ESC}[?25h2%\n`, `${ESC}[?25l${ESC}[?25h2%\n`],
])("collapse_cr alone %s", (_, text, out) => {
  expect(collapse(text)).toBe(out);
});

it("collapse_cr with strip_ansi leaves neither colours nor what was written over", () => {
  expect(collapse(`${ESC}[31mfoo${ESC}[0m\r${ESC}[32mXYZ${ESC}[0m\n`, true)).toBe("XYZ\n");
  expect(collapse(`${ESC}[31mfoobar${ESC}[0m\rXY\n`, true)).toBe("foobar\rXY\n");
});

it.each([
  [
    "lines of an old system stay",
    "one line\rtwo other\rthird row\rfour x",
    "one line\rtwo other\rthird row\rfour x",
  ],
  ["a progress bar alone does not", "1% of it\r2% of it\r3% of it\r4% of it", "4% of it"],
])("a text without line feeds: %s", (_, text, out) => {
  expect(collapse(text)).toBe(out);
});

it.each([65_536, 65_537])("looks at lines of up to 65,536 columns: %i", (columns) => {
  const text = `${" ".repeat(columns)}\rb\n`;
  expect(collapse(text) === text).toBe(columns > 65_536);
});
