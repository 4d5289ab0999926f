// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { expect, it } from "vitest";
import { composeSplices, type Removal } from "../../src/core/compose.ts";
import { applySplices, checkSplices, type Splice } from "../../src/core/splice.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** The same for a first round: in some places a space stands for what goes. */
const removalsOf = (length: number): fc.Arbitrary<Removal[]> =>
  splicesOf(length, " ").map((splices) =>
    splices.map(({ start, end, insert }) => ({ start, end, insert: insert.length > 0 ? [" "] : [] })),
  );

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
    fc.property(removalsOf(text.length), (first) => {
      const middle = applySplices(encode(text), first);
      fc.assert(
        fc.property(splicesOf(middle.length, "#"), (second) => {
          const { splices, kept } = composeSplices(first, second);
          const twice = decode(applySplices(middle, second));
          expect(decode(applySplices(encode(text), splices))).toBe(twice);
          expect(splices).toHaveLength(kept.length + second.length);
          checkSplices(text.length, splices);
        }),
        { numRuns: 20 },
      );
    }),
    { numRuns: 30 },
  );
});

it.each([
  ["after the hole", { start: 0, end: 2 }, [0, 2]],
  ["before the hole", { start: 5, end: 8 }, [7, 10]],
  ["at the hole's end", { start: 1, end: 3 }, [1, 5]],
  ["at the hole's start", { start: 2, end: 8 }, [2, 10]],
  ["inside the hole", { start: 1, end: 6 }, [1, 8]],
] as const)("an insert %s", (_, hole, [from, to]) => {
  // "abcdef…" → "ab f…"
  const first: Removal[] = [{ start: 2, end: 5, insert: [" "] }];
  const marker = { kind: "hole", unit: "bytes", from: hole.start, to: hole.end } as const;
  const { splices } = composeSplices(first, [{ ...hole, insert: [marker] }]);
  const moved = splices.find(({ insert }) => typeof insert[0] === "object");
  expect([moved?.start, moved?.end]).toEqual([from, to]);
  expect(moved?.insert[0]).toMatchObject({ from, to });
});
