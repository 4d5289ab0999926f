// SPDX-License-Identifier: Apache-2.0
import type { CutMarker } from "../marker.ts";
import { markerBytes } from "../marker.ts";
import type { Splice } from "../splice.ts";
import { countFailing } from "./failing.ts";
import { type Lines, trimLineEnd } from "./lines.ts";
import { FIXED } from "./marks.ts";

/**
 * For hosts that forbid holes in the middle: the lines after the first `limit`, but for a diff among them, as
 * one hole at the end. `countsFailing`: the marker says how many of them fail. Undefined where that saves nothing.
 */
export function cutTail(
  { text, starts, count }: Lines,
  marks: Uint8Array,
  limit: number,
  countsFailing: boolean,
  field: string | undefined,
): { splice: Splice; lines: number } | undefined {
  let from = count;
  while (from > limit && (marks[from - 1]! & FIXED) === 0) from--;
  if (from === count) return undefined;
  const start = starts[from]!;
  const end = trimLineEnd(text, starts[count - 1]!, text.length);
  const hidden = count - from;
  const failing = countsFailing ? countFailing({ text, starts, count }, from, count) : 0;
  const marker: CutMarker = {
    kind: "cut",
    unit: "lines",
    count: hidden,
    total: count,
    ...(failing > 0 && { failing }),
    from: from + 1,
    to: count,
    ...(field !== undefined && { field }),
  };
  if (end - start <= markerBytes(marker)) return undefined;
  return { splice: { start, end, insert: [marker] }, lines: hidden };
}
