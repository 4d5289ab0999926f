// SPDX-License-Identifier: Apache-2.0
// Files of other programs, which are changed whole or not at all: links are followed, mode and owner stay, and what
// changed since it was read is not written over. Errors are InstallError, or errno errors of the file system.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { decodeUtf8 } from "../core/utf8.ts";
import { at, errorCode, orMissing } from "../faults.ts";
import { ownPid, ownUid, readFile, remove } from "../files.ts";
import { ChangedError, explain, InstallError } from "./install-error.ts";

/** A file as it was read. */
export interface Target {
  /** As it was asked for. */
  readonly path: string;
  /** Where its bytes lie: links followed, also one that leads to nothing yet. */
  readonly real: string;
  /** Undefined: there is no file. */
  readonly bytes: Uint8Array | undefined;
  readonly stats: Stats | undefined;
}

/** The client's own file of all projects grows to some MB. */
const MAX_BYTES = 64 * 1024 * 1024;
/** As many as Linux follows. */
const LINKS_MAX = 40;
/** For the user only; what a team shares is as wide as the user's umask has it. */
const PRIVATE = { file: 0o600, folder: 0o700 };
const SHARED = { file: 0o666, folder: 0o777 };

/** Reads the file at `path`, if there is one. */
export function readTarget(path: string): Target {
  try {
    const real = resolveLinks(path);
    at("stat");
    const stats = statSync(real, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) {
      throw new InstallError(`${path} is not a regular file`, "move it away, then try again");
    }
    return { path, real, bytes: stats && readFile(real, { maxBytes: MAX_BYTES }), stats };
  } catch (error) {
    throw explain(error, `cannot read ${path}`);
  }
}

/** The file's text, or undefined if there is no file. */
export function textOf({ path, bytes }: Target): string | undefined {
  const text = bytes && decodeUtf8(bytes);
  if (bytes !== undefined && text === undefined) {
    throw new InstallError(`${path} is not UTF-8`, "save it as UTF-8, then try again");
  }
  return text;
}

/** Throws where the file cannot be written, or removed, though it is only said to be so. */
export function checkWritable({ path, real, stats }: Target): void {
  const hint = "make it writable, then try again";
  const uid = ownUid();
  if (stats !== undefined) {
    if (!isWritable(real, stats)) throw new InstallError(`${path} is read-only`, hint);
    if (uid !== undefined && uid !== 0 && stats.uid !== uid) {
      throw new InstallError(`${path} belongs to another user`, hint);
    }
  }
  let folder = dirname(real);
  for (; !isThere(folder) && dirname(folder) !== folder; folder = dirname(folder));
  if (!isWritable(folder, statSync(folder))) {
    throw new InstallError(`the folder ${folder} is read-only`, hint);
  }
}

/** Writes the file, making no folders. `isShared`: a new one is not for the user only. */
export function writeTarget(target: Target, bytes: Uint8Array, isShared: boolean): void {
  const { path, real, stats } = target;
  // The number tells a later run whether the writer still lives.
  const unique = `${ownPid()}-${Math.random().toString(36).slice(2, 12)}`;
  const temp = join(dirname(real), `.${basename(real)}.isthmos-${unique}.tmp`);
  try {
    writeNew(temp, bytes, stats ?? (isShared ? SHARED : PRIVATE).file);
    checkUnchanged(target);
    at("rename");
    renameSync(temp, real);
  } catch (error) {
    tryRemove(temp);
    throw explain(error, `cannot write ${path}`);
  }
  syncFolder(dirname(real));
}

/** Removes the file. */
export function removeTarget(target: Target): void {
  try {
    checkUnchanged(target);
    remove(target.real);
  } catch (error) {
    throw explain(error, `cannot remove ${target.path}`);
  }
}

/** The folder and those of its parents that are not there, outermost first. */
export function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let next = folder; !isThere(next) && dirname(next) !== next; next = dirname(next))
    missing.unshift(next);
  return missing;
}

/** Makes the folder that a file is to lie in, and its parents; answers those made, outermost first. */
export function makeFolders(folder: string, isShared: boolean): string[] {
  const made: string[] = [];
  for (const path of missingFolders(folder)) {
    try {
      at("mkdir");
      mkdirSync(path, { mode: (isShared ? SHARED : PRIVATE).folder });
      made.push(path);
    } catch (error) {
      if (errorCode(error) === "EEXIST") continue;
      removeFolders(made);
      throw explain(error, `cannot make the folder ${path}`);
    }
  }
  return made;
}

/** Removes folders that were made, as far as they are empty. */
export function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something else lies there by now.
    }
  }
}

function isUnchanged({ real, bytes }: Pick<Target, "real" | "bytes">): boolean {
  const now = readFile(real, { maxBytes: MAX_BYTES });
  return now === undefined || bytes === undefined ? now === bytes : Buffer.compare(now, bytes) === 0;
}

/** Removes a file that is no longer wanted; a failure leaves it. */
export function tryRemove(path: string): void {
  try {
    remove(path);
  } catch {
    // It is named to the person where it matters.
  }
}

function checkUnchanged(target: Target): void {
  if (!isUnchanged(target)) throw new ChangedError(target.path);
}

/** Writes a new file, of the mode and owner of `like`. Throws where one of that name is there. */
export function writeNew(path: string, bytes: Uint8Array, like: Stats | number): void {
  at("open");
  const fd = openSync(path, "wx", typeof like === "number" ? like : PRIVATE.file);
  try {
    at("write");
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    if (typeof like !== "number") {
      at("chmod");
      // Only where it differs: to give a file to its owner needs no right.
      if (ownUid() !== like.uid) fchownSync(fd, like.uid, like.gid);
      fchmodSync(fd, like.mode & 0o7777);
    }
    at("sync");
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncFolder(folder: string): void {
  try {
    const fd = openSync(folder, "r");
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Some file systems cannot sync a folder; the file itself is written.
  }
}

function resolveLinks(path: string): string {
  let next = resolve(path);
  for (let links = 0; links < LINKS_MAX; links++) {
    at("stat");
    const real = orMissing(undefined, () => realpathSync(next));
    if (real !== undefined) return real;
    if (orMissing(undefined, () => lstatSync(next))?.isSymbolicLink() !== true) {
      // A new file lies where its folder really is.
      return isThere(dirname(next)) ? join(realpathSync(dirname(next)), basename(next)) : next;
    }
    next = resolve(dirname(next), readlinkSync(next));
  }
  throw new InstallError(`the links of ${path} lead in a circle`, "mend the link, then try again");
}

function isThere(path: string): boolean {
  return orMissing(false, () => statSync(path) !== undefined);
}

// The superuser may write everywhere: the mode says what the file's owner wants.
function isWritable(path: string, { mode }: Stats): boolean {
  if ((mode & 0o222) === 0) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
