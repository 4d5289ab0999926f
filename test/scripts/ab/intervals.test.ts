// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { comparePairs } from "../../../scripts/ab/intervals.ts";
import { PROTOCOL } from "../../../scripts/ab/protocol.ts";
import { makeRandom } from "../../../scripts/retention/random.ts";

const pairsOf = (offs: readonly number[], ons: readonly number[]) =>
  offs.map((off, i) => ({ off, on: ons[i] ?? 0 }));
const TEN = pairsOf([10, 20, 30, 40, 50, 60, 70, 80, 90, 100], [9, 18, 33, 30, 40, 61, 65, 70, 90, 50]);

describe("paired differences", () => {
  it("have a mean, a median, a change and counts", () => {
    const { mean, median, change, less, equal, more } = comparePairs(TEN, PROTOCOL);
    // -1 -2 +3 -10 -10 +1 -5 -10 0 -50
    expect([mean.value, median.value]).toEqual([-8.4, -3.5]);
    expect(change.value).toBeCloseTo(-84 / 550, 12);
    expect([less, equal, more]).toEqual([7, 1, 2]);
    for (const { value, interval } of [mean, median, change]) {
      expect(interval?.low).toBeLessThan(value ?? 0);
      expect(interval?.high).toBeGreaterThan(value ?? 0);
    }
  });

  it("have the middle value of an odd number", () => {
    expect(comparePairs(TEN.slice(0, 3), PROTOCOL).median.value).toBe(-1);
  });

  it.each([
    [9, false],
    [10, true],
  ])("of %i pairs: an interval is given: %s", (count, given) => {
    const { mean, median, change } = comparePairs(TEN.slice(0, count), PROTOCOL);
    expect([mean, median, change].map(({ interval }) => interval !== null)).toEqual([given, given, given]);
  });

  it("that are all the same have an interval without width", () => {
    const { mean, median } = comparePairs(pairsOf(Array(12).fill(7), Array(12).fill(4)), PROTOCOL);
    expect(mean).toEqual({ value: -3, interval: { low: -3, high: -3 } });
    expect(median).toEqual(mean);
  });

  it("from nothing have no change", () => {
    const { change, mean } = comparePairs(pairsOf(Array(12).fill(0), [...Array(11).fill(0), 12]), PROTOCOL);
    expect(change).toEqual({ value: null, interval: null });
    expect(mean.value).toBe(1);
  });

  it("from almost nothing have a change without bounds", () => {
    const { change } = comparePairs(pairsOf([5, ...Array(11).fill(0)], Array(12).fill(1)), PROTOCOL);
    expect(change).toEqual({ value: 7 / 5, interval: null });
  });
});

describe("the protocol", () => {
  it("gives the same figures again, and in any order of the pairs", () => {
    const first = comparePairs(TEN, PROTOCOL);
    expect(comparePairs(TEN, PROTOCOL)).toEqual(first);
    expect(comparePairs([...TEN].reverse(), PROTOCOL)).toEqual(first);
  });

  it("is frozen: these figures change only with its version", () => {
    expect(PROTOCOL).toMatchObject({ version: 1, minPairs: 10, resamples: 10_000, seed: "isthmos-ab-1" });
    const { mean, median } = comparePairs(TEN, PROTOCOL);
    expect([mean.interval, median.interval]).toMatchInlineSnapshot(`
      [
        {
          "high": -1.6,
          "low": -18.7,
        },
        {
          "high": 0,
          "low": -10,
        },
      ]
    `);
  });
});

it("covers the true mean and median about as often as it says", () => {
  const random = makeRandom("coverage");
  // The sum of twelve even draws is close to normal.
  const normal = () =>
    Array.from({ length: 12 }, () => random.int(1_000_000) / 1e6).reduce((a, b) => a + b) - 6;
  const trials = 300;
  const hits = { mean: 0, median: 0 };
  for (let trial = 0; trial < trials; trial++) {
    const pairs = Array.from({ length: 30 }, () => ({ off: 100, on: 97 + 5 * normal() }));
    const { mean, median } = comparePairs(pairs, { ...PROTOCOL, resamples: 400, seed: `trial ${trial}` });
    for (const [name, { interval }] of [["mean", mean] as const, ["median", median] as const])
      if (interval !== null && interval.low <= -3 && -3 <= interval.high) hits[name]++;
  }
  expect(hits.mean / trials).toBeGreaterThan(0.9);
  expect(hits.mean / trials).toBeLessThan(0.98);
  expect(hits.median / trials).toBeGreaterThan(0.9);
  expect(hits.median / trials).toBeLessThan(0.99);
});
