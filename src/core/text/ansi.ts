// SPDX-License-Identifier: Apache-2.0
// Escape sequences of a terminal (ECMA-48 and what xterm adds), found in one line. What is no sequence, or one whose
// end is not there to be seen, is not one: text that a terminal may have shown must never go with it.
import { ESCAPE, isDigit, isLetter } from "./bytes.ts";

/**
 * - `style`: colours and the like (SGR), also where it was broken off.
 * - `move`: sets the cursor; `erase`: takes what is shown; `title`: a control string (title, link, image).
 * - `other`: modes, character sets.
 */
export type EscapeKind = "style" | "move" | "erase" | "title" | "other";

export interface Escape {
  /** The offset after it. */
  readonly end: number;
  readonly kind: EscapeKind;
  /** The last byte of a control sequence (`ESC [ 2 K`: that of K); 0 for others, and where it is broken off. */
  readonly final: number;
  /** Its first number; -1 if it has none. */
  readonly first: number;
  /** It has more than that number: other numbers, a private mark. */
  readonly hasMore: boolean;
}

const BELL = 0x07;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
/** The second byte of a control sequence's one-character form, U+009B, in UTF-8; the first is 0xC2. */
const C1_LEAD = 0xc2;
const C1_SEQUENCE = 0x9b;
/** A control string that the text's end cuts off is not longer: links and titles. */
const OPEN_STRING_MAX_BYTES = 256;

const MOVES = setOf("ABCDEFGHIZ`adefjku");
const ERASES = setOf("JKXP@LM");
/** ESC and one of these: save and restore the cursor, keypad modes, reset, tab stops, shifts, a string's end. */
const SHORT = setOf("6789=><cDEHMZ\\lmno|}~");
const SHORT_MOVES = setOf("678DEM");

function setOf(text: string): ReadonlySet<number> {
  return new Set(Array.from(text, (c) => c.charCodeAt(0)));
}

/** True if an escape sequence may start at `at`: cheap, and no more than that. */
export function mayEscape(text: Uint8Array, at: number): boolean {
  return text[at] === ESCAPE || (text[at] === C1_LEAD && text[at + 1] === C1_SEQUENCE);
}

/**
 * The escape sequence that starts at `at` in a line whose content ends at `end`, or undefined. Sequences do not go
 * beyond their line, and not beyond a control character.
 */
export function escapeAt(text: Uint8Array, at: number, end: number): Escape | undefined {
  if (text[at] === C1_LEAD) return shortSequence(text, at, end);
  if (text[at] !== ESCAPE) return undefined;
  if (at + 1 >= end) return plain(end, "other");
  const next = text[at + 1]!;
  if (next === LEFT_BRACKET) return sequence(text, at + 2, end);
  // ] OSC, P DCS, X SOS, ^ PM, _ APC
  if (next === 0x5d || next === 0x50 || next === 0x58 || next === 0x5e || next === 0x5f) {
    return controlString(text, at, end);
  }
  // A second ESC takes the place of the first.
  if (next === ESCAPE) return plain(at + 1, "other");
  if (next >= 0x20 && next <= 0x2f) return charset(text, at + 1, end);
  if (!SHORT.has(next)) return undefined;
  return plain(at + 2, SHORT_MOVES.has(next) ? "move" : "other");
}

function plain(end: number, kind: EscapeKind): Escape {
  return { end, kind, final: 0, first: -1, hasMore: false };
}

/** Parameters, intermediates and a final byte; broken off before a byte that is none of them. */
function sequence(text: Uint8Array, from: number, end: number): Escape {
  let at = from;
  let first = -1;
  while (at < end && isDigit(text[at]!)) {
    first = Math.min(Math.max(first, 0) * 10 + text[at]! - 0x30, 0xffffff);
    at++;
  }
  const numberEnd = at;
  while (at < end && text[at]! >= 0x30 && text[at]! <= 0x3f) at++;
  while (at < end && text[at]! >= 0x20 && text[at]! <= 0x2f) at++;
  const hasMore = at > numberEnd;
  const final = at < end ? text[at]! : 0;
  if (final < 0x40 || final > 0x7e) return { end: at, kind: "style", final: 0, first, hasMore };
  const isPrivate = hasMore && !isDigit(text[from]!) && text[from] !== 0x3b && text[from] !== 0x3a;
  const kind =
    final === 0x6d
      ? "style"
      : MOVES.has(final) && !isPrivate
        ? "move"
        : ERASES.has(final)
          ? "erase"
          : "other";
  return { end: at + 1, kind, final, first, hasMore };
}

/**
 * The one-character form of `ESC [`. In text that was decoded wrongly U+009B stands for other characters: only a
 * whole sequence counts, and none after a character beyond ASCII.
 */
function shortSequence(text: Uint8Array, at: number, end: number): Escape | undefined {
  if (text[at + 1] !== C1_SEQUENCE || (at > 0 && text[at - 1]! >= 0x80)) return undefined;
  const found = sequence(text, at + 2, end);
  if (found.final === 0) return undefined;
  return found.first >= 0 || found.hasMore || found.kind === "style" || found.kind === "erase"
    ? found
    : undefined;
}

/** A control string goes on to BEL or `ESC \`; another escape ends it too. */
function controlString(text: Uint8Array, at: number, end: number): Escape | undefined {
  let to = at + 2;
  while (to < end && text[to]! >= 0x20) to++;
  if (to < end && text[to] === BELL) return plain(to + 1, "title");
  if (to < end && text[to] === ESCAPE) return plain(text[to + 1] === BACKSLASH ? to + 2 : to, "title");
  return to === text.length && to - at <= OPEN_STRING_MAX_BYTES ? plain(to, "title") : undefined;
}

/** Character sets and the like: `ESC ( B`, `ESC # 8`, `ESC % G`. */
function charset(text: Uint8Array, at: number, end: number): Escape | undefined {
  // `ESC (`, ) * + - . /, and after them one more of the kind.
  let to = at + 1;
  if (text[at]! >= 0x28 && to < end && text[to]! >= 0x20 && text[to]! <= 0x2f) to++;
  const final = to < end ? text[to]! : 0;
  if (to === end) return plain(end, "other");
  if (text[at] === 0x23) return isDigit(final) ? plain(to + 1, "other") : undefined;
  if (text[at] === 0x25)
    return final === 0x40 || final === 0x47 || final === 0x38 ? plain(to + 1, "other") : undefined;
  if (text[at]! < 0x28) return undefined;
  return isDigit(final) || isLetter(final) ? plain(to + 1, "other") : undefined;
}
