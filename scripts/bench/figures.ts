// SPDX-License-Identifier: Apache-2.0
import { RUN_MARK } from "./rows.ts";

export function lowerQuartile(times: readonly number[]): number {
  return quantile(times, 0.25);
}

export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

/** The input of one run: it stores a text of its own. */
export function withRunMark(input: string, run: number): string {
  return input.replaceAll(RUN_MARK, `run-${String(run).padStart(10, "0")}`);
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
