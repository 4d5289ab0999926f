// SPDX-License-Identifier: Apache-2.0
// The lossless clean-ups (strip_ansi, collapse_cr): before all cuts, so that these see the text as a reader does, and
// line by line, so that line numbers stay. Lines of a diff are left alone (C8). Nothing is marked or stored: what
// goes was never text, or a terminal would not show it.
import { composeSplices, type Removal } from "../compose.ts";
import type { Cuts } from "../cuts.ts";
import { applySplices, type Splice, splicedLength } from "../splice.ts";
import { type Escape, escapeAt, mayEscape } from "./ansi.ts";
import { indexOfBytes, isLetter } from "./bytes.ts";
import { collapseLine, mayOverwrite, type Screen } from "./carriage.ts";
import { markDiffs } from "./diff.ts";
import { contentEnd, countLines, type Lines, splitLines } from "./lines.ts";
import { FIXED } from "./marks.ts";

export interface CleanUps {
  readonly stripAnsi?: boolean;
  readonly collapseCr?: boolean;
}

/** A text after its clean-up. */
export interface CleanText {
  readonly text: Uint8Array;
  /** The clean-up alone, as splices of the original. */
  readonly splices: readonly Splice[];
  readonly cuts: Readonly<Cuts>;
  /** Clean-up and cuts of `text` as splices of the original; markers say ranges and totals of the original. */
  with(
    splices: readonly Splice[],
    cuts: Readonly<Cuts>,
  ): { splices: readonly Splice[]; cuts: Readonly<Cuts> };
}

/** One piece that goes; of its bytes, how many are escape sequences. */
interface CleanSplice extends Removal {
  readonly ansiBytes: number;
}

const ESCAPE = 0x1b;
const BACKSPACE = 0x08;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
const UNICODE_ESCAPE = new TextEncoder().encode("\\u00");
const RETURN_ESCAPE = new TextEncoder().encode("\\r");
const BACKSPACE_ESCAPE = new TextEncoder().encode("\\b");
const C1_SEQUENCE = Uint8Array.of(0xc2, 0x9b);
const OWN_MARKER = new TextEncoder().encode("[isthmos: ");
/** A text with so many carriage returns and no line feed may have them for line ends. */
const OLD_LINES_MIN = 4;

/** False if no clean-up can act on the text, also on the value of a JSON string as it is spelled. Cheap. */
export function mayClean(text: Uint8Array, { stripAnsi, collapseCr }: CleanUps, isJson: boolean): boolean {
  if (!stripAnsi && !collapseCr) return false;
  if (isJson && indexOfBytes(text, UNICODE_ESCAPE, 0) >= 0) return true;
  if (stripAnsi && (text.includes(ESCAPE) || indexOfBytes(text, C1_SEQUENCE, 0) >= 0)) return true;
  if (!collapseCr) return false;
  if (text.includes(BACKSPACE) || text.includes(ESCAPE) || hasLoneReturn(text)) return true;
  return (
    isJson && (indexOfBytes(text, RETURN_ESCAPE, 0) >= 0 || indexOfBytes(text, BACKSPACE_ESCAPE, 0) >= 0)
  );
}

function hasLoneReturn(text: Uint8Array): boolean {
  for (let at = text.indexOf(RETURN); at >= 0; at = text.indexOf(RETURN, at + 1)) {
    if (text[at + 1] !== NEWLINE) return true;
  }
  return false;
}

/** The text without what the clean-ups take, or undefined if they take nothing. */
export function cleanText(text: Uint8Array, wanted: CleanUps): CleanText | undefined {
  if (!mayClean(text, wanted, false)) return undefined;
  const lines = splitLines(text);
  const marks = new Uint8Array(lines.count);
  markDiffs(lines, marks);
  const collapses = wanted.collapseCr === true && !hasOldLineEnds(text);
  const splices: CleanSplice[] = [];
  for (let line = 0; line < lines.count; line++) {
    if ((marks[line]! & FIXED) === 0) cleanLine(lines, line, wanted.stripAnsi === true, collapses, splices);
  }
  if (splices.length === 0) return undefined;
  const clean = applySplices(text, splices);
  // A last line without an end is none any more where nothing of it is left.
  const lost = lines.count - countLines(clean);
  return {
    text: clean,
    splices,
    cuts: countClean(splices),
    with(more, cuts) {
      const { splices: all, kept } = composeSplices(
        splices,
        lost === 0 ? more : more.map((cut) => addLines(cut, lost)),
      );
      // A marker's numbers are longer in a longer text.
      if (splicedLength(0, all) >= splicedLength(0, splices)) return { splices, cuts: countClean(splices) };
      return { splices: all, cuts: { ...cuts, ...countClean(kept) } };
    },
  };
}

/** The cut with a total of lines that is larger by `lost`. */
function addLines(cut: Splice, lost: number): Splice {
  const insert = cut.insert.map((part) =>
    typeof part !== "string" && part.kind === "cut" && part.unit === "lines" && part.total !== undefined
      ? { ...part, total: part.total + lost }
      : part,
  );
  return { ...cut, insert };
}

function countClean(splices: readonly CleanSplice[]): Cuts {
  let ansi = 0;
  let cr = 0;
  for (const { start, end, insert, ansiBytes } of splices) {
    const removed = end - start - insert.length;
    const escapes = Math.min(ansiBytes, removed);
    ansi += escapes;
    cr += removed - escapes;
  }
  return { ...(ansi > 0 && { ansi }), ...(cr > 0 && { cr }) };
}

/**
 * True if carriage returns end the lines of the text, as on old systems: there is no line feed, and most of what
 * they part differs in its words. Of that a terminal would show the last line only.
 */
function hasOldLineEnds(text: Uint8Array): boolean {
  if (text.includes(NEWLINE)) return false;
  const words = new Set<string>();
  let segments = 0;
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf(RETURN, from);
    const to = at < 0 ? text.length : at;
    if (to > from) {
      segments++;
      words.add(letterKey(text, from, to));
    }
    from = to + 1;
  }
  return segments >= OLD_LINES_MIN && words.size > segments / 2;
}

/** The letters in the first bytes of a line: what does not change in a progress bar. */
function letterKey(text: Uint8Array, from: number, to: number): string {
  let key = "";
  for (let i = from; i < Math.min(to, from + 64); i++)
    if (isLetter(text[i]!)) key += String.fromCharCode(text[i]!);
  return key;
}

function cleanLine(
  lines: Lines,
  line: number,
  strips: boolean,
  collapses: boolean,
  out: CleanSplice[],
): void {
  const { text, starts } = lines;
  const from = starts[line]!;

  const to = contentEnd(lines, line);
  if (collapses && mayOverwrite(text, from, to)) {
    const screen = collapseLine(text, from, to);
    if (screen !== undefined && spliceScreen(text, from, to, screen, strips, out)) return;
  }
  if (strips) stripLine(text, from, to, out);
}

/** Escape sequences go. Where a cursor movement alone parts two words, a space takes its place. */
function stripLine(text: Uint8Array, from: number, to: number, out: CleanSplice[]): void {
  for (let i = from; i < to; ) {
    const start = i;
    let moves = false;
    for (let found = strippable(text, i, to); found !== undefined; found = strippable(text, i, to)) {
      moves ||= found.kind === "move";
      i = found.end;
    }
    if (i === start) {
      i++;
      continue;
    }
    const joins = moves && start > from && text[start - 1]! > 0x20 && i < to && text[i]! > 0x20;
    out.push({ start, end: i, insert: joins && i - start > 1 ? [" "] : [], ansiBytes: i - start });
  }
}

function strippable(text: Uint8Array, at: number, to: number): Escape | undefined {
  const found = at < to && mayEscape(text, at) ? escapeAt(text, at, to) : undefined;
  // What a cut of another tool's output left half: the marker in it is text.
  if (found?.kind === "title" && indexOfBytes(text.subarray(at, found.end), OWN_MARKER, 0) >= 0)
    return undefined;
  return found;
}

/** The line as a terminal shows it; false where colours could not be told apart any more. */
function spliceScreen(
  text: Uint8Array,
  from: number,
  to: number,
  screen: Screen,
  strips: boolean,
  out: CleanSplice[],
): boolean {
  if (screen.isTrimmed && !strips && countEscapes(text, from, to, isLasting) > 0) return false;
  const splices: CleanSplice[] = [];
  let at = from;
  for (const [start, end] of [...screen.pieces, [to, to] as const]) {
    if (start > at && !spliceGap(text, at, start, strips, splices)) return false;
    at = end;
  }
  for (const splice of splices) out.push(splice);
  return true;
}

/** Takes the bytes `from` to `to` out, but for colours that still hold where they are not stripped. */
function spliceGap(text: Uint8Array, from: number, to: number, strips: boolean, out: CleanSplice[]): boolean {
  if (strips) {
    out.push({ start: from, end: to, insert: [], ansiBytes: countEscapes(text, from, to) });
    return true;
  }
  const kept: [start: number, end: number][] = [];
  let styles: [start: number, end: number][] = [];
  for (let i = from; i < to; ) {
    const found = mayEscape(text, i) ? escapeAt(text, i, to) : undefined;
    if (found === undefined) {
      i++;
      continue;
    }
    if (found.kind === "style" && found.final === 0) return false;
    // A reset undoes the colours before it.
    if (found.kind === "style" && !found.hasMore && found.first <= 0) styles = [];
    if (found.kind === "style") styles.push([i, found.end]);
    else if (isLasting(found)) kept.push([i, found.end]);
    i = found.end;
  }
  let at = from;
  const pieces = [...kept, ...styles].sort(([a], [b]) => a - b);
  for (const [start, end] of [...pieces, [to, to] as const]) {
    if (start > at) out.push({ start: at, end: start, insert: [], ansiBytes: 0 });
    at = end;
  }
  return true;
}

/** True if the sequence acts on what is shown after it, wherever it stands. */
function isLasting({ kind }: Escape): boolean {
  return kind !== "move" && kind !== "erase";
}

/** Bytes of the escape sequences that `counts`. */
function countEscapes(
  text: Uint8Array,
  from: number,
  to: number,
  counts: (found: Escape) => boolean = () => true,
): number {
  let bytes = 0;
  for (let i = from; i < to; ) {
    const found = mayEscape(text, i) ? escapeAt(text, i, to) : undefined;
    if (found !== undefined && counts(found)) bytes += found.end - i;
    i = found?.end ?? i + 1;
  }
  return bytes;
}
