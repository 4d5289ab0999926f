// SPDX-License-Identifier: Apache-2.0
// Text that a cut made before (C10, idempotence): its markers cite stored ids, and their ranges fit where
// they stand. It is not cut again; a marker in other text is no more than a line that is pinned.
import { type ParsedMarker, parseMarker } from "../marker.ts";
import { indexOfBytes } from "./bytes.ts";
import type { CleanUps } from "./clean.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { CITING } from "./marks.ts";

const OPENING = new TextEncoder().encode("[isthmos: ");
const CLOSING = 0x5d;
const MARKER_MAX_BYTES = 512;
/** Of an own cut, what may be shown beyond twice the limit: gaps too small for a marker. */
const SLACK_BYTES = 1024;

interface Found {
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

/** True if the lines are what a cut of lines left: every line marker says the range that is missing where it stands. */
export function isOwnLineCut(lines: Lines, markers: readonly Found[], stored: ReadonlySet<string>): boolean {
  let number = 1;
  let line = 0;
  let repeats = false;
  let cites = false;
  for (const { from, to, marker } of markers) {
    while (line < lines.count && lines.starts[line + 1]! <= from) {
      line++;
      number++;
    }
    if (lines.starts[line] !== from || contentEnd(lines, line) !== to) continue;
    const isRepeat = marker.unit === undefined && marker.id === undefined;
    // The line before an excerpt's first.
    if (marker.excerpt === true) {
      line++;
      continue;
    }
    const isRange = marker.unit === "lines" && marker.from !== undefined && marker.to !== undefined;
    // Any other marker stands for a line of its own.
    if (!isRepeat && !isRange) continue;
    line++;
    repeats ||= isRepeat;
    if (!isRange) continue;
    if (repeats ? marker.from <= number : marker.from !== number) return false;
    number = marker.to + 1;
    repeats = false;
    cites = marker.id !== undefined && stored.has(marker.id);
  }
  return cites;
}

/**
 * True if the text is what a cut of bytes left: every byte marker says the range that is missing where it stands,
 * or a later one where a clean-up took bytes before it that no marker tells of.
 */
export function isOwnByteCut(
  markers: readonly Found[],
  stored: ReadonlySet<string>,
  { stripAnsi, collapseCr }: CleanUps = {},
): boolean {
  const cleans = stripAnsi === true || collapseCr === true;
  let missing = 0;
  let repeats = false;
  let cites = false;
  for (const { from, to, marker } of markers) {
    if (marker.unit === "lines") return false;
    repeats ||= marker.unit === undefined && marker.id === undefined;
    if (marker.excerpt === true && from === 0) missing = -(to + 1);
    if (marker.unit !== "bytes" || marker.from === undefined || marker.to === undefined) continue;
    // How much a repeat marker stands for is not known here; more than itself in any case.
    if (repeats ? marker.from <= from + missing : marker.from < from + missing) return false;
    if (!repeats && !cleans && marker.from !== from + missing) return false;
    missing = marker.to - to;
    repeats = false;
    cites = marker.id !== undefined && stored.has(marker.id);
  }
  return cites;
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
