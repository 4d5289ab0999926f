// SPDX-License-Identifier: Apache-2.0
// Keeps the store within its limits. Whether a sweep is due is told by two small files, so that no other call lists
// the folder. An entry goes by rename and a second look: one that was renewed after the listing comes back.
import { join } from "node:path";
import { appendLine, createEmpty, list, parseTemp, remove, rename, stat, touch } from "../files.ts";
import { findKeyTemps } from "./key-temps.ts";
import { entryId, findLeftovers, nameBeforeOut, storeFolder } from "./layout.ts";
import { takeLock } from "./lock.ts";
import { sweepRevealed } from "./revealed.ts";
import { addTombstones } from "./tombstones.ts";

export interface SweepOptions {
  readonly stateDir: string;
  readonly keyFile: string;
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly maxEntries: number;
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const SWEEP_EVERY_MS = 60 * 60 * 1000;
const SWEEP_EVERY_BYTES = 32 * 1024 * 1024;
/** `.written` grows by one byte for each unit begun: appends need no read and no lock, and small entries count too. */
const WRITTEN_UNIT_BYTES = 16 * 1024;
/** The model may still be about to ask for what is younger than this; and no write or sweep takes as long. */
const SETTLED_MS = 10 * 60 * 1000;
const SWEPT = ".swept";
const WRITTEN = ".written";

/** Notes that an entry of `bytes` was written; true if a sweep is due. Throws what the file system says. */
export function noteWritten(stateDir: string, bytes: number): boolean {
  const folder = storeFolder(stateDir);
  const units = Math.max(1, Math.ceil(bytes / WRITTEN_UNIT_BYTES));
  const total = appendLine(join(folder, WRITTEN), ".".repeat(units - 1));
  const swept = stat(join(folder, SWEPT));
  // A time far in the future comes from a clock that was set back.
  return (
    total * WRITTEN_UNIT_BYTES >= SWEEP_EVERY_BYTES ||
    swept === undefined ||
    Math.abs(Date.now() - swept.mtimeMs) > SWEEP_EVERY_MS
  );
}

let sweeps = 0;

/** How many sweeps this process has made: a server's counters show it. */
export function countSweeps(): number {
  return sweeps;
}

/** Removes what is too old or too much, unless another process is at it. Throws what the file system says. */
export function sweep(options: SweepOptions): void {
  const folder = storeFolder(options.stateDir);
  const release = takeLock(folder);
  if (release === undefined) return;
  sweeps++;
  try {
    // First, so that a sweep that fails is not tried again on every call.
    if (!touch(join(folder, SWEPT))) createEmpty(join(folder, SWEPT));
    remove(join(folder, WRITTEN));
    sweepFolder(folder, options);
    for (const { path } of findKeyTemps(options.keyFile)) sweepTemp(path);
    sweepRevealed(options.stateDir);
  } finally {
    release();
  }
}

function sweepFolder(folder: string, { ttlMs, maxBytes, maxEntries }: SweepOptions): void {
  const now = Date.now();
  const isExpired = ({ mtimeMs }: { mtimeMs: number }) => now - mtimeMs > ttlMs;
  for (const name of list(folder) ?? []) if (parseTemp(name) !== undefined) sweepTemp(join(folder, name));
  settleOuts(folder, isExpired);

  const names = list(folder) ?? [];
  const leftovers = findLeftovers(names);
  const old = look(folder, [...leftovers]);
  // The Go program still needs its key as long as one of its entries is left.
  const oldIsOver = old.every(isExpired);
  for (const entry of old) {
    if (isExpired(entry) && (entry.name !== "store.key" || oldIsOver)) takeOut(folder, entry);
  }

  const entries = look(
    folder,
    names.filter((name) => entryId(name) !== undefined && !leftovers.has(name)),
  ).sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
  const over = { count: entries.length - maxEntries, bytes: sumSizes(entries) - maxBytes };
  const leaving = entries.filter((entry) => {
    const isTooMuch = over.count > 0 || over.bytes > 0;
    if (!isExpired(entry) && !(isTooMuch && now - entry.mtimeMs > SETTLED_MS)) return false;
    over.count--;
    over.bytes -= entry.size;
    return true;
  });
  // Before they go, so that none is ever unknown; one that comes back is found before its tombstone is looked at.
  tolerate(() => {
    addTombstones(
      folder,
      leaving.flatMap(({ name }) => entryId(name) ?? []),
    );
    return true;
  });
  for (const entry of leaving) takeOut(folder, entry);
}

function sumSizes(entries: readonly Entry[]): number {
  return entries.reduce((sum, { size }) => sum + size, 0);
}

function look(folder: string, names: readonly string[]): Entry[] {
  return names.flatMap((name) => {
    const found = stat(join(folder, name));
    return found?.isFile() ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : [];
  });
}

/** False if the entry was renewed since it was looked at, or cannot go; then it is where it was. */
function takeOut(folder: string, { name, mtimeMs }: Entry): boolean {
  const path = join(folder, name);
  const out = `${path}.${Math.random().toString(36).slice(2, 12)}.out`;
  return tolerate(() => {
    if (stat(path)?.mtimeMs !== mtimeMs || !rename(path, out)) return false;
    if (tolerate(() => stat(out)?.mtimeMs === mtimeMs && remove(out))) return true;
    // The same id is the same content: what may have been saved under the name meanwhile is no loss.
    rename(out, path);
    return false;
  });
}

/** Entries whose sweeper was killed before its second look: they come back unless they have run out. For the lock's holder. */
export function settleOuts(folder: string, isExpired: (found: { mtimeMs: number }) => boolean): void {
  for (const name of list(folder) ?? []) settleOut(folder, name, isExpired);
}

function settleOut(folder: string, name: string, isExpired: (found: { mtimeMs: number }) => boolean): void {
  const original = nameBeforeOut(name);
  if (original === undefined) return;
  const out = join(folder, name);
  tolerate(() => {
    const found = stat(out);
    if (!found?.isFile()) return false;
    const isOver = isExpired(found) || stat(join(folder, original)) !== undefined;
    return isOver ? remove(out) : rename(out, join(folder, original));
  });
}

function sweepTemp(path: string): void {
  tolerate(() => {
    const found = stat(path);
    return found?.isFile() === true && isSettled(found) && remove(path);
  });
}

/** One file that cannot go must not keep the others. */
function tolerate(run: () => boolean): boolean {
  try {
    return run();
  } catch {
    return false;
  }
}

function isSettled({ mtimeMs }: { mtimeMs: number }): boolean {
  return Math.abs(Date.now() - mtimeMs) > SETTLED_MS;
}
