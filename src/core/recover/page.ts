// SPDX-License-Identifier: Apache-2.0
// What of a span fits a page: whole lines, whole items, whole characters. The rest is named in the same units, so
// that following it gives the span back; pages of bytes join to it byte for byte.
import { nextItem, valueEnd } from "../json/locate.ts";
import type { Unit } from "../marker.ts";
import { charEnd, charStart } from "../text/boundary.ts";
import type { Range, Span } from "./span.ts";

export interface Page {
  /** Bytes of the text, half-open. */
  readonly from: number;
  readonly to: number;
  readonly unit: Unit;
  readonly range: Range;
  /** Where to go on; absent where the page is all of it. */
  readonly next?: { readonly unit: Unit; readonly range: Range };
  /** The page is the beginning of one line or item, which stands at these bytes. */
  readonly clippedOf?: Range;
}

const NEWLINE = 0x0a;

/** The first page of a span, of at most `maxBytes` bytes; more only where a single character has more. */
export function takePage(text: Uint8Array, span: Span, maxBytes: number, isWhole: boolean): Page {
  if (span.unit === "bytes") return pageBytes(text, span, maxBytes, isWhole);
  if (span.to - span.from <= maxBytes) return span;
  const endOf = span.unit === "lines" ? lineEnd : valueEnd;
  let to = -1;
  let count = 0;
  let rest = span.from;
  for (;;) {
    const end = endOf(text, rest);
    if (end - span.from > maxBytes) break;
    to = end;
    count++;
    rest = span.unit === "lines" ? end : nextItem(text, end);
  }
  if (count === 0) return clip(text, span, endOf(text, span.from), maxBytes);
  const last = span.range.from + count - 1;
  return {
    from: span.from,
    to,
    unit: span.unit,
    range: { from: span.range.from, to: last },
    next: { unit: span.unit, range: { from: last + 1, to: span.range.to } },
  };
}

/**
 * Pages end between characters. Where the span itself begins or ends inside of one, its part is a page of its own, so
 * that all others are text.
 */
function pageBytes(text: Uint8Array, span: Span, maxBytes: number, isWhole: boolean): Page {
  const { from } = span;
  const to = Math.min(span.to, pageEnd(text, span, maxBytes, isWhole));
  const range = { from, to };
  if (to === span.to) return { ...range, unit: "bytes", range };
  return { ...range, unit: "bytes", range, next: { unit: "bytes", range: { from: to, to: span.to } } };
}

function pageEnd(text: Uint8Array, { from, to }: Span, maxBytes: number, isWhole: boolean): number {
  const first = charStart(text, 0, from, text.length);
  if (first < from) return Math.min(charEnd(text, 0, first, text.length), from + maxBytes);
  const last = charStart(text, 0, Math.min(to, from + maxBytes), text.length);
  // A character that is larger than a page is one.
  if (last <= from) return from < to ? charEnd(text, 0, from, text.length) : to;
  if (!isWhole || last === to) return last;
  // Nobody said where the first page ends: a line end, if that is not far.
  const lineEnd = text.lastIndexOf(NEWLINE, last - 1) + 1;
  return lineEnd > (from + last) / 2 ? lineEnd : last;
}

function clip(text: Uint8Array, span: Span, end: number, maxBytes: number): Page {
  const { from, to } = pageBytes(text, { ...span, unit: "bytes" }, maxBytes, false);
  return {
    from,
    to,
    unit: span.unit,
    range: { from: span.range.from, to: span.range.from },
    next: { unit: "bytes", range: { from: to, to: span.to } },
    clippedOf: { from: span.from, to: end },
  };
}

function lineEnd(text: Uint8Array, start: number): number {
  const newline = text.indexOf(NEWLINE, start);
  return newline < 0 ? text.length : newline + 1;
}
