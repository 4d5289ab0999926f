// SPDX-License-Identifier: Apache-2.0
import type { TextLimits } from "../text/text.ts";

/** The size that large strings come down to, in bytes of the document, and the share of it that goes to the end. */
export interface Elision {
  readonly leafBytes: number;
  readonly tailShare: number;
}

/** The stricter of the rule's limit and the budget's; `scale`: decoded bytes for one of the document. */
export function elideLimits(limits: TextLimits, elide: Elision | undefined, scale: number): TextLimits {
  if (elide === undefined) return limits;
  const maxStr = Math.max(1, Math.floor(elide.leafBytes * scale));
  if (limits.maxStr > 0 && limits.maxStr <= maxStr) return limits;
  return { ...limits, maxStr, maxStrTail: Math.floor(maxStr * elide.tailShare) };
}
