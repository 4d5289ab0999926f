// SPDX-License-Identifier: Apache-2.0
// A user's regular expression over the lines of a text, ended by the clock: it runs in a context of its own, which
// the runtime stops.

import type { FindHit } from "../core/recover/matches.ts";
import { decodeUtf8, utf8Length } from "../core/utf8.ts";

/** For all lines together. */
const REGEX_MAX_MS = 200;

/**
 * Runs in the other context. Of a short line the first hit; of a long one all that are further apart than a window
 * reaches (a UTF-16 unit has at most three bytes). Pairs of offsets in `text`; line ends are no part of a line.
 */
const SCRIPT = `((text, pattern, longUnits, stepUnits) => {
  const expression = new RegExp(pattern, "g");
  const hits = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\\n", start);
    const next = newline < 0 ? text.length : newline + 1;
    let end = newline < 0 ? text.length : newline;
    if (newline > start && text.charCodeAt(end - 1) === 13) end--;
    const line = text.slice(start, end);
    expression.lastIndex = 0;
    for (let hit = expression.exec(line); hit !== null; hit = expression.exec(line)) {
      hits.push(start + hit.index, start + hit.index + hit[0].length);
      if (next - start <= longUnits) break;
      expression.lastIndex = hit.index + hit[0].length + stepUnits;
    }
    start = next;
  }
  return hits;
})(text, pattern, longUnits, stepUnits)`;

export type RegexHits = { readonly find: FindHit } | { readonly problem: string };

/**
 * The hits of `pattern` in bytes `from` to `to` of the text, which are whole lines. In a line of more than `longBytes`
 * a hit need not be told that starts within `reachBytes` after another's end.
 */
export function findByRegex(
  text: Uint8Array,
  pattern: string,
  { from, to }: { readonly from: number; readonly to: number },
  longBytes: number,
  reachBytes: number,
): RegexHits {
  const part = text.subarray(from, to);
  // Bytes that are no UTF-8 are matched one by one.
  const decoded =
    decodeUtf8(part) ?? Buffer.from(part.buffer, part.byteOffset, part.length).toString("latin1");
  const hits = run(pattern, decoded, Math.floor(longBytes / 3), Math.max(1, Math.floor(reachBytes / 3) - 2));
  if ("problem" in hits) return hits;
  const offsets = decoded.length === part.length ? hits.offsets : toBytes(decoded, hits.offsets);
  let next = 0;
  return {
    find(at) {
      while (next < offsets.length && offsets[next]! + from < at) next += 2;
      if (next >= offsets.length) return undefined;
      return { start: offsets[next]! + from, end: offsets[next + 1]! + from };
    },
  };
}

function run(
  pattern: string,
  text: string,
  longUnits: number,
  stepUnits: number,
): { readonly offsets: readonly number[] } | { readonly problem: string } {
  const vm = process.getBuiltinModule("node:vm");
  try {
    const context = vm.createContext({ __proto__: null, pattern, text, longUnits, stepUnits });
    return { offsets: vm.runInContext(SCRIPT, context, { timeout: REGEX_MAX_MS }) };
  } catch (error) {
    return { problem: explain(error) };
  }
}

// Errors of the other context are no instances of this one's classes.
function explain(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
    return `the regular expression was ended after ${REGEX_MAX_MS} ms`;
  }
  const words =
    typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
  return `the regular expression cannot be used (${words})`;
}

/** UTF-16 offsets, in order, as byte offsets; the start of the character where one lies inside a pair. */
function toBytes(text: string, offsets: readonly number[]): number[] {
  let unit = 0;
  let byte = 0;
  return offsets.map((offset) => {
    const isInside = isHalf(text, offset - 1, 0xd800) && isHalf(text, offset, 0xdc00);
    const at = isInside ? offset - 1 : offset;
    byte += utf8Length(text.slice(unit, at));
    unit = at;
    return byte;
  });
}

function isHalf(text: string, at: number, first: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === first;
}
