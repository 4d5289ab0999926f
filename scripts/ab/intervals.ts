// SPDX-License-Identifier: Apache-2.0
// Paired differences with percentile bootstrap intervals. Seeded: the same pairs give the same figures, in any order.
import { makeRandom } from "../retention/random.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure and its interval; null: there is none to give. */
export interface Estimate {
  readonly value: number | null;
  readonly interval: Interval | null;
}

export interface Difference {
  /** Of the values on minus off. */
  readonly mean: Estimate;
  readonly median: Estimate;
  /** The mean difference as a share of the mean off; null where that is 0. */
  readonly change: Estimate;
  readonly less: number;
  readonly equal: number;
  readonly more: number;
}

export interface Resampling {
  readonly resamples: number;
  readonly seed: string;
  readonly confidence: number;
  /** Fewer pairs get no interval. */
  readonly minPairs: number;
}

/** Compares `on` with `off` over pairs; at least one. */
export function comparePairs(
  pairs: readonly { readonly off: number; readonly on: number }[],
  resampling: Resampling,
): Difference {
  // In order of size: what comes out does not depend on the order of the pairs, and a median is found by counting.
  const sorted = pairs.map(({ off, on }) => ({ off, difference: on - off }));
  sorted.sort((a, b) => a.difference - b.difference || a.off - b.off);
  const differences = sorted.map(({ difference }) => difference);
  const sum = sumOf(differences);
  const sumOff = sumOf(sorted.map(({ off }) => off));
  const drawn = pairs.length < resampling.minPairs ? undefined : drawStatistics(sorted, resampling);
  const estimate = (value: number | null, draws: Float64Array | undefined): Estimate => ({
    value,
    interval: value === null || draws === undefined ? null : intervalOf(draws, resampling.confidence),
  });
  return {
    mean: estimate(sum / pairs.length, drawn?.means),
    median: estimate(medianOf(differences), drawn?.medians),
    change: estimate(sumOff === 0 ? null : sum / sumOff, drawn?.changes),
    less: differences.filter((difference) => difference < 0).length,
    equal: differences.filter((difference) => difference === 0).length,
    more: differences.filter((difference) => difference > 0).length,
  };
}

function drawStatistics(
  sorted: readonly { readonly off: number; readonly difference: number }[],
  { resamples, seed }: Resampling,
): { means: Float64Array; medians: Float64Array; changes: Float64Array | undefined } {
  const count = sorted.length;
  const differences = Float64Array.from(sorted, ({ difference }) => difference);
  const offs = Float64Array.from(sorted, ({ off }) => off);
  const random = makeRandom(seed);
  const means = new Float64Array(resamples);
  const medians = new Float64Array(resamples);
  const changes = new Float64Array(resamples);
  const times = new Uint32Array(count);
  let hasRatios = true;
  for (let i = 0; i < resamples; i++) {
    times.fill(0);
    let [sum, sumOff] = [0, 0];
    for (let k = 0; k < count; k++) {
      const at = random.int(count);
      times[at]!++;
      sum += differences[at]!;
      sumOff += offs[at]!;
    }
    means[i] = sum / count;
    medians[i] = (valueAt((count - 1) >> 1) + valueAt(count >> 1)) / 2;
    changes[i] = sum / sumOff;
    // A resample of pairs that are all 0 off: the share has no bound.
    if (sumOff === 0) hasRatios = false;
  }
  return { means, medians, changes: hasRatios ? changes : undefined };

  function valueAt(rank: number): number {
    let at = 0;
    for (let seen = times[0]!; seen <= rank; seen += times[at]!) at++;
    return differences[at]!;
  }
}

/** Percentiles by rank, without interpolation: of 10,000 at 95 % the 251st and the 9,750th. */
function intervalOf(draws: Float64Array, confidence: number): Interval {
  const sorted = draws.slice().sort();
  const cut = Math.floor((sorted.length * (1 - confidence)) / 2 + 1e-9);
  return { low: sorted[cut]!, high: sorted[sorted.length - 1 - cut]! };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function medianOf(sorted: readonly number[]): number {
  const { length } = sorted;
  return (sorted[(length - 1) >> 1]! + sorted[length >> 1]!) / 2;
}
