// SPDX-License-Identifier: Apache-2.0
// Ids of originals that a sweep took, so that "kept no longer" and "never stored" are told apart: `.gone` in the
// store folder, 8 bytes an id, oldest first. No payload, no tool, no time. Only the holder of the sweep's lock writes.
import { join } from "node:path";
import { readFile, remove, writeAtomic } from "../files.ts";

/** As many as a store has entries by default: 16 KB, read only where an id is not found. */
export const TOMBSTONES_MAX = 2000;
const ID_BYTES = 8;
const GONE = ".gone";

/** All ids, oldest first; none where the file is missing or cannot be read. Never throws. */
export function readTombstones(folder: string): string[] {
  try {
    const bytes = readFile(join(folder, GONE), { maxBytes: TOMBSTONES_MAX * ID_BYTES }) ?? new Uint8Array();
    const ids: string[] = [];
    // A rest that is no whole id comes from a file that was not written here.
    for (let at = 0; at + ID_BYTES <= bytes.length; at += ID_BYTES) {
      ids.push(toHex(bytes.subarray(at, at + ID_BYTES)));
    }
    return ids;
  } catch {
    return [];
  }
}

/** Adds ids as the newest; the oldest beyond the bound go. Throws what the file system says. */
export function addTombstones(folder: string, ids: readonly string[]): void {
  if (ids.length > 0) write(folder, [...readTombstones(folder), ...ids]);
}

/** Takes ids out; the file goes with its last one. Throws what the file system says. */
export function dropTombstones(folder: string, ids: ReadonlySet<string>): void {
  const before = readTombstones(folder);
  const after = before.filter((id) => !ids.has(id));
  if (after.length < before.length) write(folder, after);
}

/** Removes the whole list; false if there was none. Throws what the file system says. */
export function clearTombstones(folder: string): boolean {
  return remove(join(folder, GONE));
}

function write(folder: string, ids: readonly string[]): void {
  // Of an id that was swept twice the later place counts.
  const newest = [...new Set([...ids].reverse())].slice(0, TOMBSTONES_MAX).reverse();
  if (newest.length === 0) {
    clearTombstones(folder);
    return;
  }
  const bytes = new Uint8Array(newest.length * ID_BYTES);
  for (const [i, id] of newest.entries()) bytes.set(fromHex(id), i * ID_BYTES);
  writeAtomic(join(folder, GONE), bytes);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(id: string): Uint8Array {
  return Uint8Array.from({ length: ID_BYTES }, (_, i) => Number.parseInt(id.slice(2 * i, 2 * i + 2), 16));
}
