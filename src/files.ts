// SPDX-License-Identifier: Apache-2.0
// Every file operation of store, seen index, measurement and health record. What it creates is private: folders
// 0700, files 0600. A missing file is `undefined` or `false`; every other failure is thrown as it is (it has a
// `code`). `setFaultPoint` makes the k-th operation fail in a test.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  linkSync,
  lstatSync,
  lutimesSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { at, createNew, errorCode, orMissing } from "./faults.ts";

export { errorCode, type FaultPoint, type FileOperation, setFaultPoint } from "./faults.ts";
export { createDir, listTypes, makePrivateDir, narrowDir, removeDir, removeTree } from "./private-dir.ts";

const FILE_MODE = 0o600;
/** Group and other bits: what a private file must not have. */
const WIDE = 0o077;
const NEWLINE = 0x0a;
/** Ending of files on their way to their name. */
export const TEMP_SUFFIX = ".tmp";
// Not on every platform; without it a link is followed.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
// Opening a pipe that someone left at our name must not wait for its other end.
const NO_WAIT = constants.O_NONBLOCK ?? 0;

function fail(code: string, message: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${message}, '${path}'`), { code, path });
}

export interface ReadOptions {
  /** More than this is refused with code EFBIG. */
  readonly maxBytes: number;
  /** A link in place of the file is refused (ELOOP) unless this is true. */
  readonly follow?: boolean;
}

/** The whole regular file, or undefined if there is none. Anything else at that name is refused (EINVAL). */
export function readFile(path: string, { maxBytes, follow = false }: ReadOptions): Uint8Array | undefined {
  return orMissing(undefined, () => {
    at("open");
    const fd = openSync(path, constants.O_RDONLY | NO_WAIT | (follow ? 0 : NO_FOLLOW));
    try {
      at("read");
      const stats = fstatSync(fd);
      if (!stats.isFile()) throw fail("EINVAL", "not a regular file", path);
      if (stats.size > maxBytes) throw fail("EFBIG", `larger than ${maxBytes} bytes`, path);
      return readUpTo(fd, stats.size);
    } finally {
      closeSync(fd);
    }
  });
}

function readUpTo(fd: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

export interface WriteOptions {
  /** Waits until file and name are on the disk; for what cannot be made again. */
  readonly sync?: boolean;
  /** Modification time, ms since 1970; now where it is left out. */
  readonly modifiedMs?: number;
}

/** Writes the file whole or not at all, replacing one of that name; a wider mode of the old one does not stay. */
export function writeAtomic(path: string, bytes: Uint8Array, options: WriteOptions = {}): void {
  const temp = writeTemp(path, bytes, options);
  try {
    at("rename");
    renameSync(temp, path);
  } catch (error) {
    tryRemove(temp);
    throw error;
  }
  if (options.sync) syncDir(dirname(path));
}

/** Creates the file whole or not at all; false if something of that name exists, which is left alone. */
export function createExclusive(path: string, bytes: Uint8Array, options: WriteOptions = {}): boolean {
  const temp = writeTemp(path, bytes, options);
  try {
    const created = createNew(() => {
      at("link");
      linkSync(temp, path);
    });
    if (created && options.sync) syncDir(dirname(path));
    return created;
  } finally {
    tryRemove(temp);
  }
}

/** Creates an empty file; false if something of that name exists. */
export function createEmpty(path: string): boolean {
  return createNew(() => {
    at("open");
    closeSync(openSync(path, "wx", FILE_MODE));
  });
}

function writeTemp(path: string, bytes: Uint8Array, { sync = false, modifiedMs }: WriteOptions): string {
  // Math.random keeps crypto out of the hook path; "wx" refuses the rare clash.
  const unique = `${process.pid}-${Math.random().toString(36).slice(2, 12)}`;
  const temp = join(dirname(path), `.${basename(path)}.${unique}${TEMP_SUFFIX}`);
  at("open");
  const fd = openSync(temp, "wx", FILE_MODE);
  try {
    try {
      at("write");
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      if (modifiedMs !== undefined) {
        at("touch");
        futimesSync(fd, modifiedMs / 1000, modifiedMs / 1000);
      }
      if (sync) {
        at("sync");
        fsyncSync(fd);
      }
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    tryRemove(temp);
    throw error;
  }
  return temp;
}

/** The name that a temporary file of ours was on its way to, and the process that wrote it; undefined for other names. */
export function parseTemp(name: string): { readonly target: string; readonly pid: number } | undefined {
  const [, target, pid] = /^\.(.+)\.(\d{1,10})-[0-9a-z]*\.tmp$/.exec(name) ?? [];
  return target === undefined ? undefined : { target, pid: Number(pid) };
}

function syncDir(path: string): void {
  try {
    at("sync");
    const fd = openSync(path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Some file systems cannot sync a folder; the file itself is written.
  }
}

function tryRemove(path: string): void {
  try {
    remove(path);
  } catch {
    // Leftovers are known by their name, and swept.
  }
}

/**
 * Appends `line` and a line end in one write, creating the file (its folder must be there) and narrowing a wider
 * mode. A half line that an earlier failure left is ended first. Answers the file's size in bytes afterwards.
 */
export function appendLine(path: string, line: string): number {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  at("open");
  const fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | NO_WAIT, FILE_MODE);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw fail("EINVAL", "not a regular file", path);
    if ((stats.mode & WIDE) !== 0) {
      at("chmod");
      fchmodSync(fd, FILE_MODE);
    }
    const last = new Uint8Array([NEWLINE]);
    if (stats.size > 0) readSync(fd, last, 0, 1, stats.size - 1);
    const bytes = new TextEncoder().encode(`${last[0] === NEWLINE ? "" : "\n"}${line}\n`);
    at("write");
    const written = writeSync(fd, bytes);
    if (written < bytes.length) throw fail("ENOSPC", "line written in part", path);
    return stats.size + written;
  } finally {
    closeSync(fd);
  }
}

/** Names in the folder, unsorted, or undefined if there is no such folder. */
export function list(path: string): string[] | undefined {
  return orMissing(undefined, () => {
    at("list");
    return readdirSync(path);
  });
}

/** Of the name itself, links not followed; undefined if there is none. */
export function stat(path: string): Stats | undefined {
  return orMissing(undefined, () => {
    at("stat");
    return lstatSync(path);
  });
}

/** Sets the modification time to now; false if there is no such file. */
export function touch(path: string): boolean {
  return orMissing(false, () => {
    at("touch");
    const now = Date.now() / 1000;
    lutimesSync(path, now, now);
    return true;
  });
}

/** Renames, replacing a file of the new name; false if there is no file of the old one. */
export function rename(from: string, to: string): boolean {
  return orMissing(false, () => {
    at("rename");
    renameSync(from, to);
    return true;
  });
}

/** Removes a file or a link; false if there is none. */
export function remove(path: string): boolean {
  return orMissing(false, () => {
    at("remove");
    unlinkSync(path);
    return true;
  });
}

/** The user this process runs as; undefined where the platform has no such number. */
export function ownUid(): number | undefined {
  return process.getuid?.();
}

/** The number of this process. */
export function ownPid(): number {
  return process.pid;
}

/** True if a process of this number runs, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
