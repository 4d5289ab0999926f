// SPDX-License-Identifier: Apache-2.0
// From what is asked for to bytes: the text that a field names, and the span of it that lines, bytes or items take.
// Spans are found by searching for line ends and skipping values, so that nothing is copied or indexed.
import {
  firstItem,
  isArray,
  isString,
  type Located,
  locateDocument,
  locateField,
  nextItem,
  openDocument,
  valueEnd,
} from "../json/locate.ts";
import { decodeText } from "../json/strings.ts";
import type { Unit } from "../marker.ts";

/** A range as the marker says it: lines 1-based inclusive, items 0-based inclusive, bytes 0-based half-open. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Which part; at most one of the ranges. The range is of `field`'s value where a field is given. */
export interface Part {
  /** JSON pointer; of JSON lines the first step is the line, 0-based. Goes on through JSON inside a string. */
  readonly field?: string | undefined;
  readonly lines?: Range | undefined;
  readonly bytes?: Range | undefined;
  readonly items?: Range | undefined;
}

/** Bytes `from` to `to` (half-open) of a text, and what they are in the units that were asked for. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly unit: Unit;
  /** In `unit`, with an end that is there. */
  readonly range: Range;
}

export interface Problem {
  readonly problem: string;
}

const NEWLINE = 0x0a;

/**
 * The text that the field names: a string's value, the JSON of another value; without a field the original.
 * `inPlace`: the original is needed for nothing else, and strings are decoded over it.
 */
export function takeText(
  original: Uint8Array,
  field: string | undefined,
  inPlace = false,
): Uint8Array | Problem {
  if (field === undefined) return original;
  const found = findValue(original, field, inPlace);
  if ("problem" in found) return found;
  const { bytes, start, end } = found;
  return isString(found) ? decodeText(bytes, start, end, inPlace) : bytes.subarray(start, end);
}

/** The span of the part's range in its text; without a range all of it. A range may end past the end. */
export function takeSpan(text: Uint8Array, { lines, bytes, items }: Part): Span | Problem {
  if (lines !== undefined) return spanLines(text, lines);
  if (items !== undefined) return spanItems(text, items);
  const { from, to } = bytes ?? { from: 0, to: text.length };
  if (from > text.length) return { problem: `the text has ${text.length} bytes, not ${from}` };
  const range = { from, to: Math.min(to, text.length) };
  return { ...range, unit: "bytes", range };
}

function spanLines(text: Uint8Array, { from, to }: Range): Span | Problem {
  if (from < 1) return { problem: "lines count from 1" };
  let line = 1;
  let start = 0;
  while (line < from) {
    const newline = text.indexOf(NEWLINE, start);
    if (newline < 0 || newline + 1 === text.length)
      return { problem: `the text has ${line} ${line === 1 ? "line" : "lines"}, not ${from}` };
    start = newline + 1;
    line++;
  }
  let end = start;
  while (line <= to && end < text.length) {
    const newline = text.indexOf(NEWLINE, end);
    end = newline < 0 ? text.length : newline + 1;
    line++;
  }
  return { from: start, to: end, unit: "lines", range: { from, to: line - 1 } };
}

function spanItems(text: Uint8Array, { from, to }: Range): Span | Problem {
  const array = locateDocument(text);
  if (array === undefined || !isArray(array)) return { problem: "there is no array there" };
  let start = -1;
  let end = -1;
  let count = 0;
  for (let item = firstItem(array); item >= 0 && count <= to; count++) {
    const itemEnd = valueEnd(text, item);
    if (itemEnd < 0) return { problem: "there is no array there" };
    if (count === from) start = item;
    if (count >= from) end = itemEnd;
    item = nextItem(text, itemEnd);
  }
  if (start < 0) return { problem: `the array has ${count} items; they count from 0` };
  return { from: start, to: end, unit: "items", range: { from, to: count - 1 } };
}

function findValue(original: Uint8Array, field: string, inPlace: boolean): Located | Problem {
  const [, line, rest] = /^\/(0|[1-9]\d{0,9})(\/.*)?$/s.exec(field) ?? [];
  // Only where the first step may be a line, or the whole is meant, does it matter where the document ends.
  const isInside = line === undefined && field !== "";
  const document = isInside ? openDocument(original) : locateDocument(original);
  if (document !== undefined) return locateField(document, field, inPlace);
  if (line === undefined) return { problem: "the original is no JSON document" };
  const number = Number(line) + 1;
  const record = spanLines(original, { from: number, to: number });
  if ("problem" in record) return record;
  const value = locateDocument(original.subarray(record.from, record.to));
  return value === undefined
    ? { problem: `line ${number} is no JSON document` }
    : locateField(value, rest ?? "", inPlace);
}
