// SPDX-License-Identifier: Apache-2.0
// Reading a JSON index by member names. A node of -1 is "not there": every function takes it and passes it on.
import { type JsonIndex, KEY, OBJECT, STRING } from "../core/json/scan.ts";
import { type DecodedString, decodeString } from "../core/json/strings.ts";

const BACKSLASH = 0x5c;

/** The value node of the member `name` (ASCII) of the object at `node`; the last of several, as JSON.parse reads it; or -1. */
export function findMember(index: JsonIndex, node: number, name: string): number {
  let found = -1;
  for (const [key, value] of membersOf(index, node)) if (isKey(index, key, name)) found = value;
  return found;
}

/** Key and value nodes of the object at `node`, in order; nothing if it is no object. */
export function* membersOf(index: JsonIndex, node: number): Generator<readonly [key: number, value: number]> {
  if (node < 0 || index.kind[node] !== OBJECT) return;
  const end = index.next[node]!;
  for (let key = node + 1; key < end; key = index.next[key + 1]!) yield [key, key + 1];
}

/** Item nodes of the array at `node`, in order; the caller has seen that it is one. */
export function* itemsOf(index: JsonIndex, node: number): Generator<number> {
  const end = index.next[node]!;
  for (let item = node + 1; item < end; item = index.next[item]!) yield item;
}

/** True if the KEY node says `name` (ASCII), however it is escaped. */
export function isKey(index: JsonIndex, key: number, name: string): boolean {
  if (index.kind[key] !== KEY) return false;
  const raw = index.bytes.subarray(index.start[key]! + 1, index.end[key]! - 1);
  if (equalsAscii(raw, name)) return true;
  // An escape takes at most six bytes for one; longer keys cannot be this name.
  if (raw.length > name.length * 6 || !raw.includes(BACKSLASH)) return false;
  return equalsAscii(decodeString(index.bytes, index.start[key]!, index.end[key]!).text, name);
}

/** The kind of the node, or -1 where there is none. */
export function kindOf(index: JsonIndex, node: number): number {
  return node < 0 ? -1 : index.kind[node]!;
}

/** The decoded string at `node`, or undefined if it is none. */
export function readBytes(index: JsonIndex, node: number): DecodedString | undefined {
  if (kindOf(index, node) !== STRING) return undefined;
  return decodeString(index.bytes, index.start[node]!, index.end[node]!);
}

/** The text of the string at `node`, or undefined if it is none; what is not UTF-8 becomes U+FFFD. */
export function readText(index: JsonIndex, node: number): string | undefined {
  const decoded = readBytes(index, node);
  return decoded && new TextDecoder("utf-8", { ignoreBOM: true }).decode(decoded.text);
}

function equalsAscii(bytes: Uint8Array, text: string): boolean {
  if (bytes.length !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}
