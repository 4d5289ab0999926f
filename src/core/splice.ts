// SPDX-License-Identifier: Apache-2.0
// Edits as splices of the original bytes: what is not inside one reaches the model as the tool wrote it.
// A splice list is sorted by `start`, its ranges do not overlap, and all offsets are bytes of one text.
import { formatMarker, type Marker, markerBytes } from "./marker.ts";
import { utf8Length } from "./utf8.ts";

/** What stands in a hole: text of the surrounding format (a comma, a key, a line end), or a marker. */
export type Insert = string | Marker;

/** Bytes `start` to `end` (0-based, half-open) give way to `insert`, in order. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly insert: readonly Insert[];
}

/** Bytes that one insert takes in the rendered text. A marker's id has a fixed width, so none is needed here. */
export function insertBytes(insert: Insert): number {
  return typeof insert === "string" ? utf8Length(insert) : markerBytes(insert);
}

/** Length in bytes of a text of `length` bytes once `splices` are applied. */
export function splicedLength(length: number, splices: readonly Splice[]): number {
  let out = length;
  for (const { start, end, insert } of splices) {
    out -= end - start;
    for (const part of insert) out += insertBytes(part);
  }
  return out;
}

/** Throws unless the splices are in order, apart from one another and within a text of `length` bytes. */
export function checkSplices(length: number, splices: readonly Splice[]): void {
  let from = 0;
  for (const { start, end } of splices) {
    if (start < from || end < start || end > length) {
      throw new Error(`cuts of a text cross at byte ${start} of ${length}`);
    }
    from = end;
  }
}

/**
 * The rendered text: `bytes` with every splice applied. `id` is the store id that markers cite; it may be
 * left out only when no marker cites one.
 */
export function applySplices(bytes: Uint8Array, splices: readonly Splice[], id?: string): Uint8Array {
  const out = new Uint8Array(splicedLength(bytes.length, splices));
  const encoder = new TextEncoder();
  let from = 0;
  let at = 0;
  for (const { start, end, insert } of splices) {
    out.set(bytes.subarray(from, start), at);
    at += start - from;
    for (const part of insert) {
      const text = typeof part === "string" ? part : formatMarker(part, id);
      at += encoder.encodeInto(text, out.subarray(at)).written;
    }
    from = end;
  }
  out.set(bytes.subarray(from), at);
  return out;
}

/**
 * The same splices seen from outside a JSON string: offsets go through `toRaw` (decoded byte → raw byte) and
 * inserted text is escaped. Markers hold no character that JSON escapes, so they stay as they are.
 */
export function liftSplices(splices: readonly Splice[], toRaw: (decoded: number) => number): Splice[] {
  return splices.map(({ start, end, insert }) => ({
    start: toRaw(start),
    end: toRaw(end),
    insert: insert.map((part) => (typeof part === "string" ? JSON.stringify(part).slice(1, -1) : part)),
  }));
}
