// SPDX-License-Identifier: Apache-2.0
// What the stages of a text's treatment know of each line: one byte a line, these bits.

/** The line is shown; without it, it lies in a hole. */
export const KEPT = 1;
/** Equal to the line before and, if shown, told by the repeat marker that stands for the whole group. */
export const REPEATED = 2;
/** Part of a diff or patch: always shown, never touched. */
export const FIXED = 4;
/** Tells of a failure. */
export const FAILING = 8;
/** Holds a marker that cites a stored original. */
export const CITING = 16;
