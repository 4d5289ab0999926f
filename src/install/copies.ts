// SPDX-License-Identifier: Apache-2.0
// What isthmos leaves beside a file of another program: copies from before `init`, which are named in the record before
// they are made, and temporary files of a run that was ended. A copy goes only where it says nothing that the file does
// not say.
import { basename, dirname, join } from "node:path";
import { errorCode } from "../faults.ts";
import { isRunning, list, ownPid, readFile, stat } from "../files.ts";
import { ChangedError, explain } from "./install-error.ts";
import { readTarget, type Target, tryRemove, writeNew } from "./target.ts";
import type { Undo } from "./undo.ts";

const COPY_END = /^\.isthmos-\d{8}T\d{6}Z(?:-\d+)?\.bak$/;
/** Of a file on its way to its name, in an agent's folder or in ours: the process that writes it. */
const TEMP_END = /^\.(?:isthmos-)?(\d+)-[a-z0-9]+\.tmp$/;

/** A name beside the file that nothing has yet. */
export function nameCopy({ path }: Target, now: Date): string {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "");
  for (let count = 1; ; count++) {
    const copy = `${path}.isthmos-${stamp}${count === 1 ? "" : `-${count}`}.bak`;
    if (stat(copy) === undefined) return copy;
  }
}

/** Copies a file that is there to a new one, of the same mode and owner. */
export function makeCopy(copy: string, { path, bytes, stats }: Target): void {
  if (bytes === undefined || stats === undefined) throw new RangeError("nothing to copy");
  try {
    writeNew(copy, bytes, stats);
  } catch (error) {
    // Another run of ours took the name.
    if (errorCode(error) === "EEXIST") throw new ChangedError(path);
    tryRemove(copy);
    throw explain(error, `cannot write the backup ${copy}`);
  }
}

/**
 * The copies of a file that stay: of the recorded ones and of those that our naming tells, all but the spare ones.
 * `isExact`: `final` is what the file was before `init`, so that the beginning of it is a copy that was not finished.
 */
export function splitCopies(
  { path, real }: Target,
  recorded: readonly string[],
  final: Uint8Array | undefined,
  isExact: boolean,
): { readonly stay: readonly string[]; readonly spare: readonly string[] } {
  const stay: string[] = [];
  const spare: string[] = [];
  for (const copy of new Set([...recorded, ...findCopies(path), ...findCopies(real)])) {
    if (!isThere(copy)) continue;
    const bytes = tryRead(copy);
    const isSpare =
      bytes !== undefined &&
      final !== undefined &&
      (isExact || bytes.length === final.length) &&
      Buffer.compare(bytes, final.subarray(0, bytes.length)) === 0;
    (isSpare ? spare : stay).push(copy);
  }
  return { stay, spare };
}

/** Removes copies; answers those that could not be removed. */
export function removeCopies(copies: readonly string[], undo: Undo): readonly string[] {
  return copies.filter((copy) => {
    try {
      const target = readTarget(copy);
      undo.add(() => {
        if (!isThere(copy)) makeCopy(copy, target);
      });
      tryRemove(copy);
    } catch {
      // It is named to the person.
    }
    return isThere(copy);
  });
}

/** Removes what runs that were ended left of a file on its way to `path`. Never throws. */
export function sweepTemps(path: string): void {
  for (const { name, end } of namesBeside(path, `.${basename(path)}`)) {
    const pid = TEMP_END.exec(end)?.[1];
    // This process has written nothing yet: an earlier one had its number.
    if (pid === undefined || (Number(pid) !== ownPid() && isRunning(Number(pid)))) continue;
    tryRemove(join(dirname(path), name));
  }
}

function findCopies(path: string): string[] {
  return namesBeside(path, basename(path))
    .filter(({ end }) => COPY_END.test(end))
    .map(({ name }) => join(dirname(path), name))
    .sort();
}

/** Names in the folder of `path` that begin with `start`, and what follows it; none where it cannot be read. */
function namesBeside(path: string, start: string): { readonly name: string; readonly end: string }[] {
  try {
    return (list(dirname(path)) ?? [])
      .filter((name) => name.startsWith(start))
      .map((name) => ({ name, end: name.slice(start.length) }));
  } catch {
    return [];
  }
}

function isThere(path: string): boolean {
  try {
    return stat(path) !== undefined;
  } catch {
    return true;
  }
}

function tryRead(path: string): Uint8Array | undefined {
  try {
    return readFile(path, { maxBytes: Number.MAX_SAFE_INTEGER });
  } catch {
    return undefined;
  }
}
