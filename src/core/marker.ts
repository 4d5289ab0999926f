// SPDX-License-Identifier: Apache-2.0
// Every marker isthmos writes, formatted and parsed in one place: one line, no character that JSON would
// escape, sizes known before the id is. Grammar: docs/formats.md, "Markers".
import { utf8Length } from "./utf8.ts";

/** Ranges: lines 1-based inclusive; items 0-based inclusive; bytes 0-based half-open. */
export type Unit = "lines" | "items" | "bytes";

/** A cut of `count` units. The last hole of a site says the total and cites the id; inner holes are short. */
export interface CutMarker {
  readonly kind: "cut";
  readonly unit: Unit;
  /** Units that all holes of this site leave out; bytes: of this hole. */
  readonly count: number;
  /** Units of the whole site; left out for bytes. */
  readonly total?: number;
  /** Failing lines among those left out, where the host allows no pins or there is no room for them. */
  readonly failing?: number;
  readonly from: number;
  readonly to: number;
  /** JSON pointer of the string or array, where it can be quoted (`quotablePointer`). */
  readonly field?: string;
}

/** An inner hole of a site whose last hole carries the totals. */
export interface HoleMarker {
  readonly kind: "hole";
  readonly unit: Unit;
  readonly from: number;
  readonly to: number;
}

/** The line before stands `times` more times in the original; nothing is lost, so no id. */
export interface RepeatMarker {
  readonly kind: "repeat";
  readonly times: number;
}

/** The whole region, said again: the same tool, the same bytes, earlier in this session. */
export interface SeenMarker {
  readonly kind: "seen";
  readonly tool: string;
  readonly count: number;
  readonly unit: "lines" | "bytes";
}

/** The first line of an excerpt: of what it is one, and where the host keeps the whole text. */
export interface ExcerptMarker {
  readonly kind: "excerpt";
  /** Of the whole text. */
  readonly bytes: number;
  readonly lines: number;
  /** As `quotablePath` gives it. */
  readonly path?: string;
}

export type Marker = CutMarker | HoleMarker | RepeatMarker | SeenMarker | ExcerptMarker;

/** Hex digits of a store id; DESIGN 4.3. */
export const ID_DIGITS = 16;
/** For documentation and examples; the store never holds it. */
export const EXAMPLE_ID = "0123456789abcdef";
/** Longer pointers are not quoted. */
export const POINTER_MAX_BYTES = 256;
/** Longer paths are not named. */
const PATH_MAX_BYTES = 320;

/** True if this marker names the stored original, so that the region must be stored before it is delivered. */
export function citesId(marker: Marker): boolean {
  return marker.kind === "cut" || marker.kind === "seen" || marker.kind === "excerpt";
}

/** The marker's text; throws if the marker cites an id and none is given. */
export function formatMarker(marker: Marker, id?: string): string {
  if (citesId(marker) && id === undefined) throw new Error("a marker cites an id, and none was given");
  const reveal = citesId(marker) ? `, full: isthmos reveal ${id}` : "";
  return `[isthmos: ${describe(marker)}${reveal}]`;
}

/** Length of the formatted marker in UTF-8 bytes. */
export function markerBytes(marker: Marker): number {
  return utf8Length(formatMarker(marker, EXAMPLE_ID));
}

function describe(marker: Marker): string {
  switch (marker.kind) {
    case "repeat":
      return `previous line repeated ${marker.times} more ${marker.times === 1 ? "time" : "times"}`;
    case "seen":
      return `identical to an earlier ${marker.tool} result in this session, ${marker.count} ${marker.unit}`;
    case "excerpt": {
      const saved = marker.path === undefined ? "" : `, saved in ${marker.path}`;
      return `excerpt of ${marker.bytes} bytes, ${marker.lines} lines${saved}`;
    }
    case "hole":
      return `${range(marker)} truncated`;
    case "cut": {
      const of = marker.total === undefined ? "" : ` of ${marker.total}`;
      const failing = marker.failing ? `, ${marker.failing} of them failing` : "";
      const field = marker.field === undefined ? "" : `, field ${marker.field}`;
      return `${marker.count}${of} ${marker.unit} truncated${failing}, ${range(marker)}${field}`;
    }
  }
}

function range(marker: HoleMarker | CutMarker): string {
  return `${marker.unit} ${marker.from}-${marker.to}`;
}

/** A pointer that a marker may quote and a shell or a model can repeat, or undefined. The root is not named. */
export function quotablePointer(pointer: string | undefined): string | undefined {
  if (pointer === undefined || pointer === "" || utf8Length(pointer) > POINTER_MAX_BYTES) return undefined;
  // What would end the marker, what JSON escapes, what a shell acts on, and what a terminal hides or reorders.
  return /["\\\]()`$'|&;<>\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|, full: /u.test(pointer) ? undefined : pointer;
}

/** A path that an excerpt's marker may name, or undefined: nothing that ends the marker, says a range, or hides. */
export function quotablePath(path: string | undefined): string | undefined {
  if (path === undefined || path === "" || utf8Length(path) > PATH_MAX_BYTES) return undefined;
  const isUnsafe = /["\]\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|, full: |(?:lines|items|bytes) \d/u.test(path);
  return isUnsafe ? undefined : path;
}

/** What a marker says, read back from its text. */
export interface ParsedMarker {
  /** The first line of an excerpt. */
  readonly excerpt?: true;
  /** The file that holds the whole text. */
  readonly path?: string;
  readonly id?: string;
  readonly unit?: Unit;
  readonly from?: number;
  readonly to?: number;
  readonly field?: string;
}

const MARKER_MAX_LENGTH = 1024;
const MARKER =
  /^\[isthmos: (?:[^\]]*?(lines|items|bytes) (\d+)-(\d+)(?: truncated)?(?:, field ([^\]]+?))?|[^\]]+?)(?:, full: isthmos reveal ([0-9a-f]{16}))?\]$/;

const EXCERPT =
  /^\[isthmos: excerpt of \d+ bytes, \d+ lines(?:, saved in ([^\]]+?))?, full: isthmos reveal ([0-9a-f]{16})\]$/;

/** Of a cut of lines or items: how many all holes of its site leave out, and how many the whole site has. */
export interface Totals {
  readonly count: number;
  readonly total: number;
}

const TOTALS = /^\[isthmos: (\d+) of (\d+) (?:lines|items) truncated/;
const REPEAT = /^\[isthmos: previous line repeated (\d+) more times?\]$/;

/** The totals that a marker's text says, or undefined. */
export function parseTotals(text: string): Totals | undefined {
  const match = TOTALS.exec(text);
  return match === null ? undefined : { count: Number(match[1]), total: Number(match[2]) };
}

/** How many times a repeat marker's text says that the line before it comes again; 0: it is no repeat marker. */
export function parseRepeat(text: string): number {
  return Number(REPEAT.exec(text)?.[1] ?? 0);
}

/** The parts of a marker's text (one line, nothing around it), or undefined if it is none. */
export function parseMarker(text: string): ParsedMarker | undefined {
  // Own markers are short; the bound keeps the expression's work small on foreign text.
  if (text.length > MARKER_MAX_LENGTH) return undefined;
  const excerpt = EXCERPT.exec(text);
  if (excerpt !== null) {
    const [, path, id = ""] = excerpt;
    return { excerpt: true, id, ...(path !== undefined && { path }) };
  }
  const match = MARKER.exec(text);
  if (match === null) return undefined;
  const [, unit, from, to, field, id] = match;
  return {
    ...(id !== undefined && { id }),
    ...(unit !== undefined && { unit: unit as Unit, from: Number(from), to: Number(to) }),
    ...(field !== undefined && { field }),
  };
}
