// SPDX-License-Identifier: Apache-2.0
// Which originals were given back within the last hour, so that they are not cut again (C10): one empty file each,
// named by id and length. The length alone answers most questions, so no crypto is loaded for them.
import { join } from "node:path";
import { createEmpty, list, makePrivateDir, remove, stat, touch } from "../files.ts";
import { isMark, revealedFolder } from "./layout.ts";

/** A revealed text is read back within the turn; an hour covers a spill that is opened later. */
const REVEALED_MS = 60 * 60 * 1000;

/** Notes that the region of this id and length was given back now. Throws what the file system says. */
export function markRevealed(stateDir: string, id: string, length: number): void {
  const folder = revealedFolder(stateDir);
  const mark = join(folder, `${id}-${length}`);
  makePrivateDir(folder);
  if (!touch(mark)) createEmpty(mark);
}

/** Ids of this length that were given back within the hour. Throws what the file system says. */
export function revealedIds(stateDir: string, length: number): string[] {
  const folder = revealedFolder(stateDir);
  const ending = `-${length}`;
  const names = (list(folder) ?? []).filter((name) => name.endsWith(ending));
  return names.filter((name) => isFresh(join(folder, name))).map((name) => name.slice(0, -ending.length));
}

/** Sets marks of `id` under the id that it has from now on; `newId` is asked only if there are any. Throws what the file system says. */
export function moveMarks(stateDir: string, id: string, newId: () => string | undefined): void {
  const folder = revealedFolder(stateDir);
  for (const name of (list(folder) ?? []).filter((name) => name.startsWith(`${id}-`))) {
    const moved = newId();
    // The hour begins anew; the old mark stays until its own is over.
    if (moved !== undefined) markRevealed(stateDir, moved, Number(name.slice(id.length + 1)));
  }
}

/** Removes the marks that have run out. Throws what the file system says. */
export function sweepRevealed(stateDir: string): void {
  const folder = revealedFolder(stateDir);
  for (const name of (list(folder) ?? []).filter(isMark)) {
    const path = join(folder, name);
    if (!isFresh(path)) remove(path);
  }
}

function isFresh(path: string): boolean {
  const found = stat(path);
  return found !== undefined && Date.now() - found.mtimeMs <= REVEALED_MS;
}
