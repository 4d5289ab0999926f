// SPDX-License-Identifier: Apache-2.0
import { decodeUtf8 } from "../utf8.ts";
import type { KeyTable } from "./key-table.ts";
import { type Frame, memberNames } from "./path.ts";
import type { JsonIndex } from "./scan.ts";

/** Longer white space is not repeated before a marker's member. */
const STYLE_MAX_BYTES = 100;

/** What stands around a marker as the member after the one being visited, in the white space of that one; `compact`: in none. */
export function siblingOf(
  index: JsonIndex,
  keys: KeyTable,
  compact: boolean,
  parent: Frame | undefined,
): readonly [string, string] | undefined {
  if (parent === undefined || !parent.isObject) return undefined;
  const start = index.start[parent.at]!;
  const end = index.end[parent.at]!;
  const name = decodeUtf8(index.bytes.subarray(start + 1, end - 1));
  if (name === undefined || name.includes("\\")) return undefined;
  const names = memberNames(index, parent, keys);
  if ((names.get(name) ?? 0) > 1 || names.has(`${name} (isthmos)`)) return undefined;
  let space = start;
  while (index.bytes[space - 1]! <= 0x20 && start - space < STYLE_MAX_BYTES) space--;
  const colonEnd = index.start[parent.at + 1]!;
  const plain = compact || start - space === STYLE_MAX_BYTES || colonEnd - end > STYLE_MAX_BYTES;
  const before = plain ? "" : ascii(index.bytes.subarray(space, start));
  const colon = plain ? ":" : ascii(index.bytes.subarray(end, colonEnd));
  return [`,${before}"${name} (isthmos)"${colon}"`, '"'];
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
