// SPDX-License-Identifier: Apache-2.0

/** The lines of a text. A line ends with `\n`, which belongs to it, as does a `\r` before it; the last may have no end. */
export interface Lines {
  readonly text: Uint8Array;
  readonly count: number;
  /** Offset of each line; `starts[count]` is the text's length. */
  readonly starts: Int32Array;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Up to here native searches win over a loop that is not compiled yet. */
const COLD_BYTES = 65_536;

/** How many lines the text has; an empty one has none. */
export function countLines(text: Uint8Array): number {
  let count = 0;
  if (text.length <= COLD_BYTES) {
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) count++;
  } else {
    for (let i = 0; i < text.length; i++) if (text[i] === NEWLINE) count++;
  }
  return text.length > 0 && text[text.length - 1] !== NEWLINE ? count + 1 : count;
}

/** Where the text's lines stand; `count` is `countLines(text)`. */
export function splitLines(text: Uint8Array, count = countLines(text)): Lines {
  const starts = new Int32Array(count + 1);
  let line = 1;
  if (text.length <= COLD_BYTES) {
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) starts[line++] = at + 1;
  } else {
    for (let i = 0; i < text.length; i++) if (text[i] === NEWLINE) starts[line++] = i + 1;
  }
  starts[count] = text.length;
  return { text, count, starts };
}

/** The offset after the last byte of `line` that is not part of its line end. */
export function contentEnd({ text, starts }: Lines, line: number): number {
  return trimLineEnd(text, starts[line]!, starts[line + 1]!);
}

/** `end`, or the offset before the line end that stands between `start` and `end`. */
export function trimLineEnd(text: Uint8Array, start: number, end: number): number {
  if (end === start || text[end - 1] !== NEWLINE) return end;
  return end - 1 > start && text[end - 2] === RETURN ? end - 2 : end - 1;
}
