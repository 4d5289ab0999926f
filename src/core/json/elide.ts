// SPDX-License-Identifier: Apache-2.0
// max_bytes for a document: it is never sliced and never reshaped. The largest strings in it lose their middle, down
// to one size for all of them, until the document fits; if that does not do, it stays as the other limits left it.
import type { Budget } from "../rules/budget.ts";
import type { Policy } from "../rules/policy.ts";
import { insertBytes, type Splice, splicedLength } from "../splice.ts";
import type { Elision } from "./elision.ts";
import { type JsonContext, type Pruned, pruneJson } from "./prune.ts";
import { type JsonIndex, STRING } from "./scan.ts";

/** Smaller strings are not elided: a marker with a pointer takes as much. */
const LEAF_MIN_BYTES = 512;
/** A marker in a string, with a pointer to it, about. */
const MARKER_BYTES = 130;
/** Strings without a pointer, and failures that stay in view, take more than was reckoned: then the others have less. */
const TRIES_MAX = 5;

/**
 * `first` (the other limits' edits) with the strings elided that must be, none to less than `leastBytes`, or
 * undefined: it does not fit.
 */
export function fitDocument(
  index: JsonIndex,
  policy: Policy,
  context: JsonContext,
  budget: Budget,
  first: Pruned,
  leastBytes = LEAF_MIN_BYTES,
): Pruned | undefined {
  const length = splicedLength(index.bytes.length, first.splices);
  if (length <= budget.maxBytes) return first;
  let leafBytes = sizeOfLeaves(index, first.splices, length - budget.maxBytes, budget, leastBytes);
  for (let tries = 0; tries < TRIES_MAX && leafBytes > 0; tries++) {
    leafBytes = Math.max(leafBytes, leastBytes);
    const pruned = pruneJson(index, policy, { ...context, elide: elisionOf(leafBytes, budget) });
    const over = splicedLength(index.bytes.length, pruned.splices) - budget.maxBytes;
    if (over <= 0) return pruned;
    if (leafBytes === leastBytes) break;
    leafBytes -= Math.ceil(over / Math.max(1, pruned.cuts.strings ?? 0)) + MARKER_BYTES;
    if (tries === TRIES_MAX - 2 || leafBytes < leastBytes) leafBytes = leastBytes;
  }
  return undefined;
}

function elisionOf(leafBytes: number, { headBytes, tailBytes }: Budget): Elision {
  return { leafBytes, tailShare: tailBytes / Math.max(1, headBytes + tailBytes) };
}

/** The size to which the largest strings must come down so that `excess` bytes go; at most head and tail together. */
function sizeOfLeaves(
  index: JsonIndex,
  splices: readonly Splice[],
  excess: number,
  { headBytes, tailBytes }: Budget,
  leastBytes: number,
): number {
  const sizes = leafSizes(index, splices, leastBytes).sort((a, b) => b - a);
  const most = Math.max(leastBytes, headBytes + tailBytes - MARKER_BYTES);
  let sum = 0;
  for (let i = 0; i < sizes.length; i++) {
    sum += sizes[i]!;
    // With the largest i + 1 strings at one size, the document fits.
    const size = Math.floor((sum - excess) / (i + 1)) - MARKER_BYTES;
    if (size >= (sizes[i + 1] ?? 0)) return Math.min(Math.max(size, leastBytes), most);
  }
  return 0;
}

/** What the strings that could be elided take once `splices` are applied; values only. */
function leafSizes(index: JsonIndex, splices: readonly Splice[], leastBytes: number): number[] {
  const sizes: number[] = [];
  let next = 0;
  for (let node = 0; node < index.count; node++) {
    if (index.kind[node] !== STRING) continue;
    const [start, end] = [index.start[node]!, index.end[node]!];
    if (end - start < leastBytes) continue;
    while (next < splices.length && splices[next]!.end <= start) next++;
    let size = end - start;
    for (let at = next; at < splices.length && splices[at]!.start < end; at++) {
      const { start: from, end: to, insert } = splices[at]!;
      size -= Math.min(to, end) - Math.max(from, start);
      for (const part of insert) size += insertBytes(part);
    }
    if (size >= leastBytes) sizes.push(size);
  }
  return sizes;
}
