// SPDX-License-Identifier: Apache-2.0
// Copies of the key that a killed process left beside the key file, on their way to its name or to that of the key before.
import { basename, dirname, join } from "node:path";
import { isRunning, list, ownPid, parseTemp, remove, stat } from "../files.ts";
import { isSame, oldKeyFile, readKeyBytes } from "./key.ts";
import { forgetMaster } from "./key-source.ts";

export interface KeyTemp {
  readonly path: string;
  /** The process that made it. */
  readonly pid: number;
  readonly mtimeMs: number;
}

/** Writing a key takes milliseconds. */
const WRITE_MS = 60 * 1000;

/** All of them, those of a write at work too. Throws what the file system says. */
export function findKeyTemps(keyFile: string): KeyTemp[] {
  const folder = dirname(keyFile);
  const targets = [keyFile, oldKeyFile(keyFile)].map((path) => basename(path));
  return (list(folder) ?? []).flatMap((name) => {
    const temp = parseTemp(name);
    if (temp === undefined || !targets.includes(temp.target)) return [];
    const path = join(folder, name);
    const found = stat(path);
    return found?.isFile() ? [{ path, pid: temp.pid, mtimeMs: found.mtimeMs }] : [];
  });
}

/** True if no write is at work on it: its process is gone, or it is too old, or it is ours, as we write nothing now. */
export function isLeftover({ pid, mtimeMs }: KeyTemp, now: number): boolean {
  return pid === ownPid() || !isRunning(pid) || Math.abs(now - mtimeMs) > WRITE_MS;
}

/** Removes those that `isOver` chooses; answers how many. Throws what the file system says. */
export function removeKeyTemps(keyFile: string, isOver: (temp: KeyTemp) => boolean): number {
  const over = findKeyTemps(keyFile).filter(isOver);
  const present = over.length > 0 ? readKeyBytes(keyFile) : undefined;
  const isSettled = present !== undefined && stat(oldKeyFile(keyFile)) === undefined;
  return over.filter(({ path }) => {
    const bytes = isSettled ? readKeyBytes(path) : undefined;
    // A key in the keychain that no key file leads to is of no use; where the present one is in doubt, it stays.
    if (bytes !== undefined && present !== undefined && !isSame(bytes, present)) forgetMaster(bytes);
    return remove(path);
  }).length;
}
