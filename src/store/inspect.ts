// SPDX-License-Identifier: Apache-2.0
// What lies in the store folder, by names and sizes, for `doctor`. Nothing here throws.
import { join } from "node:path";
import { list, stat } from "../files.ts";
import { checkFolder, entryId, entryName, findLeftovers } from "./layout.ts";
import { describeError } from "./store-error.ts";

export interface StoreStats {
  readonly entries: number;
  readonly bytes: number;
  /** When the oldest entry was last saved, ms since 1970. */
  readonly oldest?: number;
  /** Files of the Go program in the same folder; they go when they are older than the time to live. */
  readonly leftovers: { readonly files: number; readonly bytes: number };
  /** Why the folder may not be used, or cannot be listed. */
  readonly problem?: string;
}

export function countEntries(folder: string): StoreStats {
  const nothing = { entries: 0, bytes: 0, leftovers: { files: 0, bytes: 0 } };
  try {
    const checked = checkFolder(folder);
    if (checked.state === "foreign") return { ...nothing, problem: checked.reason };
    const names = list(folder) ?? [];
    const leftovers = findLeftovers(names);
    const own = look(folder, ownIds(names, leftovers).map(entryName));
    const old = look(folder, [...leftovers]);
    return {
      entries: own.length,
      bytes: sumSizes(own),
      ...(own.length > 0 && { oldest: own.reduce((min, { mtimeMs }) => Math.min(min, mtimeMs), Infinity) }),
      leftovers: { files: old.length, bytes: sumSizes(old) },
    };
  } catch (error) {
    return { ...nothing, problem: `the store folder cannot be listed (${describeError(error)})` };
  }
}

/** Ids of all entries but the Go program's, and how many a sweep has its hands on. Throws what the file system says. */
export function readNames(folder: string): { readonly ids: string[]; readonly outs: number } {
  const names = list(folder) ?? [];
  const outs = names.filter((name) => /^[0-9a-f]{16}\.bin\..*\.out$/.test(name)).length;
  return { ids: ownIds(names, findLeftovers(names)), outs };
}

/** Ids of all entries but the Go program's; none where the folder cannot be listed. */
export function listIds(folder: string): string[] {
  try {
    return readNames(folder).ids;
  } catch {
    return [];
  }
}

function ownIds(names: readonly string[], leftovers: ReadonlySet<string>): string[] {
  return names.flatMap((name) => (leftovers.has(name) ? [] : (entryId(name) ?? [])));
}

function look(folder: string, names: readonly string[]): { size: number; mtimeMs: number }[] {
  return names.flatMap((name) => stat(join(folder, name)) ?? []);
}

function sumSizes(files: readonly { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
