// SPDX-License-Identifier: Apache-2.0
import type { Lines } from "./lines.ts";

/** Sets FIXED on the lines of diffs and patches. */
export function markDiffs(_lines: Lines, _marks: Uint8Array): void {}
