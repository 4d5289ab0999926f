// SPDX-License-Identifier: Apache-2.0
// Names inside the store folder, and whether the folder may be used at all.
import { join } from "node:path";
import { ownUid, stat } from "../files.ts";

/** Lower-case hex of 16 digits: the only text that becomes part of a path. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

export function storeFolder(stateDir: string): string {
  return join(stateDir, "store");
}

export function revealedFolder(stateDir: string): string {
  return join(stateDir, "revealed");
}

export function entryName(id: string): string {
  return `${id}.bin`;
}

/** The id of an entry's name, or undefined. */
export function entryId(name: string): string | undefined {
  return /^([0-9a-f]{16})\.bin$/.exec(name)?.[1];
}

/**
 * What the Go program (isthmos 0.4) left in the same folder: `.bin` entries with a plain `.meta` beside them, and
 * its key. Nothing here can open them.
 */
export function findLeftovers(names: readonly string[]): Set<string> {
  const metas = names.filter((name) => /^[0-9a-f]+\.meta$/.test(name));
  const present = new Set(names);
  const leftovers = metas.flatMap((meta) => [meta, meta.replace(/meta$/, "bin")]);
  return new Set([...leftovers, "store.key"].filter((name) => present.has(name)));
}

/** True of the name of a mark of what was revealed. */
export function isMark(name: string): boolean {
  return /^[0-9a-f]{16}-\d+$/.test(name);
}

/** The name that a file had before a sweep put it aside, or undefined. */
export function nameBeforeOut(name: string): string | undefined {
  return /^((?:[0-9a-f]+\.(?:bin|meta))|store\.key)\.[0-9a-z]*\.out$/.exec(name)?.[1];
}

export type FolderState =
  | { readonly state: "ok"; readonly mode: number }
  | { readonly state: "missing" }
  | { readonly state: "foreign"; readonly reason: string };

/** Parents may be links, this folder may not; its owner must be this user. */
export function checkFolder(path: string): FolderState {
  const found = stat(path);
  if (found === undefined) return { state: "missing" };
  if (found.isSymbolicLink()) return { state: "foreign", reason: "the store folder is a symbolic link" };
  if (!found.isDirectory()) return { state: "foreign", reason: "the store folder is not a folder" };
  const uid = ownUid();
  if (uid !== undefined && found.uid !== uid) {
    return { state: "foreign", reason: "the store folder belongs to another user" };
  }
  return { state: "ok", mode: found.mode };
}
