// SPDX-License-Identifier: Apache-2.0
// Folders of the seen index: seen/<session>/<generation>/. The highest number counts. A session gets its folder
// when it starts; each boundary (start, resume, clear, compaction) raises the number, so that nothing said before
// it is referred to after it.
import { join } from "node:path";
import { createDir, list, makePrivateDir, removeTree, stat } from "../files.ts";
import { shortHash } from "./short-hash.ts";

/** A session that has not begun a generation for a day is over, or may start anew without references. */
const SESSION_MS = 24 * 60 * 60 * 1000;

function seenFolder(stateDir: string): string {
  return join(stateDir, "seen");
}

/** The folder of the session's present generation, or undefined if it never started. Throws what the file system says. */
export function currentGeneration(stateDir: string, session: string): string | undefined {
  const folder = join(seenFolder(stateDir), shortHash(session));
  const last = lastGeneration(list(folder) ?? []);
  return last === 0 ? undefined : join(folder, String(last));
}

/**
 * Begins a generation; without `starts` only for a session that has one. Throws what the file system says; the
 * generation before it is over even then.
 */
export function raiseGeneration(stateDir: string, session: string, starts: boolean): void {
  const folder = join(seenFolder(stateDir), shortHash(session));
  let old: string[] | undefined;
  try {
    if (starts) makePrivateDir(folder);
    old = list(folder);
    if (old === undefined) return;
    let next = lastGeneration(old) + 1;
    // Another boundary of this session may be raising it at the same moment.
    while (!createDir(join(folder, String(next)))) next++;
  } catch (error) {
    // Better no reference than one across the boundary.
    removeTree(folder);
    throw error;
  }
  for (const name of old) removeTree(join(folder, name));
}

/** Removes the sessions that are over. Throws what the file system says. */
export function sweepSessions(stateDir: string): void {
  const folder = seenFolder(stateDir);
  for (const name of list(folder) ?? []) {
    const path = join(folder, name);
    const found = stat(path);
    if (found !== undefined && Date.now() - found.mtimeMs > SESSION_MS) removeTree(path);
  }
}

function lastGeneration(names: readonly string[]): number {
  return names.reduce((last, name) => (/^\d{1,9}$/.test(name) ? Math.max(last, Number(name)) : last), 0);
}
