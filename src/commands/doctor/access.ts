// SPDX-License-Identifier: Apache-2.0
import { accessSync, constants, lstatSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, orMissing } from "../../faults.ts";

/** Why nothing can be written in the folder `path`, or made where it is missing; undefined: it can. Tries nothing. */
export function explainFolder(path: string, show: (path: string) => string): string | undefined {
  let nearest = path;
  let found = statOf(nearest);
  while (found === undefined && dirname(nearest) !== nearest) {
    if (isLink(nearest)) return `${show(nearest)} is a link to what is not there`;
    nearest = dirname(nearest);
    found = statOf(nearest);
  }
  if (typeof found === "string") return `${show(nearest)} cannot be looked at (${found})`;
  if (!found?.isDirectory()) return `${show(nearest)} is not a folder`;
  const refusal = refusalOf(nearest, constants.W_OK | constants.X_OK);
  if (refusal !== undefined) return `${show(nearest)} cannot be written (${refusal})`;
  return isFull(nearest) ? `the disk of ${show(nearest)} is full` : undefined;
}

function isLink(path: string): boolean {
  return orMissing(undefined, () => lstatSync(path))?.isSymbolicLink() ?? false;
}

/** A file system that counts no blocks (0 in all) has no such bound. */
function isFull(path: string): boolean {
  try {
    const { blocks, bavail } = statfsSync(path);
    return blocks > 0 && bavail === 0;
  } catch {
    return false;
  }
}

/** Why the file `path` cannot be read and appended to, or made where it is missing; undefined: it can. */
export function explainFile(path: string, show: (path: string) => string): string | undefined {
  const found = statOf(path);
  if (found === undefined) {
    return isLink(path) ? `${show(path)} is a link to what is not there` : explainFolder(dirname(path), show);
  }
  if (typeof found === "string") return `${show(path)} cannot be looked at (${found})`;
  if (!found.isFile()) return `${show(path)} is not a regular file`;
  if (isFull(path)) return `the disk of ${show(path)} is full`;
  const refusal = refusalOf(path, constants.R_OK | constants.W_OK);
  return refusal && `${show(path)} cannot be written (${refusal})`;
}

/** Why the system would not run the file `path`; undefined: it would. */
export function explainProgram(path: string): string | undefined {
  const found = statOf(path);
  if (found === undefined) return "is not there";
  if (typeof found === "string") return `cannot be looked at (${found})`;
  if (!found.isFile()) return "is not a file";
  return refusalOf(path, constants.X_OK) === undefined ? undefined : "is not executable";
}

function statOf(path: string) {
  try {
    return orMissing(undefined, () => statSync(path));
  } catch (error) {
    return errorCode(error) ?? "unknown error";
  }
}

function refusalOf(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return errorCode(error) ?? "unknown error";
  }
}
