// SPDX-License-Identifier: Apache-2.0
// The part of an original that a marker names, in the marker's own units: what the hole took, byte for byte.
import { findField } from "./json/pointer.ts";
import { ARRAY, type JsonIndex, STRING, scan } from "./json/scan.ts";
import { decodeString } from "./json/strings.ts";

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

export type Recovered = { readonly bytes: Uint8Array } | { readonly problem: string };

const NEWLINE = 0x0a;

/** The bytes of the part, or why there are none, in words for the user. A range may end past the end. */
export function recoverPart(original: Uint8Array, { field, lines, bytes, items }: Part): Recovered {
  if (field === undefined && items === undefined) return cutRange(original, lines, bytes);
  const found = findValue(original, field ?? "");
  if ("problem" in found) return found;
  const { index, node } = found;
  if (items !== undefined) return takeItems(index, node, items);
  const text =
    index.kind[node] === STRING
      ? decodeString(index.bytes, index.start[node]!, index.end[node]!).text
      : index.bytes.subarray(index.start[node]!, index.end[node]!);
  return cutRange(text, lines, bytes);
}

function cutRange(text: Uint8Array, lines: Range | undefined, bytes: Range | undefined): Recovered {
  if (lines !== undefined) return takeLines(text, lines);
  if (bytes === undefined) return { bytes: text };
  if (bytes.from > text.length) return { problem: `the text has ${text.length} bytes, not ${bytes.from}` };
  return { bytes: text.subarray(bytes.from, bytes.to) };
}

function takeLines(text: Uint8Array, { from, to }: Range): Recovered {
  if (from < 1) return { problem: "lines count from 1" };
  let line = 1;
  let start = 0;
  while (line < from) {
    const newline = text.indexOf(NEWLINE, start);
    if (newline < 0 || newline + 1 === text.length)
      return { problem: `the text has ${line} lines, not ${from}` };
    start = newline + 1;
    line++;
  }
  let end = start;
  while (line <= to && end < text.length) {
    const newline = text.indexOf(NEWLINE, end);
    end = newline < 0 ? text.length : newline + 1;
    line++;
  }
  return { bytes: text.subarray(start, end) };
}

function takeItems(index: JsonIndex, array: number, { from, to }: Range): Recovered {
  if (index.kind[array] === STRING) {
    const inner = scan(decodeString(index.bytes, index.start[array]!, index.end[array]!).text);
    if (inner?.kind[0] === ARRAY) return takeItems(inner, 0, { from, to });
  }
  if (index.kind[array] !== ARRAY) return { problem: "there is no array there" };
  let start = -1;
  let end = -1;
  let count = 0;
  for (let item = array + 1; item < index.next[array]!; item = index.next[item]!) {
    if (count === from) start = index.start[item]!;
    if (count >= from && count <= to) end = index.end[item]!;
    count++;
  }
  if (start < 0) return { problem: `the array has ${count} items; they count from 0` };
  return { bytes: index.bytes.subarray(start, end) };
}

type Found = { readonly index: JsonIndex; readonly node: number } | { readonly problem: string };

function findValue(original: Uint8Array, field: string): Found {
  const document = scan(original);
  if (document !== undefined) {
    return findField(document, field) ?? { problem: `there is no field ${field}` };
  }
  const [, line, rest] = /^\/(0|[1-9]\d{0,9})(\/.*)?$/s.exec(field) ?? [];
  if (line === undefined) return { problem: "the original is no JSON document" };
  const number = Number(line) + 1;
  const record = takeLines(original, { from: number, to: number });
  if ("problem" in record) return record;
  const index = scan(record.bytes);
  if (index === undefined) return { problem: `line ${number} is no JSON document` };
  return findField(index, rest ?? "") ?? { problem: `there is no field ${field}` };
}
