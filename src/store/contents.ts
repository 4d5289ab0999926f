// SPDX-License-Identifier: Apache-2.0
// Whose is what in the folders that isthmos keeps, by names and kinds. Whatever is not known here is somebody else's:
// it is never counted as an original, and never removed. A link or a folder in place of a file is not ours either.
import { join } from "node:path";
import { listTypes, parseTemp, stat } from "../files.ts";
import { entryId, findLeftovers, isMark, nameBeforeOut, revealedFolder, storeFolder } from "./layout.ts";

/** Names in the store folder. */
export interface StoreContents {
  /** Originals. */
  readonly entries: readonly string[];
  /** Files of the Go program. */
  readonly leftovers: readonly string[];
  /** What else is ours, without the lock: marks of the sweep, tombstones, and what killed processes left. */
  readonly rest: readonly string[];
  readonly foreign: readonly string[];
}

/** What is ours and what is not in one folder, as paths; a folder comes after what is in it, the whole one last. */
export interface Tree {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly foreign: readonly string[];
}

const LOCK = ".lock";
const MARKERS: ReadonlySet<string> = new Set([".swept", ".written", ".gone"]);
// SESSION/GENERATION/READER/pending, and the files in the last two.
const SEEN_FOLDER = /^[0-9a-f]{16}(?:\/\d{1,9}(?:\/[0-9a-f]{16}(?:\/pending)?)?)?$/;
const SEEN_FILE =
  /^[0-9a-f]{16}\/\d{1,9}\/[0-9a-f]{16}\/(?:\d+-[0-9a-f]{8}|pending\/[0-9a-f]{16}\.\d+-[0-9a-f]{8})$/;

/** What lies in the store folder. Throws what the file system says. */
export function readStore(folder: string): StoreContents {
  const found = listTypes(folder) ?? [];
  const names = found.filter(({ isFile }) => isFile).map(({ name }) => name);
  const leftovers = findLeftovers(names);
  const entries = names.filter((name) => entryId(name) !== undefined && !leftovers.has(name));
  const rest = names.filter(
    (name) => MARKERS.has(name) || parseTemp(name) !== undefined || nameBeforeOut(name) !== undefined,
  );
  const own = new Set([...entries, ...leftovers, ...rest, LOCK]);
  const foreign = found.map(({ name }) => name).filter((name) => !own.has(name));
  return { entries, leftovers: [...leftovers], rest, foreign: foreign.sort() };
}

/** What lies among the marks of what was revealed. Throws what the file system says. */
export function readMarks(stateDir: string): Tree {
  return readRoot(revealedFolder(stateDir), { isFile: isMark, isFolder: () => false });
}

/** What lies in the seen index. Throws what the file system says. */
export function readReferences(stateDir: string): Tree {
  return readRoot(seenFolder(stateDir), {
    isFile: (path) => SEEN_FILE.test(path),
    isFolder: (path) => SEEN_FOLDER.test(path),
  });
}

/** True of the folder of originals and the two of what tells of them. */
export function isOwnFolder(stateDir: string, path: string): boolean {
  return [storeFolder, revealedFolder, seenFolder].some((folder) => folder(stateDir) === path);
}

function seenFolder(stateDir: string): string {
  return join(stateDir, "seen");
}

interface Known {
  readonly isFile: (path: string) => boolean;
  readonly isFolder: (path: string) => boolean;
}

function readRoot(root: string, known: Known): Tree {
  const found = stat(root);
  // What lies behind a link is not looked at.
  if (!found?.isDirectory()) {
    return { files: [], folders: [], foreign: found === undefined ? [] : [root] };
  }
  const inside = readTree(root, "", known);
  return { ...inside, folders: [...inside.folders, root] };
}

/** `below`: where in the tree, with a slash at its end; it goes no deeper than `known` does. */
function readTree(root: string, below: string, known: Known): Tree {
  const [files, folders, foreign]: [string[], string[], string[]] = [[], [], []];
  for (const { name, isFile, isDir } of listTypes(join(root, below)) ?? []) {
    const path = below + name;
    if (isFile && (known.isFile(path) || parseTemp(name) !== undefined)) files.push(join(root, path));
    else if (isDir && known.isFolder(path)) {
      const inside = readTree(root, `${path}/`, known);
      files.push(...inside.files);
      folders.push(...inside.folders, join(root, path));
      foreign.push(...inside.foreign);
    } else foreign.push(join(root, path));
  }
  return { files, folders, foreign };
}
