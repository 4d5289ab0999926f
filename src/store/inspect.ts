// SPDX-License-Identifier: Apache-2.0
// What lies in the store folder, by names and sizes, for `doctor`. Nothing here throws.
import { join } from "node:path";
import { stat } from "../files.ts";
import { readStore } from "./contents.ts";
import { checkFolder, entryId, nameBeforeOut } from "./layout.ts";
import { describeError } from "./store-error.ts";

export interface StoreStats {
  readonly entries: number;
  readonly bytes: number;
  /** When the oldest entry was last saved, ms since 1970. */
  readonly oldest?: number;
  /** Files of the Go program in the same folder; they go when they are older than the time to live. */
  readonly leftovers: { readonly files: number; readonly bytes: number };
  /** Names that nothing of isthmos has; a link or a folder in place of an original too. */
  readonly foreign: readonly string[];
  /** Why the folder may not be used, or cannot be listed. */
  readonly problem?: string;
}

export function countEntries(folder: string): StoreStats {
  const nothing = { entries: 0, bytes: 0, leftovers: { files: 0, bytes: 0 }, foreign: [] };
  try {
    const checked = checkFolder(folder);
    if (checked.state === "foreign") return { ...nothing, problem: checked.reason };
    const { entries, leftovers, foreign } = readStore(folder);
    const own = look(folder, entries);
    const old = look(folder, leftovers);
    return {
      entries: own.length,
      bytes: sumSizes(own),
      ...(own.length > 0 && { oldest: own.reduce((min, { mtimeMs }) => Math.min(min, mtimeMs), Infinity) }),
      leftovers: { files: old.length, bytes: sumSizes(old) },
      foreign,
    };
  } catch (error) {
    return { ...nothing, problem: `the store folder cannot be listed (${describeError(error)})` };
  }
}

/** Ids of all entries but the Go program's, and how many a sweep has its hands on. Throws what the file system says. */
export function readNames(folder: string): { readonly ids: string[]; readonly outs: number } {
  const { entries, rest } = readStore(folder);
  const outs = rest.filter((name) => entryId(nameBeforeOut(name) ?? "") !== undefined).length;
  return { ids: entries.flatMap((name) => entryId(name) ?? []), outs };
}

/** Ids of all entries but the Go program's; none where the folder cannot be listed. */
export function listIds(folder: string): string[] {
  try {
    return readNames(folder).ids;
  } catch {
    return [];
  }
}

function look(folder: string, names: readonly string[]): { size: number; mtimeMs: number }[] {
  return names.flatMap((name) => stat(join(folder, name)) ?? []);
}

function sumSizes(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
