// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { compressText } from "../../../src/core/text/text.ts";
import { CONTEXT, decode, encode, ID, LIMITS, numbered, render } from "./support.ts";

const full = `full: isthmos reveal ${ID}]`;

describe("max_lines", () => {
  it.each([
    ["fewer lines than the limit", 9, 10],
    ["as many lines as the limit", 10, 10],
    ["no limit", 500, 0],
  ])("leaves %s", (_name, count, maxLines) => {
    expect(compressText(encode(numbered(count)), { ...LIMITS, maxLines }, CONTEXT)).toEqual({
      splices: [],
      cuts: {},
    });
  });

  it("leaves one line too many, which is smaller than a marker", () => {
    expect(render(numbered(11), { maxLines: 10 })).toBe(numbered(11));
  });

  it("keeps three quarters as head and a quarter as tail, with a marker of totals and id", () => {
    const out = render(numbered(400), { maxLines: 40 });
    expect(out).toBe(
      `${numbered(30)}[isthmos: 360 of 400 lines truncated, lines 31-390, ${full}\n${numbered(400).split("\n").slice(390).join("\n")}`,
    );
    expect(compressText(encode(numbered(400)), { ...LIMITS, maxLines: 40 }, CONTEXT).cuts).toEqual({
      lines: 360,
    });
  });

  it.each([
    [1, undefined, [1]],
    [1, 5, [1]],
    [2, 0, [1, 2]],
    [4, 2, [1, 2, 399, 400]],
    [4, 9, [1, 398, 399, 400]],
    [5, undefined, [1, 2, 3, 4, 400]],
  ])("with %i lines of which %s go to the end it keeps the right ones", (maxLines, keepLast, kept) => {
    const out = render(numbered(400), { maxLines, keepLast });
    expect(out.match(/^line \d+$/gm)).toEqual(kept.map((n) => `line ${n}`));
  });

  it("ends a marker like the lines around it", () => {
    const out = render(numbered(100).replaceAll("\n", "\r\n"), { maxLines: 4 });
    expect(out.split("\r\n")[3]).toMatch(/^\[isthmos: 96 of 100 lines truncated/);
    expect(out.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("keeps the missing end of a last line, also behind a marker", () => {
    expect(render(numbered(100).trimEnd(), { maxLines: 4 })).toMatch(/line 100$/);
    expect(render(numbered(100).trimEnd(), { maxLines: 4, keepLast: 0 })).toMatch(
      /lines 5-100, full: [^\n]*]$/,
    );
  });

  it("takes a lone \\r for no line end", () => {
    const text = `${"10%\r20%\r".repeat(100)}\n`;
    expect(render(text, { maxLines: 4 })).toBe(text);
  });

  it("names the field in the marker with totals only", () => {
    const text = numbered(100, { 50: "error: x" });
    const out = render(text, { maxLines: 8 }, { field: "/log/text", unit: "whole" });
    expect(out).toContain("[isthmos: lines 7-48 truncated]\n");
    expect(out).toContain(", lines 52-98, field /log/text, full:");
  });
});

describe("C9: pins", () => {
  it("keeps a failing line in the middle with a line of context, each hole marked", () => {
    const out = render(numbered(100, { 50: "error: disk full" }), { maxLines: 8 });
    expect(out.split("\n").slice(6, 11)).toEqual([
      "[isthmos: lines 7-48 truncated]",
      "line 49",
      "error: disk full",
      "line 51",
      `[isthmos: 89 of 100 lines truncated, lines 52-98, ${full}`,
    ]);
  });

  it("pins at most as many lines again as the limit", () => {
    const text = Array.from(
      { length: 1000 },
      (_, i) =>
        `error: thing ${"abcdefghij"[i % 10]}${"klmnopqrst"[((i / 10) % 10) | 0]}${"uvwxyzabcd"[(i / 100) | 0]}\n`,
    ).join("");
    const shown = render(text, { maxLines: 20 }).match(/^error/gm);
    expect(shown?.length).toBeGreaterThan(35);
    expect(shown?.length).toBeLessThanOrEqual(40);
  });

  it("takes the first three quarters and the last quarter of too many failures", () => {
    const words = Array.from({ length: 26 * 26 }, (_, i) => String.fromCharCode(97 + i / 26, 97 + (i % 26)));
    const text = words.map((word) => `error: case ${word}\n${"filler\n".repeat(6)}`).join("");
    const out = render(text, { maxLines: 40 });
    const pinned = out.split("\n").filter((line) => line.startsWith("error"));
    expect(pinned.slice(0, 8)).toEqual(words.slice(0, 8).map((word) => `error: case ${word}`));
    expect(pinned.slice(-3)).toEqual(words.slice(-3).map((word) => `error: case ${word}`));
  });

  it("counts repeats of one failure once, then twice", () => {
    const at: Record<number, string> = { 900: "error: something else" };
    for (let i = 100; i < 800; i += 5) at[i] = `12:00:${i} error: connection 0x${i.toString(16)} lost`;
    const out = render(numbered(1000, at), { maxLines: 20 });
    expect(out.match(/connection/g)).toHaveLength(2);
    expect(out).toContain("error: something else");
  });

  it("does not pin lines that say there was none", () => {
    const out = render("0 error, 0 failed\n".repeat(5000), { maxLines: 20 });
    expect(out.split("\n")).toHaveLength(22);
  });

  it("pins nothing among names", () => {
    expect(render(numbered(100, { 50: "error" }), { maxLines: 8 }, { content: "names" })).not.toMatch(
      /^error$/m,
    );
  });

  it("pins a marker that cites a stored original first, and no other", () => {
    const marker = `[isthmos: 3 of 9 lines truncated, lines 2-4, ${full}`;
    const text = numbered(100, { 40: marker, 60: marker.replace(ID, "ffffffffffffffff") });
    const out = render(text, { maxLines: 8 }, { stored: new Set([ID]) });
    expect(out).toContain(marker);
    expect(out).not.toContain("ffffffffffffffff");
  });
});

describe("dedup", () => {
  it.each([
    ["two equal lines", "a long enough line, really\n".repeat(2), 0],
    ["three", "a long enough line, really\n".repeat(3), 2],
    ["forty-one", "x\n".repeat(41), 40],
    ["short ones, smaller than the marker", "x\n".repeat(20), 0],
    ["lines with unlike ends", "a long enough line, really\na long enough line, really\r\n".repeat(3), 0],
  ])("%s", (_name, text, runs) => {
    const { cuts } = compressText(encode(text), { ...LIMITS, dedup: true }, CONTEXT);
    expect(cuts).toEqual(runs === 0 ? {} : { runs });
  });

  it("says how often the line before stands again", () => {
    expect(render(`a\n${"same\n".repeat(20)}b\n`, { dedup: true })).toBe(
      "a\nsame\n[isthmos: previous line repeated 19 more times]\nb\n",
    );
  });

  it("works before max_lines, whose ranges count original lines", () => {
    const text = `${"same\n".repeat(50)}${numbered(100)}`;
    const out = render(text, { dedup: true, maxLines: 8 });
    expect(out.split("\n").slice(0, 7)).toEqual([
      "same",
      "[isthmos: previous line repeated 49 more times]",
      "line 1",
      "line 2",
      "line 3",
      "line 4",
      `[isthmos: 94 of 150 lines truncated, lines 55-148, ${full}`,
    ]);
  });

  it("shows a repeated line itself where the tail starts in its run", () => {
    const out = render(`${numbered(50)}${"same\n".repeat(50)}`, { dedup: true, maxLines: 4 });
    expect(out.split("\n").slice(3)).toEqual([
      `[isthmos: 96 of 100 lines truncated, lines 4-99, ${full}`,
      "same",
      "",
    ]);
  });
});

describe("a host that only lets us take the end", () => {
  const tail = { cut: "tail" } as const;

  it("keeps the first lines; the marker is the last line", () => {
    expect(render(numbered(100), { maxLines: 10, keepLast: 5, dedup: true, maxStr: 1 }, tail)).toBe(
      `${numbered(10)}[isthmos: 90 of 100 lines truncated, lines 11-100, ${full}\n`,
    );
  });

  it("C9: counts the failing lines it covers", () => {
    const text = numbered(100, { 5: "error", 50: "error: a", 60: "0 errors", 70: "FAILED" });
    expect(render(text, { maxLines: 10 }, tail)).toContain(
      "90 of 100 lines truncated, 2 of them failing, lines 11-100",
    );
    expect(render(text, { maxLines: 10 }, { ...tail, content: "names" })).not.toContain("failing");
  });

  it("leaves text that only dedup or max_str would change", () => {
    const text = "same line here\n".repeat(100);
    expect(render(text, { dedup: true, maxStr: 4 }, tail)).toBe(text);
  });

  it("C8: goes no further than the end of a diff", () => {
    const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
    const text = `${numbered(20)}${diff}${numbered(50)}`;
    expect(render(text, { maxLines: 10 }, tail)).toMatch(
      /\+c\n\[isthmos: 50 of 76 lines truncated, lines 27-76/,
    );
    expect(render(`${numbered(20)}${diff}`, { maxLines: 10 }, tail)).toBe(`${numbered(20)}${diff}`);
  });
});

describe("max_str", () => {
  it.each([
    ["shorter", 399],
    ["as long", 400],
    ["longer by less than a marker", 480],
  ])("leaves a line that is %s", (_name, length) => {
    const text = `${"x".repeat(length)}\n`;
    expect(render(text, { maxStr: 400 })).toBe(text);
  });

  it("keeps head and a quarter as tail of each long line", () => {
    const text = `a\n${"0123456789".repeat(100)}\nb\n`;
    const out = render(text, { maxStr: 400 });
    expect(out).toBe(
      `a\n${"0123456789".repeat(30)}[isthmos: 600 bytes truncated, bytes 302-902, ${full}${"0123456789".repeat(10)}\nb\n`,
    );
    expect(compressText(encode(text), { ...LIMITS, maxStr: 400 }, CONTEXT).cuts).toEqual({ strings: 1 });
  });

  it("has one marker with the id, in the last hole", () => {
    const out = render(`${"x".repeat(1000)}\n`.repeat(2), { maxStr: 100 });
    expect(out.split("\n")[0]).toContain("[isthmos: bytes 75-975 truncated]");
    expect(out.split("\n")[1]).toContain(`[isthmos: 900 bytes truncated, bytes 1076-1976, ${full}`);
  });

  it.each([
    ["at the end of the hole", 4000],
    ["in the middle", 2500],
    ["right after the head", 320],
  ])("C9: keeps a failure %s of a long line in view", (_name, at) => {
    const text = `${"lorem ipsum ".repeat(400).slice(0, at)} FATAL: disk full ${"dolor sit ".repeat(100)}`;
    const out = render(text, { maxStr: 400 });
    expect(out).toContain(" FATAL: disk full ");
    expect(encode(out).length).toBeLessThan(1100);
  });

  it("clips the lines that max_lines keeps", () => {
    const text = numbered(100, { 2: "y".repeat(500), 50: `error: ${"z".repeat(500)}` });
    const out = render(text, { maxLines: 8, maxStr: 100 });
    expect(out).toMatch(/\ny{75}\[isthmos: bytes 82-482 truncated]y{25}\n/);
    expect(out).toMatch(/\nerror: z{68}\[isthmos: bytes \d+-\d+ truncated]z{25}\n/);
    expect(out.match(/full: isthmos reveal/g)).toHaveLength(1);
  });
});

describe("max_str of a whole string", () => {
  const whole = { unit: "whole" } as const;

  it("cuts on line ends where they are near", () => {
    const out = render(numbered(200), { maxStr: 400 }, whole);
    expect(out).toMatch(
      /^line 1\n[\s\S]*line \d+\n\[isthmos: \d+ bytes truncated, bytes \d+-\d+, full: [^\]]*]\nline \d+\n[\s\S]*line 200\n$/,
    );
    const outside = encode(out.replace(/\[isthmos[^\]]*]/, "")).length;
    expect(outside).toBeLessThanOrEqual(401);
    expect(outside).toBeGreaterThan(380);
  });

  it("C9: keeps failing lines of the middle", () => {
    const out = render(
      numbered(500, { 250: "error: disk full" }),
      { maxStr: 600 },
      { ...whole, field: "/a" },
    );
    expect(out).toContain("\n[isthmos: bytes ");
    expect(out).toContain("\nerror: disk full\n");
    expect(out).toMatch(/bytes \d+-\d+, field \/a, full/);
  });

  it("speaks of bytes only, also where lines went", () => {
    const out = render(numbered(500, { 250: "error: disk full" }), { maxStr: 200, maxLines: 100 }, whole);
    expect(out).toContain("error: disk full");
    expect(out).not.toMatch(/lines \d+-\d+/);
  });

  it("leaves a string that max_lines made short enough", () => {
    const out = render(numbered(500), { maxStr: 400, maxLines: 20 }, whole);
    expect(out).toContain("480 of 500 lines truncated");
    expect(out).not.toContain("bytes");
  });

  it("cuts one long line like any other", () => {
    expect(render("x".repeat(1000), { maxStr: 400 }, whole)).toBe(
      `${"x".repeat(300)}[isthmos: 600 bytes truncated, bytes 300-900, ${full}${"x".repeat(100)}`,
    );
  });
});

describe("text that isthmos cut before", () => {
  it.each([
    ["lines", numbered(1000, { 500: "error: a", 501: "\n".repeat(3) }), { maxLines: 10, dedup: true }, {}],
    ["the end", numbered(1000), { maxLines: 10 }, { cut: "tail" }],
    [
      "long lines",
      `${"x".repeat(5000)}\n${"y".repeat(2000)} error ${"y".repeat(2000)}\n`,
      { maxStr: 200 },
      {},
    ],
    ["a string", numbered(1000, { 500: "error: a" }), { maxStr: 500 }, { unit: "whole" }],
  ] as const)("is not cut again: %s", (_name, text, limits, context) => {
    const once = render(text, limits, context);
    expect(once.length).toBeLessThan(text.length);
    expect(render(once, limits, { ...context, stored: new Set([ID]) })).toBe(once);
  });

  it("is cut like any text where the store does not know it, or something stands before it", () => {
    const once = render(numbered(1000, { 500: "error: a", 600: "error: b" }), { maxLines: 10 });
    expect(render(`${numbered(30)}${once}`, { maxLines: 10 }, { stored: new Set([ID]) })).not.toBe(once);
    expect(render(once, { maxLines: 4 })).not.toBe(once);
  });
});

it("C4: invalid UTF-8 and NUL bytes pass as they are", () => {
  const text = Uint8Array.from([
    ...encode(numbered(3)),
    0x00,
    0xff,
    0xc3,
    0x28,
    0x0a,
    ...encode(numbered(50)),
  ]);
  const { splices } = compressText(text, { ...LIMITS, maxLines: 8 }, CONTEXT);
  expect(splices).toHaveLength(1);
  expect(decode(text.subarray(0, splices[0]!.start))).toContain("\0\ufffd");
});
