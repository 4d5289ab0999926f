// SPDX-License-Identifier: Apache-2.0
// Strings of a document: which may be cut as text, which are documents of their own, which stay whole.
import { mayClean } from "../text/clean.ts";
import type { TextLimits } from "../text/text.ts";
import { MARKER_MIN_BYTES } from "./gate.ts";
import type { KeyTable } from "./key-table.ts";
import type { Frame } from "./path.ts";
import { type JsonIndex, STRING } from "./scan.ts";

/** Bytes of a string whose repeated lines can be more than the marker that replaces them. */
const DEDUP_MIN_BYTES = 48;
/** Bytes looked at to tell base64 from text. */
const SAMPLE_BYTES = 256;
const BACKSLASH = 0x5c;

/** Types of content blocks that a client decodes. */
const BINARY_TYPES: ReadonlySet<string> = new Set([
  '"image"',
  '"audio"',
  '"document"',
  '"resource"',
  '"base64"',
  '"blob"',
]);
const TYPE_KEYS: ReadonlySet<string> = new Set(["mimeType", "mime_type", "media_type", "mediaType"]);
/** Members that hold the bytes of such an object, and those that do only where `encoding` says base64. */
const BLOB_KEYS: ReadonlySet<string> = new Set(["data", "blob"]);
const ENCODED_KEYS: ReadonlySet<string> = new Set(["content", "text", "body"]);

/** False if none of the limits can act on the string: it is short, has no lines to cut and nothing to clean. Cheap. */
export function mayCutText(index: JsonIndex, node: number, limits: TextLimits): boolean {
  const start = index.start[node]! + 1;
  const end = index.end[node]! - 1;
  const length = end - start;
  if (limits.maxStr > 0 && length > limits.maxStr + MARKER_MIN_BYTES) return true;
  if (mayClean(index.bytes.subarray(start, end), limits, true)) return true;
  const lines = limits.maxLines > 0 && length > 2 * limits.maxLines;
  if (!lines && !(limits.dedup && length >= DEDUP_MIN_BYTES)) return false;
  return index.bytes.subarray(start, end).includes(BACKSLASH);
}

/** True if the string's value may be a JSON object or array: it begins and ends with the brackets of one. */
export function mayBeDocument(index: JsonIndex, node: number): boolean {
  const { bytes } = index;
  let from = index.start[node]! + 1;
  let to = index.end[node]! - 1;
  // White space around the document: spaces, and \n, \r, \t as escapes.
  for (;;) {
    const c = bytes[from]!;
    if (c === 0x20) from++;
    else if (c === BACKSLASH && isSpaceEscape(bytes[from + 1]!)) from += 2;
    else break;
  }
  const open = bytes[from]!;
  if (open !== 0x7b && open !== 0x5b) return false;
  for (;;) {
    if (bytes[to - 1] === 0x20) to--;
    else if (bytes[to - 2] === BACKSLASH && isSpaceEscape(bytes[to - 1]!)) to -= 2;
    else break;
  }
  return to - from >= 2 && bytes[to - 1] === open + 2;
}

function isSpaceEscape(c: number): boolean {
  return c === 0x6e || c === 0x72 || c === 0x74;
}

/** True if the string is base64 in an object that says so; a client decodes it, so it is whole or worthless. */
export function isBinaryValue(
  index: JsonIndex,
  node: number,
  parent: Frame | undefined,
  keys: KeyTable,
): boolean {
  if (parent === undefined || !parent.isObject) return false;
  const { name } = keys(index.bytes, index.start[parent.at]!, index.end[parent.at]!);
  const blob = BLOB_KEYS.has(name);
  if (!blob && !ENCODED_KEYS.has(name)) return false;
  parent.binary ??= binaryKind(index, parent.node, keys);
  return (parent.binary === "encoded" || (blob && parent.binary === "typed")) && looksLikeBase64(index, node);
}

/** What an object says of its bytes: a type of content, or that they are encoded in base64. */
function binaryKind(index: JsonIndex, object: number, keys: KeyTable): "typed" | "encoded" | "none" {
  let typed = false;
  for (let key = object + 1; key < index.next[object]!; key = index.next[key + 1]!) {
    const { name } = keys(index.bytes, index.start[key]!, index.end[key]!);
    if (name === "encoding" && shortText(index, key + 1) === '"base64"') return "encoded";
    if (TYPE_KEYS.has(name)) typed = true;
    else if (name === "type" && BINARY_TYPES.has(shortText(index, key + 1))) typed = true;
  }
  return typed ? "typed" : "none";
}

/** The raw string, quotes included; "" for other kinds and long strings. */
function shortText(index: JsonIndex, node: number): string {
  const start = index.start[node]!;
  const end = index.end[node]!;
  return index.kind[node] === STRING && end - start <= 32
    ? String.fromCharCode(...index.bytes.subarray(start, end))
    : "";
}

function looksLikeBase64(index: JsonIndex, node: number): boolean {
  const start = index.start[node]! + 1;
  const end = Math.min(index.end[node]! - 1, start + SAMPLE_BYTES);
  for (let i = start; i < end; i++) {
    const c = index.bytes[i]!;
    const letter = (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
    // Digits and + / = - _, and the backslash of an escaped line end or slash.
    const other =
      (c >= 0x2f && c <= 0x39) || c === 0x2b || c === 0x2d || c === 0x3d || c === 0x5f || c === BACKSLASH;
    if (!letter && !other) return false;
  }
  return true;
}
