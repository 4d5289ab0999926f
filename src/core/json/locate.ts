// SPDX-License-Identifier: Apache-2.0
// The value that a JSON pointer names, found by skipping over what comes before it: no index, so that a place in a
// document of 32 MiB costs no memory. Skips by brackets and quotes and does not judge what it skips: the document is
// one that was stored. No recursion.
import { parsePointer } from "./pointer.ts";
import { scan } from "./scan.ts";
import { decodeText } from "./strings.ts";

/** Bytes `start` to `end` (half-open) of `bytes` are a value; inside a string that holds a document, of its text. */
export interface Located {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export type Found = Located | { readonly problem: string };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The one value of these bytes, or undefined where they are no JSON document. */
export function locateDocument(bytes: Uint8Array): Located | undefined {
  const start = skipSpace(bytes, 0);
  const opening = bytes[start];
  const isLong = opening === OPEN_OBJECT || opening === OPEN_ARRAY || opening === QUOTE;
  // A word of a text is no number, true, false or null.
  if (!isLong && scan(bytes) === undefined) return undefined;
  const end = valueEnd(bytes, start);
  return end >= 0 && skipSpace(bytes, end) === bytes.length ? { bytes, start, end } : undefined;
}

/** The same without a look at its end: of an object or array the caller must know that it is the only one. */
export function openDocument(bytes: Uint8Array): Located | undefined {
  const start = skipSpace(bytes, 0);
  const isContainer = bytes[start] === OPEN_OBJECT || bytes[start] === OPEN_ARRAY;
  return isContainer ? { bytes, start, end: bytes.length } : locateDocument(bytes);
}

/**
 * The value that `pointer` names in a document; of members of one name the last, as parsers have it. The pointer
 * may go on through a string whose value is JSON, one level; `inPlace` as for `decodeText`.
 */
export function locateField(document: Located, pointer: string, inPlace = false): Found {
  const steps = parsePointer(pointer);
  if (steps === undefined) return { problem: `${pointer} is no JSON pointer: one begins with /` };
  let at = document;
  for (const step of steps) {
    let opening = at.bytes[at.start]!;
    if (opening === QUOTE && at.bytes === document.bytes) {
      const inner = openDocument(decodeText(at.bytes, at.start, at.end, inPlace));
      if (inner === undefined) return { problem: `there is no field ${pointer}: it leads into a text` };
      at = inner;
      opening = at.bytes[at.start]!;
    }
    let found: Located | undefined;
    if (opening === OPEN_OBJECT) found = findMember(at, step);
    else if (opening === OPEN_ARRAY) found = findItem(at, step);
    else return { problem: `there is no field ${pointer}: it leads into ${nameOf(opening)}` };
    if (found === undefined) return { problem: `there is no field ${pointer}` };
    at = found;
  }
  return at;
}

/** True if the value is an array. */
export function isArray({ bytes, start }: Located): boolean {
  return bytes[start] === OPEN_ARRAY;
}

/** True if the value is a string. */
export function isString({ bytes, start }: Located): boolean {
  return bytes[start] === QUOTE;
}

/** Where the first item of an array starts; -1 if it has none. */
export function firstItem({ bytes, start }: Located): number {
  const at = skipSpace(bytes, start + 1);
  return bytes[at] === CLOSE_ARRAY ? -1 : at;
}

/** Where the item after the one that ends at `end` starts; -1 after the last. */
export function nextItem(bytes: Uint8Array, end: number): number {
  const at = skipSpace(bytes, end);
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1) : -1;
}

/** The offset after the value that starts at `start`, or -1 where none does. */
export function valueEnd(bytes: Uint8Array, start: number): number {
  const c = bytes[start];
  if (c === QUOTE) return stringEnd(bytes, start);
  if (c !== OPEN_OBJECT && c !== OPEN_ARRAY) return scalarEnd(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1;
  }
  return -1;
}

function findMember({ bytes, start, end }: Located, name: string): Located | undefined {
  let found: Located | undefined;
  for (let key = skipSpace(bytes, start + 1); key < end && bytes[key] === QUOTE; ) {
    const keyEnd = stringEnd(bytes, key);
    const colon = keyEnd < 0 ? end : skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return found;
    const value = skipSpace(bytes, colon + 1);
    const to = valueEnd(bytes, value);
    if (to < 0) return found;
    if (isName(bytes, key, keyEnd, name)) found = { bytes, start: value, end: to };
    const comma = skipSpace(bytes, to);
    if (bytes[comma] !== COMMA) return found;
    key = skipSpace(bytes, comma + 1);
  }
  return found;
}

/** An escape stands for one UTF-16 unit or more of a name with at most six bytes each. */
function isName(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start - 2 < name.length || end - start - 2 > 6 * name.length) return false;
  return decoder.decode(decodeText(bytes, start, end)) === name;
}

function findItem(array: Located, step: string): Located | undefined {
  if (!/^(0|[1-9]\d{0,9})$/.test(step)) return undefined;
  const { bytes } = array;
  let item = firstItem(array);
  for (let left = Number(step); item >= 0; left--) {
    const end = valueEnd(bytes, item);
    if (end < 0) return undefined;
    if (left === 0) return { bytes, start: item, end };
    item = nextItem(bytes, end);
  }
  return undefined;
}

function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const c = bytes[at]!;
    if (c === QUOTE) return at + 1;
    if (c === BACKSLASH) at++;
  }
  return -1;
}

/** Digits, letters, signs and points, at least one. */
function scalarEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    const c = bytes[at]!;
    const word = (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a);
    if (!word && c !== 0x2d && c !== 0x2b && c !== 0x2e) break;
  }
  return at > start ? at : -1;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const c = bytes[at]!;
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) break;
    at++;
  }
  return at;
}

function nameOf(opening: number): string {
  if (opening === QUOTE) return "a text";
  if (opening === 0x74 || opening === 0x66) return "true or false";
  return opening === 0x6e ? "null" : "a number";
}
