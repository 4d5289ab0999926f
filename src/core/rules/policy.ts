// SPDX-License-Identifier: Apache-2.0
// Rules as written → the one policy of a call, as resolved.

/** One rule as the file has it, checked; limits are positive whole numbers or absent. */
export interface Rule {
  readonly tool: string;
  readonly dropKeys: readonly string[];
  readonly maxItems?: number;
  readonly maxLines?: number;
  readonly keepLast?: number;
  readonly maxStr?: number;
  readonly minBytes?: number;
  readonly dedup: boolean;
  readonly compact: boolean;
  readonly spilled: "pass" | "excerpt";
  readonly pass: boolean;
  readonly why?: string;
}

/** What the matching rules add up to for one call; a limit of 0 is none. */
export interface Policy {
  /** Positions in the file of the rules that matched and reach this size, 0-based. */
  readonly rules: readonly number[];
  readonly dropKeys: readonly string[];
  readonly maxItems: number;
  readonly maxLines: number;
  /** Of N kept items or lines, how many go to the end; undefined: a quarter for lines, none for items. */
  readonly keepLast: number | undefined;
  readonly maxStr: number;
  readonly dedup: boolean;
  readonly compact: boolean;
  readonly spilled: "pass" | "excerpt";
}
