// SPDX-License-Identifier: Apache-2.0
import { utf8Length } from "../core/utf8.ts";

/**
 * The customary figure, and a careful one. Counted with o200k_base, 43 kinds of tool output have 3.3 bytes a token
 * in the median: 1.5 (base64), 2 to 3 (CSV, logs), 3.5 (code), 4 (tables, HTML), 5 and more (repetitive JSON).
 * Chinese and Japanese text has 3.9 to 4.7, where a count of characters would be far off. Other tokenizers differ.
 */
const BYTES_PER_TOKEN = 4;

/** Tokens, roughly, of a number of UTF-8 bytes (signed: of a saving) or of a text. The only estimator there is. */
export function estimateTokens(content: number | string): number {
  const bytes = typeof content === "string" ? utf8Length(content) : content;
  // Adding 0 turns -0 into 0.
  return Math.round(bytes / BYTES_PER_TOKEN) + 0;
}
