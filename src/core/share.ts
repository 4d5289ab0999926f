// SPDX-License-Identifier: Apache-2.0
// A budget for a result of several texts: the small ones stay whole, the large ones come down to one size.
import type { Budget } from "./rules/budget.ts";

/** The size above which none of the texts may be, so that all together take at most `most`; Infinity if they do already. */
export function levelOf(sizes: readonly number[], most: number): number {
  const ascending = [...sizes].sort((a, b) => a - b);
  let left = most;
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** The budget brought down to `maxBytes`, its shares with it. */
export function scaleBudget(budget: Budget, maxBytes: number): Budget {
  const scale = Math.min(1, maxBytes / budget.maxBytes);
  const shrink = <Sizes extends { headBytes: number; tailBytes: number }>({
    headBytes,
    tailBytes,
  }: Sizes) => ({
    headBytes: Math.floor(headBytes * scale),
    tailBytes: Math.floor(tailBytes * scale),
  });
  return {
    maxBytes: Math.min(maxBytes, budget.maxBytes),
    ...shrink(budget),
    ...(budget.trace && { trace: shrink(budget.trace) }),
  };
}
