// SPDX-License-Identifier: Apache-2.0

export const ESCAPE = 0x1b;

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function isUpper(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

export function isLower(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

export function isLetter(byte: number): boolean {
  return isLower(byte | 0x20);
}

/** Letters and digits of ASCII, `_` and `$`: what a name is made of. */
export function isWordByte(byte: number): boolean {
  return isLetter(byte) || isDigit(byte) || byte === 0x5f || byte === 0x24;
}

/** The bytes as a string of code units 0 to 255; for short pieces. */
export function textOf(text: Uint8Array, from: number, to: number): string {
  let out = "";
  for (let i = from; i < to; i++) out += String.fromCharCode(text[i]!);
  return out;
}

/** The first offset from `at` on that holds neither white space nor part of a colour sequence (`ESC [ … m`). */
export function skipBlank(text: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end) {
    if (text[i]! <= 0x20 && text[i] !== ESCAPE) i++;
    else if (text[i] === ESCAPE && text[i + 1] === 0x5b) {
      let to = i + 2;
      while (to < end && (isDigit(text[to]!) || text[to] === 0x3b || text[to] === 0x3a)) to++;
      if (to >= end || text[to] !== 0x6d) return i;
      i = to + 1;
    } else return i;
  }
  return end;
}

/** The same, backwards: the offset after the last byte before `at` that is neither. */
export function skipBlankBack(text: Uint8Array, start: number, at: number): number {
  let i = at;
  while (i > start) {
    if (text[i - 1]! <= 0x20 && text[i - 1] !== ESCAPE) i--;
    else if (text[i - 1] === 0x6d) {
      let from = i - 2;
      while (
        from >= start &&
        i - from < 20 &&
        (isDigit(text[from]!) || text[from] === 0x3b || text[from] === 0x3a)
      )
        from--;
      if (from <= start || text[from] !== 0x5b || text[from - 1] !== ESCAPE) return i;
      i = from - 1;
    } else return i;
  }
  return start;
}

/** True if an escape sequence (`ESC [ … m`) ends at `at`: its last letter is no part of a word. */
export function endsEscape(text: Uint8Array, start: number, at: number): boolean {
  if (!isLetter(text[at - 1]!)) return false;
  let i = at - 2;
  while (i >= start && at - i < 20 && (isDigit(text[i]!) || text[i] === 0x3b || text[i] === 0x3a)) i--;
  return i > start && text[i] === 0x5b && text[i - 1] === 0x1b;
}

/** The word of ASCII letters before `at`, white space between, in lower case. */
export function previousWord(text: Uint8Array, start: number, at: number): string {
  const end = skipBlankBack(text, start, at);
  let from = end;
  while (from > start && isLetter(text[from - 1]!) && end - from < 16) from--;
  return textOf(text, from, end).toLowerCase();
}

/** The first offset of `needle` (at least one byte) at or after `from`, or -1. Linear for needles whose first byte is rare. */
export function indexOfBytes(text: Uint8Array, needle: Uint8Array, from: number): number {
  for (let at = text.indexOf(needle[0]!, from); at >= 0; at = text.indexOf(needle[0]!, at + 1)) {
    if (startsWith(text, at, needle)) return at;
  }
  return -1;
}

/** True if `needle` stands at `at`. */
export function startsWith(text: Uint8Array, at: number, needle: Uint8Array): boolean {
  if (at + needle.length > text.length) return false;
  for (let i = 0; i < needle.length; i++) if (text[at + i] !== needle[i]) return false;
  return true;
}
