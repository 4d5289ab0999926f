// SPDX-License-Identifier: Apache-2.0
import { isDigit, isLetter } from "./bytes.ts";

/** Lines that differ only beyond it count as one failure. */
const KEY_MAX_BYTES = 512;
/** Records of JSON have much in common before they differ. */
export const RECORD_KEY_MAX_BYTES = 65_536;
const HEX_MIN_DIGITS = 6;

/**
 * A number that is the same for lines that differ only in words with digits (counts, times, ids, addresses)
 * and long hexadecimal words.
 */
export function lineKey(text: Uint8Array, start: number, end: number, most = KEY_MAX_BYTES): number {
  const last = Math.min(end, start + most);
  let high = 0x811c9dc5;
  let low = 0x1000193;
  for (let i = start; i < last; ) {
    let to = i;
    let varies = false;
    let isHex = true;
    while (to < last && (isDigit(text[to]!) || isLetter(text[to]!))) {
      if (isDigit(text[to]!)) varies = true;
      else if ((text[to]! | 0x20) > 0x66) isHex = false;
      to++;
    }
    if (varies || (isHex && to - i >= HEX_MIN_DIGITS)) {
      high = Math.imul(high ^ 0x23, 0x01000193);
      low = Math.imul(low ^ 0x23, 0x5bd1e995);
      i = to;
      continue;
    }
    if (to === i) to++;
    for (; i < to; i++) {
      high = Math.imul(high ^ text[i]!, 0x01000193);
      low = Math.imul(low ^ text[i]!, 0x5bd1e995) ^ (low >>> 15);
    }
  }
  return (high >>> 0) * 0x200000 + ((low >>> 0) & 0x1fffff);
}
