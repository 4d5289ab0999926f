// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { at, createNew, errorCode, orMissing } from "./faults.ts";

/** What only its owner may enter. */
const DIR_MODE = 0o700;

/** Makes the folder and its missing parents, 0700 on every level it makes. Present folders stay as they are. */
export function makePrivateDir(path: string): void {
  // Not by `recursive`: Node.js tries for ever where a parent is there and answers ENOENT all the same, as a removed
  // working folder, /proc and a dangling link do.
  const missing: string[] = [];
  for (let next = path; !isFolder(next); next = dirname(next)) {
    if (dirname(next) === next)
      throw Object.assign(new Error(`ENOENT: no such folder, '${path}'`), { code: "ENOENT", path });
    missing.push(next);
  }
  for (const folder of missing.reverse()) {
    at("mkdir");
    try {
      mkdirSync(folder, { mode: DIR_MODE });
    } catch (error) {
      // Another process was first; or something else has that name, which is an error.
      if (errorCode(error) !== "EEXIST" || !isFolder(folder)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  at("stat");
  return orMissing(false, () => statSync(path).isDirectory());
}

/** Makes this one folder; false if something of that name exists. Its parent must be there. */
export function createDir(path: string): boolean {
  return createNew(() => {
    at("mkdir");
    mkdirSync(path, DIR_MODE);
  });
}

/** Names in the folder with what is no regular file told apart, unsorted, or undefined if there is no such folder. */
export function listTypes(
  path: string,
): { readonly name: string; readonly isFile: boolean; readonly isDir: boolean }[] | undefined {
  return orMissing(undefined, () => {
    at("list");
    return readdirSync(path, { withFileTypes: true }).map((found) => ({
      name: found.name,
      isFile: found.isFile(),
      isDir: found.isDirectory(),
    }));
  });
}

/** Takes group's and other's rights from a folder of ours. */
export function narrowDir(path: string): void {
  at("chmod");
  chmodSync(path, DIR_MODE);
}

/** Removes an empty folder; false if there is none, or something is in it. */
export function removeDir(path: string): boolean {
  return orMissing(false, () => {
    try {
      at("remove");
      rmdirSync(path);
      return true;
    } catch (error) {
      // Some systems say EEXIST of a folder that is not empty.
      if (errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST") return false;
      throw error;
    }
  });
}

/** Removes a folder with all in it, links not followed; no error if there is none. */
export function removeTree(path: string): void {
  at("remove");
  rmSync(path, { recursive: true, force: true });
}
