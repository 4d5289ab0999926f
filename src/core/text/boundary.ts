// SPDX-License-Identifier: Apache-2.0
// Where a text may be cut: not inside a character that is valid UTF-8 (or WTF-8), not between a letter and
// its combining marks or the parts of a joined emoji, not inside an escape sequence. Bytes that are no UTF-8
// can be cut anywhere.
import { ESCAPE } from "./bytes.ts";

const BELL = 0x07;
/** A control string without an end is one only where it could still be going on: near the end of its line. */
const OPEN_STRING_MAX_BYTES = 256;
/** Joined emoji and flags are shorter; beyond it a cut falls between characters. */
const CLUSTER_MAX_CHARS = 32;

/** The last offset from `from` to `at` where a line's bytes `from` to `end` may be cut. */
export function cutBefore(text: Uint8Array, from: number, at: number, end: number): number {
  let cut = at;
  for (let moved = true; moved && cut > from; ) {
    const before = cut;
    cut = clusterStart(text, from, cut, end);
    cut = escapeBounds(text, from, cut, end)?.start ?? cut;
    moved = cut !== before;
  }
  return cut;
}

/** The first offset from `at` to `end` where a line's bytes `from` to `end` may be cut. */
export function cutAfter(text: Uint8Array, from: number, at: number, end: number): number {
  let cut = at;
  for (let moved = true; moved && cut < end; ) {
    const before = cut;
    cut = escapeBounds(text, from, cut, end)?.end ?? cut;
    for (
      let chars = 0;
      cut < end && chars < CLUSTER_MAX_CHARS && clusterStart(text, from, cut, end) < cut;
      chars++
    ) {
      cut = charEnd(text, from, cut, end);
    }
    moved = cut !== before;
  }
  return cut;
}

/** Start of the character that `at` lies in, `at` itself on a boundary. */
export function charStart(text: Uint8Array, from: number, at: number, end: number): number {
  if (at >= end || (text[at]! & 0xc0) !== 0x80) return at;
  for (let start = at - 1; start >= from && start >= at - 3; start--) {
    const lead = text[start]!;
    if ((lead & 0xc0) === 0x80) continue;
    const length = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;
    if (lead >= 0xf8 || start + length <= at || start + length > end) return at;
    for (let i = start + 1; i < start + length; i++) if ((text[i]! & 0xc0) !== 0x80) return at;
    return start;
  }
  return at;
}

/** The end of the character that starts at `at`. */
export function charEnd(text: Uint8Array, from: number, at: number, end: number): number {
  let to = at + 1;
  while (to < end && charStart(text, from, to, end) !== to) to++;
  return to;
}

/** The start of the cluster that `at` lies in; the character's start where the cluster is too long. */
function clusterStart(text: Uint8Array, from: number, at: number, end: number): number {
  const char = charStart(text, from, at, end);
  let start = char;
  for (let chars = 0; chars < CLUSTER_MAX_CHARS; chars++) {
    if (start <= from || start >= end) return start;
    const previous = charStart(text, from, start - 1, end);
    if (!joins(text, from, previous, start, end)) return start;
    start = previous;
  }
  return char;
}

function isLineEndPair(text: Uint8Array, from: number, at: number, end: number): boolean {
  return at > from && at < end && text[at] === 0x0a && text[at - 1] === 0x0d;
}

/** True if the character at `at` belongs to the one before it, at `previous`. */
function joins(text: Uint8Array, from: number, previous: number, at: number, end: number): boolean {
  if (text[at]! < 0x80) return isLineEndPair(text, from, at, end);
  const code = codeAt(text, at, end);
  const before = codeAt(text, previous, end);
  if (before === 0x200d || code === 0x200d) return true;
  if (code >= 0x1f3fb && code <= 0x1f3ff) return true;
  if (code >= 0xdc00 && code < 0xe000 && before >= 0xd800 && before < 0xdc00) return true;
  if (isRegional(code)) return isRegional(before) && isSecondOfFlag(text, from, previous, end);
  return code >= 0x300 && code <= 0x10ffff && MARK.test(String.fromCodePoint(code));
}

const MARK = /^[\p{M}\u{e0020}-\u{e007f}]/u;

function isRegional(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

/** A flag is two regional letters; the one at `previous` is the first of its pair if an even number stands before it. */
function isSecondOfFlag(text: Uint8Array, from: number, previous: number, end: number): boolean {
  let before = 0;
  for (let at = previous; before < CLUSTER_MAX_CHARS; before++) {
    const start = at - 4;
    if (start < from || !isRegional(codeAt(text, start, end))) break;
    at = start;
  }
  return before % 2 === 0;
}

/** The code point at a character's start; a byte that starts none is below 256. */
function codeAt(text: Uint8Array, at: number, end: number): number {
  const lead = text[at]!;
  if (lead < 0xc2 || lead >= 0xf8 || at + 1 >= end) return lead;
  const second = text[at + 1]! & 0x3f;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second;
  if (at + 2 >= end) return lead;
  const third = text[at + 2]! & 0x3f;
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third;
  return at + 3 < end ? ((lead & 0x07) << 18) | (second << 12) | (third << 6) | (text[at + 3]! & 0x3f) : lead;
}

/** Start and end of the escape sequence that `at` lies strictly inside, or undefined. */
function escapeBounds(
  text: Uint8Array,
  from: number,
  at: number,
  end: number,
): { start: number; end: number } | undefined {
  if (at <= from || at >= end) return undefined;
  const last = lastEscape(text, from, at);
  if (last < 0) return undefined;
  const close = escapeEnd(text, last, end);
  if (close <= at) return undefined;
  if (text[last + 1] === 0x5c) {
    // ESC \ ends a control string, which may be longer than it.
    const opening = lastEscape(text, from, last);
    if (opening >= 0 && escapeEnd(text, opening, end) === close) return { start: opening, end: close };
  }
  return { start: last, end: close };
}

function lastEscape(text: Uint8Array, from: number, before: number): number {
  const at = text.subarray(from, before).lastIndexOf(ESCAPE);
  return at < 0 ? -1 : from + at;
}

/** The offset after the escape sequence that starts at `at`: control sequence, control string, or a short one. */
function escapeEnd(text: Uint8Array, at: number, end: number): number {
  const kind = at + 1 < end ? text[at + 1]! : 0;
  let to = at + 2;
  if (kind === 0x5b) {
    while (to < end && text[to]! >= 0x20 && text[to]! <= 0x3f) to++;
    return to < end && text[to]! >= 0x40 && text[to]! <= 0x7e ? to + 1 : to;
  }
  // ] OSC, P DCS, X SOS, ^ PM, _ APC: until BEL or ESC \
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) {
    while (to < end && text[to] !== BELL && text[to] !== ESCAPE) to++;
    if (to < end) return text[to] === BELL ? to + 1 : text[to + 1] === 0x5c ? to + 2 : to;
    return to - at <= OPEN_STRING_MAX_BYTES ? to : at + 2;
  }
  // Character sets and the like: ESC, intermediates, one final byte.
  to = at + 1;
  while (to < end && text[to]! >= 0x20 && text[to]! <= 0x2f) to++;
  return to < end && text[to]! >= 0x30 && text[to]! <= 0x7e ? to + 1 : to;
}
