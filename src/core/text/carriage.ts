// SPDX-License-Identifier: Apache-2.0
// What a terminal of any width shows of a line after carriage returns, backspaces and the cursor movements that
// progress bars make. Exact, or not at all: a line with a tab, a movement to another line or a character of unknown
// width stays, as does one whose failures would go with what is written over.
import { escapeAt, mayEscape } from "./ansi.ts";
import { ESCAPE } from "./bytes.ts";
import { lineKey } from "./cluster.ts";
import { isFailingLine } from "./failing.ts";

/** What becomes of a line: these bytes of it stay, and no others. */
export interface Screen {
  /** Start and end of each piece that stays; a terminal shows them in this order, and so does the line. */
  readonly pieces: readonly (readonly [start: number, end: number])[];
  /** Spaces at the end, left of what was written over, are in no piece: they show only where they have a colour. */
  readonly isTrimmed: boolean;
}

const BELL = 0x07;
const BACKSPACE = 0x08;
const RETURN = 0x0d;
const SPACE = 0x20;
/** A cell that shows the second half of the wide character before it. */
const SECOND_HALF = -1;
/** No terminal is wider; what is written there was not meant for one. */
const COLUMNS_MAX = 65_536;

/** True if something in the line sets the cursor back. Cheap. */
export function mayOverwrite(text: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const c = text[i]!;
    if (c === RETURN || c === BACKSPACE) return true;
    if (!mayEscape(text, i)) continue;
    const found = escapeAt(text, i, to);
    // CSI G, CSI D
    if (found?.kind === "move" && (found.final === 0x47 || found.final === 0x44)) return true;
  }
  return false;
}

/**
 * What a terminal shows of the line `from` to `to` (without its line end), or undefined where that is not known for
 * certain, where a failure would vanish, or where bytes would change places (C4). Escape sequences that show nothing
 * are in no piece.
 */
export function collapseLine(text: Uint8Array, from: number, to: number): Screen | undefined {
  const screen = readScreen(text, from, to);
  if (screen === undefined || hidesFailure(text, from, to, screen)) return undefined;
  return screen;
}

function readScreen(text: Uint8Array, from: number, to: number): Screen | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  let column = 0;
  for (let i = from; i < to; ) {
    const c = text[i]!;
    if (mayEscape(text, i)) {
      const found = escapeAt(text, i, to);
      if (found === undefined) {
        if (c === ESCAPE) return undefined;
      } else {
        const next = moveColumn(found, column, starts);
        if (next === undefined) return undefined;
        column = next;
        i = found.end;
        continue;
      }
    }
    if (c === RETURN) column = 0;
    else if (c === BACKSPACE) column = Math.max(0, column - 1);
    else if (c < 0x20 || c === 0x7f) {
      if (c !== BELL) return undefined;
    } else {
      const end = characterEnd(text, i, to);
      const width = end === undefined ? undefined : widthOf(text, i, end);
      if (end === undefined || width === undefined) return undefined;
      // Past what is written there would be a gap, which no byte of the line stands for.
      if (column > starts.length || column >= COLUMNS_MAX) return undefined;
      if (width === 0) {
        // A mark belongs to the character that was written before it, and only there.
        if (column === 0 || ends[column - 1] !== i) return undefined;
        ends[column - 1] = end;
      } else {
        starts[column] = i;
        ends[column++] = end;
        if (width === 2) {
          starts[column] = SECOND_HALF;
          ends[column++] = end;
        }
      }
      i = end;
      continue;
    }
    i++;
  }
  return toScreen(text, starts, ends);
}

/** The column after the sequence, undefined where that is another line's or unknown. Takes erased cells away. */
function moveColumn(
  { kind, final, first, hasMore }: NonNullable<ReturnType<typeof escapeAt>>,
  column: number,
  cells: number[],
): number | undefined {
  if (kind === "style" || kind === "title" || kind === "other") return column;
  if (hasMore) return undefined;
  const count = Math.max(1, first);
  switch (final) {
    case 0x43:
      return column + count;
    case 0x44:
      return Math.max(0, column - count);
    case 0x47:
      return count - 1;
    case 0x4a:
    case 0x4b:
      // From the cursor on, or the whole line.
      if (first === 1 || first > 2 || (final === 0x4a && first === 2)) return undefined;
      cells.length = first === 2 ? 0 : Math.min(cells.length, column);
      return column;
    default:
      return undefined;
  }
}

function toScreen(text: Uint8Array, starts: readonly number[], ends: readonly number[]): Screen | undefined {
  const pieces: [number, number][] = [];
  for (let column = 0; column < starts.length; column++) {
    const start = starts[column]!;
    // Half of a wide character was written over.
    if (start === SECOND_HALF) {
      if (column === 0 || ends[column] !== ends[column - 1] || starts[column - 1] === SECOND_HALF)
        return undefined;
      continue;
    }
    const end = ends[column]!;
    if (isWide(text, start, end) && starts[column + 1] !== SECOND_HALF) return undefined;
    const last = pieces.at(-1);
    if (last !== undefined && last[1] === start) last[1] = end;
    else {
      pieces.push([start, end]);
    }
  }
  return putInOrder(text, pieces);
}

/** Takes the spaces at the end away that would change places; undefined where other bytes would. */
function putInOrder(text: Uint8Array, pieces: [number, number][]): Screen | undefined {
  let ordered = 1;
  while (ordered < pieces.length && pieces[ordered]![0] >= pieces[ordered - 1]![1]) ordered++;
  const isTrimmed = ordered < pieces.length;
  for (const [start, end] of pieces.splice(ordered)) {
    for (let i = start; i < end; i++) if (text[i] !== SPACE) return undefined;
  }
  return { pieces, isTrimmed };
}

function characterEnd(text: Uint8Array, at: number, end: number): number | undefined {
  const lead = text[at]!;
  if (lead < 0x80) return at + 1;
  const length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length === 0 || lead >= 0xf5 || at + length > end) return undefined;
  for (let i = at + 1; i < at + length; i++) if ((text[i]! & 0xc0) !== 0x80) return undefined;
  return at + length;
}

function codeOf(text: Uint8Array, at: number, end: number): number {
  let code = end - at === 1 ? text[at]! : text[at]! & (0xff >> (end - at + 1));
  for (let i = at + 1; i < end; i++) code = (code << 6) | (text[i]! & 0x3f);
  return code;
}

/** Characters whose width terminals do not agree on: joiners, selectors, flags, skin tones, private and unknown ones. */
const UNKNOWN_WIDTH =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Mc}\p{Zl}\p{Zp}\p{Variation_Selector}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}]/u;
const TWO_WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Columns of a character, 0 for a mark; undefined where terminals differ. */
function widthOf(text: Uint8Array, at: number, end: number): 0 | 1 | 2 | undefined {
  if (end - at === 1) return 1;
  const code = codeOf(text, at, end);
  if (code > 0x10ffff) return undefined;
  // Latin letters, box drawings, blocks and braille: what progress bars are made of.
  if ((code >= 0xa1 && code < 0x300 && code !== 0xad) || (code >= 0x2500 && code < 0x25fb)) return 1;
  if (code >= 0x2800 && code < 0x2900) return 1;
  const character = String.fromCodePoint(code);
  if (UNKNOWN_WIDTH.test(character)) return undefined;
  if (NO_WIDTH.test(character)) return 0;
  return TWO_WIDE.test(character) ? 2 : 1;
}

function isWide(text: Uint8Array, at: number, end: number): boolean {
  const first = characterEnd(text, at, end);
  return first !== undefined && first - at > 1 && widthOf(text, at, first) === 2;
}

/** True if one of the texts that were written over tells of a failure, and what stays does not, but for numbers. */
function hidesFailure(text: Uint8Array, from: number, to: number, screen: Screen): boolean {
  const segment = new Uint8Array(to - from);
  let length = 0;
  let shownKey: number | undefined;
  for (let i = from; i < to; ) {
    const found = mayEscape(text, i) ? escapeAt(text, i, to) : undefined;
    const isBack = text[i] === RETURN || text[i] === BACKSPACE;
    if (!isBack && found === undefined) segment[length++] = text[i]!;
    i = found?.end ?? i + 1;
    if (!isBack && found?.kind !== "move" && found?.kind !== "erase") continue;
    if (length > 0 && isFailingLine(segment, 0, length)) {
      shownKey ??= keyOf(joinPieces(text, screen));
      if (keyOf(segment.subarray(0, length)) !== shownKey) return true;
    }
    length = 0;
  }
  return false;
}

function keyOf(line: Uint8Array): number {
  return lineKey(line, 0, line.length);
}

/** The text that a terminal shows, as bytes. */
function joinPieces(text: Uint8Array, { pieces }: Screen): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, [start, end]) => sum + end - start, 0));
  let at = 0;
  for (const [start, end] of pieces) {
    out.set(text.subarray(start, end), at);
    at += end - start;
  }
  return out;
}
