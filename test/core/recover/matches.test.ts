// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collectMatches, type FindHit } from "../../../src/core/recover/matches.ts";
import { itemUnits, lineUnits } from "../../../src/core/recover/units.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const findText =
  (text: Uint8Array, needle: string): FindHit =>
  (from) => {
    const start = Buffer.from(text).indexOf(needle, from);
    return start < 0 ? undefined : { start, end: start + needle.length };
  };

function search(
  text: string,
  needle: string,
  limits: { context?: number; longBytes?: number; maxMatches?: number },
) {
  const bytes = encode(text);
  const { context = 0, longBytes = 100, maxMatches = 99 } = limits;
  const all = { from: 0, to: bytes.length };
  const bounds = { maxMatches, maxBytes: 1e9, context, longBytes };
  return collectMatches(bytes, lineUnits(bytes), findText(bytes, needle), all, bounds);
}

describe("collectMatches", () => {
  it("C11: shows what grep -C shows, for any text", () => {
    const lines = fc.array(fc.constantFrom("hit", "a", "", "b hit"), { maxLength: 30 });
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 4 }), fc.boolean(), (words, context, isEnded) => {
        const text = words.join("\n") + (isEnded && words.length > 0 ? "\n" : "");
        const { groups, total } = search(text, "hit", { context });
        const matching = words.flatMap((word, i) => (word.includes("hit") ? [i + 1] : []));
        const count = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
        const near = Array.from({ length: count }, (_, i) => i + 1).filter((line) =>
          matching.some((match) => Math.abs(match - line) <= context),
        );
        expect(groups.flatMap((group) => group.matching)).toEqual(matching);
        expect(total).toBe(matching.length);
        const shown = groups.flatMap(({ first, last }) =>
          Array.from({ length: last.number - first.number + 1 }, (_, i) => first.number + i),
        );
        expect(shown).toEqual(near);
        // Runs that touch are one.
        groups.slice(1).forEach((group, i) => {
          expect(group.first.number).toBeGreaterThan((groups[i]?.last.number ?? 0) + 1);
        });
      }),
    );
  });

  it("takes a hit over several lines as a run of them", () => {
    expect(search("a\none\ntwo\nb\n", "one\ntwo", {}).groups).toMatchObject([
      { first: { number: 2 }, last: { number: 3 }, matching: [2, 3] },
    ]);
  });

  it.each([
    [99, false],
    [100, false],
    [101, true],
  ])("shows a window of a line above the bound: %i bytes", (length, isWindow) => {
    const [group] = search(`${"x".repeat(length - 4)}hit\n`, "hit", {}).groups;
    expect(group?.window !== undefined).toBe(isWindow);
  });

  it("cuts windows between characters, and neighbours do not reach over long lines", () => {
    const text = `near\n${"漢".repeat(60)}hit${"漢".repeat(60)}\nhit\n`;
    const { groups } = search(text, "hit", { context: 2 });
    expect(groups).toMatchObject([{ matching: [2] }, { first: { number: 3 }, last: { number: 3 } }]);
    const window = groups[0]?.window ?? { from: 0, to: 0 };
    const shown = new TextDecoder("utf-8", { fatal: true }).decode(
      encode(text).subarray(window.from, window.to),
    );
    expect(shown).toMatch(/^漢+hit漢+$/);
  });

  it("goes on from where it stopped, as if it had not", () => {
    const text = "hit\nno\n".repeat(7) + "x".repeat(500) + "hit".padEnd(300, "-").repeat(5);
    const bytes = encode(text);
    const seen: number[] = [];
    let from = 0;
    for (let pages = 0; pages < 20; pages++) {
      const limits = { maxMatches: 2, maxBytes: 1000, context: 0, longBytes: 100 };
      const page = collectMatches(
        bytes,
        lineUnits(bytes),
        findText(bytes, "hit"),
        { from, to: bytes.length },
        limits,
      );
      seen.push(...page.groups.map(({ first, window }) => window?.from ?? first.from));
      if (page.resume === undefined) break;
      from = page.resume;
    }
    const whole = search(text, "hit", {}).groups.map(({ first, window }) => window?.from ?? first.from);
    expect(seen).toEqual(whole);
    expect(seen).toHaveLength(12);
  });
});

describe("lineUnits", () => {
  it("finds the line of any byte, forwards and back", () => {
    const text = encode("a\n\nbcd\r\ne");
    const units = lineUnits(text);
    const numbers = Array.from(text, (_, at) => units.around(at).number);
    expect(numbers).toEqual([1, 1, 2, 3, 3, 3, 3, 3, 4]);
    expect([...numbers.keys()].reverse().map((at) => units.around(at).number)).toEqual(
      [...numbers].reverse(),
    );
    const third = units.around(4);
    expect([units.before(third), units.after(third)]).toEqual([
      { from: 2, to: 3, number: 2 },
      { from: 8, to: 9, number: 4 },
    ]);
    expect(units.before(units.around(0))).toBeUndefined();
    expect(units.after(units.around(8))).toBeUndefined();
  });
});

describe("itemUnits", () => {
  it("finds the item of any byte", () => {
    const units = itemUnits(Int32Array.of(1, 5, 9), Int32Array.of(4, 8, 12));
    expect([1, 3, 5, 7, 9, 11].map((at) => units.around(at).number)).toEqual([0, 0, 1, 1, 2, 2]);
    const first = units.around(1);
    expect([units.before(first), units.after(first)]).toEqual([undefined, { from: 5, to: 8, number: 1 }]);
  });
});
