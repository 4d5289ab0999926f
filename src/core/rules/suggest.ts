// SPDX-License-Identifier: Apache-2.0

/** Longer words are no slip of the fingers, and the work grows with the length. */
const WORD_MAX = 40;

/** The candidate that `word` was probably meant to be, or undefined. */
export function suggest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  const plain = simplify(word);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const other = simplify(candidate);
    // max_bytes is no slip for min_bytes: it says the opposite.
    if (/^(max|min)/.test(plain) && /^(max|min)/.test(other) && plain.slice(0, 3) !== other.slice(0, 3))
      continue;
    const isLonger = other.length >= 4 && plain.startsWith(other);
    const distance = isLonger ? 1 : editDistance(plain, other);
    if (distance < least && distance <= Math.min(2, Math.floor(other.length / 3))) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** maxLines, max-lines and MAX_LINES are spellings of one word. */
function simplify(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** Letters to insert, remove, replace or swap with their neighbour to make one word of the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, beforeLast[j - 2]! + 1);
      }
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
