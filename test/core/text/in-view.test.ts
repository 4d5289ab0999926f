// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { budgetOf } from "../../../src/core/rules/budget.ts";
import type { TextContext, TextLimits } from "../../../src/core/text/text.ts";
import { decode, encode, ID, numbered, render, restore } from "./support.ts";

const WHOLE = { unit: "whole", field: "/log" } as const;
const many = (count: number): string => "alpha beta gamma delta\n".repeat(count);
const words = (count: number): string => "word ".repeat(count);
const most = (maxBytes: number) => ({ budget: budgetOf(maxBytes, {}) });

describe("C9: in a string of many lines", () => {
  it.each([10, 139, 140, 146, 161, 200, 280, 399, 400, 401, 900])("a failing line of %i bytes", (length) => {
    for (const maxStr of [200, 300, 500, 1000]) {
      const text = `${many(70)}${"fatal: disk full ".padEnd(length, "y")}\n${many(70)}`;
      expect(render(text, { maxStr }, WHOLE)).toContain(`fatal: disk full${length > 17 ? " y" : ""}`);
    }
  });

  it.each([200, 300, 500, 1000])("both of two failures, max_str %i", (maxStr) => {
    const [first, second] = ["fatal: disk full ".padEnd(150, "y"), "ValueError: bad value ".padEnd(150, "z")];
    const out = render(`${many(40)}${first}\n${many(40)}${second}\n${many(40)}`, { maxStr }, WHOLE);
    expect(out).toContain("fatal: disk full");
    expect(out).toContain("ValueError: bad value");
  });

  it("no cut where a hole beside the failure would be smaller than its marker", () => {
    const middle = "link compile progress link\nfetch progress\nerror zq1x failed\nnow 54\n";
    const text = `${numbered(14)}${middle}${numbered(5)}`;
    expect(render(text, { maxStr: text.length - 60 }, WHOLE)).toContain("error zq1x failed");
  });
});

describe("C9: the end of the head keeps clear of a failure", () => {
  const line = `${words(29)}x ERROR: zq9x broke ${words(60)}`;
  const at = line.indexOf("ERROR");
  it.each([-70, -1, 0, 1, 4, 17, 90].map((by) => at + by))("head of %i bytes", (head) => {
    const maxStr = Math.ceil((head * 4) / 3);
    expect(render(line, { maxStr })).toContain("ERROR: zq9x broke");
    expect(render(line, { maxStr }, WHOLE)).toContain("ERROR: zq9x broke");
  });

  it.each([-18, -9, -4, -1, 0, 1])("nor does the tail cut it, %i bytes from it", (by) => {
    const text = `${many(90)}gamma build ValueError: zq1x\nalpha\n`;
    const tail = text.length - text.indexOf("ValueError") + by;
    expect(render(text, { maxStr: tail * 4 }, WHOLE)).toContain("ValueError: zq1x");
  });
});

describe("C9: within max_bytes", () => {
  it.each([
    ["in the middle of one line", 500, `short\n${words(40)}error: boom ${words(50)}\nshort\n`],
    ["in the middle of one line", 480, `short\n${words(40)}error: boom ${words(50)}\nshort\n`],
    [
      "a short one between long lines",
      1500,
      `${words(100)}\n${words(70)}\nerror: boom\n${words(90)}\n${words(80)}`,
    ],
    [
      "in a long line between long lines",
      1500,
      `${words(100)}\n${words(99)}error: boom ${words(99)}\n${words(90)}\n`,
    ],
    ["a line of 350 bytes", 500, `${numbered(80)}${words(30)}error: boom ${words(30)}\n${numbered(80)}`],
  ])("%s, %i", (_name, maxBytes, text) => {
    const out = render(text, most(maxBytes));
    expect(out).toContain("error: boom");
    expect(encode(out).length).toBeLessThanOrEqual(maxBytes);
  });

  it("the marker counts the failing lines that find no room", () => {
    const log = Array.from(
      { length: 400 },
      (_, i) => `error: ${"abcdefghij"[i % 10]!.repeat(5 + (i >> 4))} broke\n`,
    );
    const out = render(log.join(""), most(600));
    const shown = out
      .split("\n")
      .filter((line) => line.startsWith("error: ") && line.endsWith(" broke")).length;
    const counted = Number(/(\d+) of them failing/.exec(out)?.[1]);
    expect(shown + counted).toBeGreaterThanOrEqual(399);
    expect(shown + counted).toBeLessThanOrEqual(400);
  });

  it("and so does that of max_lines", () => {
    const log = numbered(40, { 10: "error: a", 20: "fatal: b", 30: "panic: c" });
    expect(render(log, { maxLines: 1 })).toMatch(/truncated, 2 of them failing, lines /);
    expect(render(log, { maxLines: 8 })).not.toContain("of them failing");
  });
});

const word = fc.constantFrom("alpha", "beta", "gamma", "build", "link", "漢字", "naïve");
const phrase = (max: number) => fc.array(word, { maxLength: max, size: "max" }).map((all) => all.join(" "));
const around = fc.array(fc.oneof(phrase(6), phrase(30), phrase(200)), {
  minLength: 3,
  maxLength: 30,
  size: "max",
});
const failing = fc.constantFrom("ERROR: zq1x broke", "ValueError: zq1x", "cannot open zq1x", "✗ zq1x FAILED");
const limits = fc.record({
  maxStr: fc.constantFrom(0, 20, 100, 200, 500, 1000),
  maxLines: fc.constantFrom(0, 0, 1, 2, 5, 20),
});
const budgets = fc.constantFrom(undefined, 500, 600, 800, 1500, 4000);

it("C9: the only failing phrase is in view, or the marker over it counts it", () => {
  let cut = 0;
  fc.assert(
    fc.property(
      fc.tuple(around, phrase(40), failing, phrase(40), around),
      limits,
      budgets,
      fc.boolean(),
      ([before, pre, core, post, after], others, maxBytes, isWhole) => {
        const text = [...before, `${pre} ${core} ${post}`.trim(), ...after].join("\n");
        const rule: Partial<TextLimits> = {
          ...others,
          ...(!isWhole && maxBytes !== undefined && most(maxBytes)),
        };
        const context: Partial<TextContext> = isWhole ? WHOLE : {};
        const out = render(text, rule, context);
        if (out === text) return;
        cut++;
        if (!out.includes(core)) expect(out).toContain(", 1 of them failing, ");
        expect(encode(out).length).toBeLessThan(encode(text).length);
        if (rule.budget !== undefined) expect(encode(out).length).toBeLessThanOrEqual(rule.budget.maxBytes);
        expect(decode(restore(encode(text), encode(out)))).toBe(text);
        expect(render(out, rule, { ...context, stored: new Set([ID]) })).toBe(out);
      },
    ),
    { numRuns: 400 },
  );
  expect(cut).toBeGreaterThan(200);
});
