// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { checkJsonCut, checkLinesCut, checkTextCut } from "./check-cut.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const FULL = ", full: isthmos reveal 00112233445566aa]";
const NOTHING = { dropKeys: [], compact: false };
const LINES = Array.from({ length: 9 }, (_, i) => `line ${i + 1}\n`).join("");
const CUT_LINES = `line 1\nline 2\n[isthmos: 6 of 9 lines truncated, lines 3-8${FULL}\nline 9\n`;
const ITEMS = '{"a": [{"n":1},{"n":2}, {"n":3},{"n":4}],"b":1.10}';
const CUT_ITEMS = `{"a": [{"n":1},{"isthmos":"[isthmos: 2 of 4 items truncated, items 1-2, field /a${FULL}"},{"n":4}],"b":1.10}`;
const NUMBERS = '{"v":[1,2,3,4,5]}';
const CUT_NUMBERS = `{"v":[1,5],"v (isthmos)":"[isthmos: 3 of 5 items truncated, items 1-3, field /v${FULL}"}`;
const STRING = String.raw`["abc\u0064efgh\/ijkl"]`;
const CUT_STRING = String.raw`["abc[isthmos: 4 bytes truncated, bytes 3-7, field /0${FULL}h\/ijkl"]`;

describe("the judge of cuts", () => {
  it.each([
    [ITEMS, CUT_ITEMS],
    [NUMBERS, CUT_NUMBERS],
    [STRING, CUT_STRING],
    [ITEMS, ITEMS],
  ])("takes %s as %s", (original, output) => {
    expect(() => checkJsonCut(bytes(original), bytes(output), NOTHING)).not.toThrow();
  });

  it.each([
    ["a number spelled anew", ITEMS, CUT_ITEMS.replace("1.10", "1.1")],
    ["white space gone", ITEMS, CUT_ITEMS.replace('"a": ', '"a":')],
    ["a member gone", ITEMS, '{"a": [{"n":1},{"n":2}, {"n":3},{"n":4}]}'],
    ["a member renamed", ITEMS, ITEMS.replace('"b"', '"c"')],
    ["an item gone unmarked", NUMBERS, '{"v":[1,2,3,4]}'],
    ["a hole in another place", ITEMS, CUT_ITEMS.replace("items 1-2", "items 2-3")],
    ["a wrong count", ITEMS, CUT_ITEMS.replace("2 of 4", "3 of 4")],
    ["a wrong total", ITEMS, CUT_ITEMS.replace("2 of 4", "2 of 5")],
    ["another field", ITEMS, CUT_ITEMS.replace("field /a", "field /b")],
    ["no id at all", NUMBERS, '{"v":[1,5],"v (isthmos)":"[isthmos: items 1-3 truncated]"}'],
    ["a marker of another kind", ITEMS, CUT_ITEMS.replace(/\{"isthmos":("[^"]*")\}/, "$1")],
    ["an escape spelled anew", STRING, CUT_STRING.replace("\\/", "/")],
    ["text that is not there", STRING, CUT_STRING.replace("ijkl", "ijklm")],
  ])("refuses %s", (_, original, output) => {
    expect(output).not.toBe(original);
    expect(() => checkJsonCut(bytes(original), bytes(output), NOTHING)).toThrow();
  });

  it.each([
    ["a line gone unmarked", LINES.replace("line 4\n", "")],
    ["a line changed", CUT_LINES.replace("line 2", "line 3")],
    ["a range one short", CUT_LINES.replace("lines 3-8", "lines 3-7")],
    ["no id", "line 1\nline 2\n[isthmos: lines 3-8 truncated]\nline 9\n"],
    ["another line end", CUT_LINES.replace("line 9\n", "line 9\r\n")],
  ])("refuses a text with %s", (_, output) => {
    expect(() => checkTextCut(bytes(LINES), bytes(CUT_LINES))).not.toThrow();
    expect(() => checkTextCut(bytes(LINES), bytes(output))).toThrow();
  });

  it("takes what a clean-up takes, and only where the rules say so", () => {
    const coloured = "\x1b[1mone\x1b[0m\n1%\r2%\ntwo\n";
    const both = { stripAnsi: true, collapseCr: true };
    expect(() => checkTextCut(bytes(coloured), bytes("one\n2%\ntwo\n"), both)).not.toThrow();
    expect(() => checkTextCut(bytes(coloured), bytes("one\n2%\ntwo\n"), { stripAnsi: true })).toThrow();
    expect(() => checkTextCut(bytes(coloured), bytes("one\n2%\ntwo\n"))).toThrow();
    expect(() => checkTextCut(bytes(coloured), bytes("one\n%\ntwo\n"), both)).toThrow();
    expect(() => checkTextCut(bytes(coloured), bytes("one\n1%\ntwo\n"), both)).toThrow();
  });

  it.each([
    ["bytes 6-26", true],
    ["bytes 2-30", true],
    ["bytes 3-30", false],
    ["bytes 2-29", false],
    ["bytes 1-30", false],
  ])("a hole of the original's bytes after a clean-up: %s", (range, isFair) => {
    const text = `ab\x1b[1m${"x".repeat(20)}\x1b[0mcd`;
    const [from = 0, to = 0] = (range.match(/\d+/g) ?? []).map(Number);
    const output = `ab[isthmos: ${to - from} bytes truncated, ${range}${FULL}cd`;
    const judge = () => checkTextCut(bytes(text), bytes(output), { stripAnsi: true });
    if (isFair) expect(judge).not.toThrow();
    else expect(judge).toThrow();
  });

  it("refuses records that are gone, and takes dropped keys and white space only where the rules say so", () => {
    const records = '{"a":1,"b": 2}\n{"a":3,"b": 4}\n';
    const dropped = '{"a":1}\n{"a":3}\n';
    expect(() =>
      checkLinesCut(bytes(records), bytes(dropped), { ...NOTHING, dropKeys: ["b"] }),
    ).not.toThrow();
    expect(() => checkLinesCut(bytes(records), bytes(dropped), NOTHING)).toThrow();
    expect(() => checkLinesCut(bytes(records), bytes(records.slice(15)), NOTHING)).toThrow();
    const compact = records.replaceAll(" ", "");
    expect(() => checkLinesCut(bytes(records), bytes(compact), { ...NOTHING, compact: true })).not.toThrow();
    expect(() => checkLinesCut(bytes(records), bytes(compact), NOTHING)).toThrow();
  });
});
