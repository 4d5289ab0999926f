// SPDX-License-Identifier: Apache-2.0
// The results as Markdown tables, and what is not as good as it must be.
import { CHANCE_RUNS, type Measured } from "./measure.ts";

/** Bytes of a reveal, over the shapes that need one: the published median. */
const RECOVERY_MAX_BYTES = 700;

/** Share saved, in percent with one digit. */
export function savedShare(before: number, after: number): string {
  return `${(((before - after) / before) * 100).toFixed(1)} %`;
}

/** One row a shape, and their sum. */
export function formatShapes(measured: readonly Measured[]): string {
  const lines = [
    `| shape | bytes | left | saved | SUTRA | tokens saved | SUTRA | clue | both ends | by chance (of ${CHANCE_RUNS}) |`,
    "|---|--:|--:|--:|--:|--:|--:|---|---|--:|",
  ];
  for (const one of measured) {
    const { shape, inBytes, outBytes, inTokens, outTokens } = one;
    const { savedBytes, savedTokens } = shape.published;
    const cells = [
      shape.name,
      inBytes,
      outBytes,
      savedShare(inBytes, outBytes),
      `${savedBytes.toFixed(1)} %`,
      savedShare(inTokens, outTokens),
      `${savedTokens.toFixed(1)} %`,
      describeClue(one),
      one.endsShow ? "shown" : "lost",
      one.chanceShows,
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  const total = sumOf(measured);
  const cells = [
    "all",
    total.inBytes,
    total.outBytes,
    savedShare(total.inBytes, total.outBytes),
    "54.3 %",
    savedShare(total.inTokens, total.outTokens),
    "55.2 %",
    `${measured.filter(({ recoveryBytes }) => recoveryBytes !== undefined).length} of ${measured.length}`,
    `${measured.filter(({ endsShow }) => endsShow).length} of ${measured.length}`,
    "",
  ];
  return [...lines, `| ${cells.join(" | ")} |`].join("\n");
}

/** What misses the mark, in words; none: everything is reached. */
export function findShortfalls(measured: readonly Measured[], comparesRows: boolean): string[] {
  const faults = measured.flatMap((one) => {
    const { shape, inBytes, outBytes, visible, recoveryBytes } = one;
    const found: string[] = [];
    if (recoveryBytes === undefined) found.push("the clue is lost");
    if (shape.mustShow && !visible) found.push("the clue must be in view");
    const saved = ((inBytes - outBytes) / inBytes) * 100;
    if (comparesRows && saved < shape.published.savedBytes - 0.05)
      found.push(`saves ${saved.toFixed(1)} % of the bytes`);
    return found.map((fault) => `${shape.name}: ${fault}`);
  });
  const costs = measured
    .map(({ recoveryBytes }) => recoveryBytes ?? Number.POSITIVE_INFINITY)
    .filter((cost) => cost > 0);
  const cost = median(costs);
  if (costs.length > 0 && cost > RECOVERY_MAX_BYTES) faults.push(`the median reveal takes ${cost} bytes`);
  return faults;
}

/** The middle one of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function describeClue({ visible, recoveryBytes }: Measured): string {
  if (visible) return "in view";
  return recoveryBytes === undefined ? "lost" : `one reveal, ${recoveryBytes} bytes`;
}

function sumOf(measured: readonly Measured[]) {
  const sum = (pick: (one: Measured) => number) => measured.reduce((total, one) => total + pick(one), 0);
  return {
    inBytes: sum(({ inBytes }) => inBytes),
    outBytes: sum(({ outBytes }) => outBytes),
    inTokens: sum(({ inTokens }) => inTokens),
    outTokens: sum(({ outTokens }) => outTokens),
  };
}
