// SPDX-License-Identifier: Apache-2.0

const STEPS = ["KB", "MB", "GB", "TB"] as const;
// 1000-based, as disks and networks count; the scope line of `stats` says so.
const STEP = 1000;

/** A signed number of bytes for people: `512 B`, `51.2 KB`, `-1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (Math.abs(bytes) < STEP) return `${bytes} B`;
  let value = bytes;
  let unit = "";
  for (const step of STEPS) {
    value /= STEP;
    unit = step;
    // What would round up to the next step belongs to it.
    if (Math.abs(value) < STEP - 0.05) break;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** `part` of `whole` in percent; "-" where there is no whole. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return "-";
  // Adding 0 turns -0 into 0.
  return `${(Math.round((part / whole) * 1000) / 10 + 0).toFixed(1)}%`;
}

/** `count` with its noun; `nouns` only where it is not the noun with an s. */
export function formatCount(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
