// SPDX-License-Identifier: Apache-2.0
// The cheap look before a document is scanned at all.
import type { Policy } from "../rules/policy.ts";
import { mayClean } from "../text/clean.ts";

/** Bytes of the shortest marker of a cut: a hole must be larger. */
export const MARKER_MIN_BYTES = 75;
/** Bytes of the shortest repeat marker. */
const REPEAT_MIN_BYTES = 45;
const COMMA = 0x2c;

/** What must stand in the bytes for a pattern to match a key; undefined: cannot be told. */
const needles = new WeakMap<readonly string[], readonly (string | undefined)[]>();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * False if no rule of the policy can change the JSON in `bytes`: it is below every limit, and none of the keys to
 * drop occurs in it. True says nothing.
 */
export function canPrune(bytes: Uint8Array, policy: Policy): boolean {
  const { maxItems, maxLines, maxStr, dedup, compact, dropKeys } = policy;
  if (compact || mayClean(bytes, policy, true)) return true;
  const room = bytes.length - MARKER_MIN_BYTES;
  if (maxStr > 0 && room > maxStr) return true;
  if (dropKeys.length === 0 && !(maxItems > 0 && room > 2 * maxItems)) {
    const lines = maxLines > 0 && room > 2 * maxLines;
    return (lines || (dedup && bytes.length > REPEAT_MIN_BYTES)) && bytes.includes(0x5c);
  }
  // On the bytes, before a large text is decoded.
  if (maxItems > 0 && room > 2 * maxItems && hasMoreCommas(bytes, maxItems)) return true;
  const text = decoder.decode(bytes);
  const escapes = text.includes("\\");
  if (escapes && maxLines > 0 && room > 2 * maxLines) return true;
  if (escapes && dedup && bytes.length > REPEAT_MIN_BYTES) return true;
  return dropKeys.length > 0 && mayHoldKey(text, dropKeys, escapes);
}

/** True if there are at least `times` commas. */
function hasMoreCommas(bytes: Uint8Array, times: number): boolean {
  let at = -1;
  for (let left = times; left > 0; left--) {
    at = bytes.indexOf(COMMA, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function mayHoldKey(text: string, dropKeys: readonly string[], escapes: boolean): boolean {
  // A key may be spelled with escapes.
  if (escapes && text.includes("\\u")) return true;
  let parts = needles.get(dropKeys);
  if (parts === undefined) {
    parts = dropKeys.map(needleOf);
    needles.set(dropKeys, parts);
  }
  return parts.some(
    (part) => part === undefined || text.includes(part) || (escapes && /["/\\\p{Cc}]/u.test(part)),
  );
}

/** The longest literal piece of a glob; undefined if it has none, or has sets, alternatives or escapes. */
function needleOf(pattern: string): string | undefined {
  if (/[[\]{}\\]/.test(pattern)) return undefined;
  const longest = pattern.split(/[*?]/).reduce((most, piece) => (piece.length > most.length ? piece : most));
  return longest === "" ? undefined : longest;
}
