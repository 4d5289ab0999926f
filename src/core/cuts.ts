// SPDX-License-Identifier: Apache-2.0

/** How often each kind of cut was made; left out where none. All count units of the original. */
export interface Cuts {
  keys?: number;
  items?: number;
  lines?: number;
  /** Strings and single lines that lost their middle. */
  strings?: number;
  /** Lines that a repeat marker stands for. */
  runs?: number;
  /** Bytes of insignificant white space. */
  space?: number;
  /** Bytes of escape sequences. */
  ansi?: number;
  /** Bytes that a terminal would have written over, with what sets the cursor back. */
  cr?: number;
  /** Regions said to be identical to an earlier one. */
  seen?: number;
}

/** What `max_bytes` leaves whole although it is larger: lines of a diff, a JSON document without long strings. */
export type Kept = (typeof KEPT_KINDS)[number];

export const KEPT_KINDS = ["diff", "json"] as const;

export const CUT_KINDS = [
  "keys",
  "items",
  "lines",
  "strings",
  "runs",
  "space",
  "ansi",
  "cr",
  "seen",
] as const satisfies readonly (keyof Cuts)[];

/** Adds `more` to `cuts`. */
export function addCuts(cuts: Cuts, more: Readonly<Cuts>): void {
  for (const kind of CUT_KINDS) {
    const count = (cuts[kind] ?? 0) + (more[kind] ?? 0);
    if (count > 0) cuts[kind] = count;
  }
}
