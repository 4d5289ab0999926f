// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { expect, it } from "vitest";
import { composeSplices } from "../../src/core/compose.ts";
import { applySplices, type Splice } from "../../src/core/splice.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Holes of a text of `length` bytes, apart from one another. */
const splicesOf = (length: number, insert: string): fc.Arbitrary<Splice[]> =>
  fc.uniqueArray(fc.nat(length), { maxLength: 12 }).map((cuts) => {
    const sorted = cuts.sort((a, b) => a - b);
    const splices: Splice[] = [];
    for (let i = 0; i + 1 < sorted.length; i += 2) {
      const [start, end] = [sorted[i]!, sorted[i + 1]!];
      splices.push({
        start,
        end,
        insert: insert === "" || i % 4 === 0 ? [] : [insert.slice(0, end - start)],
      });
    }
    return splices;
  });

it("one round does what two do", () => {
  const text = "abcdefghijklmnopqrstuvwxyz0123456789";
  fc.assert(
    fc.property(splicesOf(text.length, ""), (first) => {
      const middle = applySplices(encode(text), first);
      fc.assert(
        fc.property(splicesOf(middle.length, "#"), (second) => {
          const { splices, kept } = composeSplices(first, second);
          const twice = decode(applySplices(middle, second));
          expect(decode(applySplices(encode(text), splices))).toBe(twice);
          expect(splices.filter((splice) => !kept.includes(splice as Splice))).toHaveLength(second.length);
          let from = 0;
          for (const { start, end } of splices) {
            expect(start).toBeGreaterThanOrEqual(from);
            expect(end).toBeGreaterThanOrEqual(start);
            from = end;
          }
        }),
        { numRuns: 20 },
      );
    }),
    { numRuns: 30 },
  );
});

it.each([
  ["after the hole", { start: 0, end: 2 }, [0, 2]],
  ["before the hole", { start: 5, end: 8 }, [6, 9]],
  ["whose end the hole takes", { start: 3, end: 8 }, [2, 9]],
  ["whose start the hole takes", { start: 1, end: 3 }, [1, 5]],
  ["inside the hole", { start: 1, end: 6 }, [1, 7]],
] as const)("an insert %s", (_, hole, [from, to]) => {
  // "abcde…" → "abXY…"
  const first: Splice[] = [{ start: 2, end: 5, insert: ["XY"] }];
  const marker = { kind: "hole", unit: "bytes", from: hole.start, to: hole.end } as const;
  const { splices } = composeSplices(first, [{ ...hole, insert: [marker] }]);
  const moved = splices.find(({ insert }) => typeof insert[0] === "object");
  expect([moved?.start, moved?.end]).toEqual([from, to]);
  expect(moved?.insert[0]).toMatchObject({ from, to });
});
