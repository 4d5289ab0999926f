// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { compress } from "../../../src/core/compress.ts";
import { parseRules } from "../../../src/core/rules/parse.ts";
import { resolvePolicy } from "../../../src/core/rules/policy.ts";
import { applySplices } from "../../../src/core/splice.ts";
import { cleanText, mayClean } from "../../../src/core/text/clean.ts";
import { checkTextCut } from "../../support/check-cut.ts";
import { decode, encode, ID } from "./support.ts";

const ESC = "\x1b";
const BOTH = { strip_ansi: true, collapse_cr: true };

function run(
  text: string,
  fields: Record<string, unknown>,
  {
    cut = "any",
    content = "text",
    lossy = true,
    stored = new Set<string>(),
  }: Partial<{
    cut: "any" | "tail";
    content: "text" | "names";
    lossy: boolean;
    stored: ReadonlySet<string>;
  }> = {},
) {
  const bytes = encode(text);
  const { settings } = parseRules(JSON.stringify([{ tool: "T", ...fields }]));
  const policy = resolvePolicy(settings.rules, "T", bytes.length);
  if (policy === undefined) throw new Error("no rule acts");
  const { splices, cuts, citesId } = compress({ bytes, cut, content }, policy, {
    tool: "T",
    seen: false,
    stored,
    lossy,
  });
  return { out: decode(applySplices(bytes, splices, ID)), cuts, citesId };
}

describe("the clean-ups", () => {
  it("are counted apart, leave no marker and store nothing", () => {
    const text = `${ESC}[32m10%${ESC}[0m\r${ESC}[32m20%${ESC}[0m\n${ESC}[1mdone${ESC}[0m\n`;
    expect(run(text, BOTH)).toEqual({ out: "20%\ndone\n", cuts: { ansi: 26, cr: 4 }, citesId: false });
    expect(run(text, { strip_ansi: true }).cuts).toEqual({ ansi: 26 });
  });

  it("do nothing where no field asks for them", () => {
    const text = `${ESC}[32m10%${ESC}[0m\r20%\n`;
    expect(run(text, { dedup: true }).out).toBe(text);
  });

  it("act where nothing can be stored", () => {
    expect(run(`${ESC}[1ma${ESC}[0m\n`.repeat(9), { ...BOTH, max_lines: 2 }, { lossy: false }).out).toBe(
      "a\n".repeat(9),
    );
  });

  it.each([
    ["that is shown with line numbers", { cut: "tail" }],
    ["that is a list of names", { content: "names" }],
  ] as const)("leave a text %s", (_, where) => {
    const text = `${ESC}[31ma${ESC}[0m\rb\n`;
    expect(run(text, BOTH, where).out).toBe(text);
  });

  it("C8: leave a coloured diff as it is, and clean the lines around it", () => {
    const diff = `${ESC}[1mdiff --git a/x b/x${ESC}[m\n${ESC}[1m--- a/x${ESC}[m\n${ESC}[1m+++ b/x${ESC}[m\n${ESC}[36m@@ -1 +1 @@${ESC}[m\n${ESC}[31m-a\r${ESC}[m\n${ESC}[32m+b\rc${ESC}[m\n`;
    expect(run(`${ESC}[1mbefore${ESC}[m\n${diff}1%\r2%\n`, BOTH).out).toBe(`before\n${diff}2%\n`);
  });

  it("come before the limits: runs and cuts see the text as it is read", () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) => `${ESC}[3${i % 8}mthe same long line of a build\x1b[0m\n`,
    );
    expect(run(rows.join(""), { ...BOTH, dedup: true }).out).toBe(
      "the same long line of a build\n[isthmos: previous line repeated 29 more times]\n",
    );
  });

  it("C9: pins are seen through colours", () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${ESC}[2mcompiled part ${i} of the program${ESC}[0m`);
    rows[30] = `${ESC}[1m${ESC}[38;5;9merr${ESC}[1mor${ESC}[0m[E0308]: mismatched types`;
    const { out } = run(rows.join("\n"), { ...BOTH, max_lines: 8 });
    expect(out).toContain("error[E0308]: mismatched types");
    expect(out).not.toContain(ESC);
  });
});

describe("C5: a marker after a clean-up names the range of the original", () => {
  const line = `${ESC}[1mword${ESC}[0m `.repeat(90);
  const BROKEN = `${"word ".repeat(90)}error: boom ${"word ".repeat(90)}ma\b\b\b `;
  const ROWS = "a row of some length, so that the cut is worth its marker\n".repeat(9);

  it.each([
    [
      "lines",
      Array.from({ length: 40 }, (_, i) => `${ESC}[36mline ${i} of the log, and more${ESC}[0m`).join("\n"),
      { max_lines: 6 },
    ],
    ["bytes of a line", `start\n${line}\nend\n`, { max_str: 120 }],
    ["bytes after what was written over", `${"10%\r".repeat(50)}${"w".repeat(900)}\n`, { max_str: 100 }],
    [
      "bytes of a line whose parts would change places",
      `${"a".repeat(900)}\r${"b".repeat(300)}\n`,
      { max_str: 100 },
    ],
    ["bytes on both sides of a failure, in such a line", BROKEN, { max_str: 100 }],
    ["bytes on both sides of a failure, many of them", BROKEN, { max_str: 20 }],
    ["lines before a last one that is a lone carriage return", `${ROWS}\r`, { max_lines: 2 }],
    ["lines before a last one that is an escape", `${ROWS}${ESC}[0m`, { max_lines: 2 }],
    [
      "a run of lines",
      `${ESC}[1mx and y and so on until the end${ESC}[m\n`.repeat(20),
      { dedup: true, max_lines: 3 },
    ],
  ])("%s", (_, text, limits) => {
    const { out } = run(text, { ...BOTH, ...limits });
    expect(out.length).toBeLessThan(text.length / 2);
    expect(out).toContain("[isthmos: ");
    checkTextCut(encode(text), encode(out), { stripAnsi: true, collapseCr: true });
  });

  it("whose hole takes in the clean-ups at its edges", () => {
    const text = `${"x".repeat(75)}${ESC}[1m${"y".repeat(400)}${ESC}[0m${"z".repeat(25)}`;
    const { out, cuts } = run(text, { ...BOTH, max_str: 100 });
    expect(/bytes (\d+)-(\d+)/.exec(out)?.slice(1)).toEqual(["75", String(75 + 4 + 400 + 4)]);
    expect(cuts).toEqual({ strings: 1 });
  });

  it("which leaves both ends of a line that ends in what was written over", () => {
    const { out } = run(`${"word ".repeat(80)}ma\b\b\b `, { ...BOTH, max_str: 100 });
    expect(out).toMatch(
      /^(?:word ){15}\[isthmos: 306 bytes truncated, bytes 75-381, .*\]ord (?:word ){3}ma[\b]{3} $/,
    );
  });

  it("and the total of its lines, also of a last one of which nothing is left", () => {
    const { out } = run(`${ROWS}\r`, { ...BOTH, max_lines: 2 });
    expect(out).toContain("7 of 10 lines truncated, lines 3-9");
  });

  it("C2: and the result keeps its budget, although such numbers are longer", () => {
    const text = `${ESC}[38;2;10;20;30mone word after the other${ESC}[0m `.repeat(400);
    expect(encode(run(text, { ...BOTH, max_bytes: 2048 }).out).length).toBeLessThanOrEqual(2048);
  });
});

describe("in JSON", () => {
  it("strings are cleaned where they stand, keys and spellings stay", () => {
    const text = String.raw`{"\u001b[1mk":"a\u001B[31mr\u00e9d\u001b[0m\/", "p":"1%\r2%\u0008\u0008 3","n":1.10,"w":"a\r\nb"}`;
    const out = String.raw`{"\u001b[1mk":"ar\u00e9d\/", "p":" 3","n":1.10,"w":"a\r\nb"}`;
    expect(run(text, BOTH).out).toBe(out);
  });

  it("C4: a string whose parts would change places stays as it is spelled", () => {
    const text = JSON.stringify({ log: 'say "hi" and "bye"\rSAY', next: "1%\r2%" });
    expect(run(text, BOTH).out).toBe(text.replace("1%\\r", ""));
  });

  it("a document inside a string, one that is a string itself, and lines beside JSON lines", () => {
    const inner = JSON.stringify({ text: JSON.stringify({ log: `${ESC}[1mx${ESC}[0m` }) });
    expect(run(inner, BOTH).out).toBe(JSON.stringify({ text: JSON.stringify({ log: "x" }) }));
    expect(run(JSON.stringify(`${ESC}[1mx${ESC}[0m`), BOTH).out).toBe('"x"');
    const record = `{"a":"${String.raw`\u001b[1m`}1"}\n`;
    expect(run(`${record.repeat(12)}${ESC}[33mrestart${ESC}[0m\n`, BOTH).out).toBe(
      `${'{"a":"1"}\n'.repeat(12)}restart\n`,
    );
  });

  it("a marker says the range of the string's own value", () => {
    const value = `${ESC}[31mred${ESC}[0m ${"word ".repeat(300)}`;
    const { out } = run(JSON.stringify({ log: value }), { ...BOTH, max_str: 200 });
    const [, from, to] = /bytes (\d+)-(\d+), field \/log/.exec(out) ?? [];
    const shown: string = JSON.parse(out).log;
    const [head = "", tail = ""] = shown.split(/\[isthmos: [^\]]*\]/);
    const clean = cleanText(encode(value), { stripAnsi: true })?.text ?? encode(value);
    expect(head + value.slice(Number(from), Number(to)) + tail).toBe(decode(clean));
  });
});

it("C10: an own cut of bytes is not cut again where clean-ups are on", () => {
  const text = `${ESC}[1m${"one word after another ".repeat(200)}${ESC}[0m\n`;
  const once = run(text, { ...BOTH, max_str: 400 }).out;
  expect(run(once, { ...BOTH, max_str: 150 }, { stored: new Set([ID]) }).out).toBe(once);
});

it.each([
  ["plain text", "abc\r\ndef", {}, false],
  ["an escape", `a${ESC}[0m`, {}, true],
  ["a lone carriage return", "a\rb", {}, true],
  ["a JSON escape", String.raw`{"a":"\u001b[0m"}`, { isJson: true }, true],
  ["a JSON escape in a text", String.raw`a \u001b[0m`, {}, false],
])("mayClean: %s", (_, text, { isJson = false }: { isJson?: boolean }, expected) => {
  expect(mayClean(encode(text), { stripAnsi: true, collapseCr: true }, isJson)).toBe(expected);
  expect(mayClean(encode(text), {}, isJson)).toBe(false);
});
