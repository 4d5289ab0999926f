// SPDX-License-Identifier: Apache-2.0
// Text that a cut made before (C10, idempotence): its markers cite stored ids, and their ranges fit where
// they stand. It is not cut again; a marker in other text is no more than a line that is pinned.
import { type ParsedMarker, parseMarker, parseRepeat, parseTotals } from "../marker.ts";
import { indexOfBytes } from "./bytes.ts";
import type { CleanUps } from "./clean.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { CITING } from "./marks.ts";

const OPENING = new TextEncoder().encode("[isthmos: ");
const CLOSING = 0x5d;
const MARKER_MAX_BYTES = 512;
/** Of an own cut, what may be shown beyond twice the limit: gaps too small for a marker. */
const SLACK_BYTES = 1024;

export interface Found {
  readonly from: number;
  readonly to: number;
  readonly marker: ParsedMarker;
}

/** The markers in bytes `from` to `to`, wherever they stand, in order. */
export function findMarkers(text: Uint8Array, from: number, to: number): Found[] {
  const part = text.subarray(from, to);
  const found: Found[] = [];
  for (let at = indexOfBytes(part, OPENING, 0); at >= 0; at = indexOfBytes(part, OPENING, at + 1)) {
    const bytes = part.subarray(at, at + MARKER_MAX_BYTES);
    const end = bytes.indexOf(CLOSING) + 1;
    const marker = end > 0 ? parseMarker(new TextDecoder().decode(bytes.subarray(0, end))) : undefined;
    if (marker !== undefined) found.push({ from: from + at, to: from + at + end, marker });
  }
  return found;
}

/** True if one of the markers cites an id of `stored`. */
export function citesStored(markers: readonly Found[], stored: ReadonlySet<string>): boolean {
  return markers.some(({ marker }) => marker.id !== undefined && stored.has(marker.id));
}

/** True if bytes `from` to `to` hold markers of a cut and little more than twice `limit` besides. */
export function isOwnClip(markers: readonly Found[], from: number, to: number, limit: number): boolean {
  let shown = to - from;
  let holes = 0;
  for (const found of markers) {
    if (found.from < from || found.to > to) continue;
    shown -= found.to - found.from;
    if (found.marker.unit !== undefined) holes++;
  }
  return holes > 0 && shown <= 2 * limit + SLACK_BYTES;
}

/**
 * True if the lines are what a cut of lines left: a line is a marker that cites a stored id, and what it says of the
 * lines before and after it fits those that are there. Short markers may be ours or a quote: they cite no id.
 * `before` and `after`: what stands around a marker in its line.
 */
export function isOwnLineCut(
  lines: Lines,
  markers: readonly Found[],
  stored: ReadonlySet<string>,
  [before, after]: readonly [string, string] = ["", ""],
): boolean {
  const own: { line: number; text: string; marker: ParsedMarker }[] = [];
  let line = 0;
  let repeats = 0;
  for (const { from, to, marker } of markers) {
    while (line < lines.count && lines.starts[line + 1]! <= from) line++;
    if (lines.starts[line] !== from - before.length || contentEnd(lines, line) !== to + after.length)
      continue;
    const text = new TextDecoder().decode(lines.text.subarray(from, to));
    repeats += extraLines(text);
    own.push({ line, text, marker });
  }
  let shorts = 0;
  let header = 0;
  let repeatsBefore = 0;
  for (const { line: at, text, marker } of own) {
    if (marker.excerpt === true && at === 0) header = 1;
    repeatsBefore += extraLines(text);
    if (marker.unit !== "lines") continue;
    const totals = parseTotals(text);
    if (marker.id !== undefined && stored.has(marker.id) && totals !== undefined) {
      const { from = 0, to = 0 } = marker;
      const hiddenBefore = totals.count - (to - from + 1);
      const missingBefore = from - 1 - hiddenBefore - (at - header);
      const missingAfter = totals.total - to - (lines.count - at - 1);
      const fitsBefore = hiddenBefore >= 0 && missingBefore >= -shorts && missingBefore <= repeatsBefore;
      if (fitsBefore && missingAfter >= 0 && missingAfter <= repeats - repeatsBefore) return true;
    }
    if (marker.id === undefined) shorts++;
  }
  return false;
}

/** How many lines a marker stands for besides its own, if it is one of repeats. */
function extraLines(text: string): number {
  return Math.max(0, parseRepeat(text) - 1);
}

/**
 * True if the text is what a cut of bytes left: a marker that cites a stored id says the range that is missing where
 * it stands, or a later one where a clean-up took bytes before it that no marker tells of. Short markers that do not
 * fit are quotes.
 */
export function isOwnByteCut(
  markers: readonly Found[],
  stored: ReadonlySet<string>,
  { stripAnsi, collapseCr }: CleanUps = {},
): boolean {
  const cleans = stripAnsi === true || collapseCr === true;
  let missing = 0;
  let repeats = false;
  for (const { from, to, marker } of markers) {
    repeats ||= marker.unit === undefined && marker.id === undefined;
    if (marker.excerpt === true && from === 0) missing = -(to + 1);
    if (marker.unit !== "bytes" || marker.from === undefined || marker.to === undefined) continue;
    // How much a repeat marker stands for is not known here; more than itself in any case.
    const fits = repeats
      ? marker.from > from + missing
      : cleans
        ? marker.from >= from + missing
        : marker.from === from + missing;
    if (!fits) continue;
    if (marker.id !== undefined && stored.has(marker.id)) return true;
    missing = marker.to - to;
    repeats = false;
  }
  return false;
}

/** Sets CITING on the lines that hold a marker which cites a stored id. */
export function markCiting(
  lines: Lines,
  marks: Uint8Array,
  markers: readonly Found[],
  stored: ReadonlySet<string>,
): void {
  let line = 0;
  for (const { from, marker } of markers) {
    while (line < lines.count && lines.starts[line + 1]! <= from) line++;
    if (marker.id !== undefined && stored.has(marker.id)) marks[line]! |= CITING;
  }
}
