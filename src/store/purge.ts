// SPDX-License-Identifier: Apache-2.0
// Removes what isthmos keeps, by choice: files in its own folders, and files of its names. A link is removed where a
// file is meant, and never followed. Nothing here opens an entry.
import { join } from "node:path";
import { list, remove, removeTree, stat } from "../files.ts";
import { oldKeyFile, readKeyBytes } from "./key.ts";
import { forgetMaster } from "./key-source.ts";
import { checkFolder, entryId, entryName, revealedFolder, storeFolder } from "./layout.ts";
import { waitForLock } from "./lock.ts";
import { describeError, StoreError } from "./store-error.ts";
import { addTombstones, clearTombstones, dropTombstones } from "./tombstones.ts";

export interface PurgeOptions {
  readonly stateDir: string;
  readonly keyFile: string;
  readonly ttlHours: number;
  /** ids: these originals; expired: what is past its time; all: originals and what tells of them; everything: log, health record and key too. */
  readonly what: { readonly ids: readonly string[] } | "expired" | "all" | "everything";
  /** Counts, removes nothing. */
  readonly dryRun: boolean;
}

/** Files and bytes of one kind that went, or would. */
export interface Purged {
  /** store: what else lies in its folder; marks: of what was revealed. */
  readonly what: "originals" | "store" | "marks" | "references" | "log" | "health" | "key";
  readonly files: number;
  readonly bytes: number;
}

export interface PurgeReport {
  readonly purged: readonly Purged[];
  /** What could not be removed, with the reason. */
  readonly problems: readonly string[];
  /** Names in the state folder that stay after `everything`: they tell how to undo an installation, or run. */
  readonly left: readonly string[];
}

interface Pile {
  readonly what: Purged["what"];
  readonly paths: readonly string[];
}

const HOUR_MS = 60 * 60 * 1000;
const LOCK_WAIT_MS = 10 * 1000;
/** Folders are entered this deep: seen/SESSION/GENERATION/READER/pending. */
const DEPTH_MAX = 6;

/** Removes what is chosen, and says what and how many bytes. Throws StoreError where the store may not be touched. */
export function purge(options: PurgeOptions): PurgeReport {
  const folder = storeFolder(options.stateDir);
  const checked = checkFolder(folder);
  if (checked.state === "foreign") {
    throw new StoreError("store_foreign", checked.reason, "move it away, or set ISTHMOS_STATE_DIR");
  }
  // Else a rotation that is at work could bring an entry back.
  const release =
    checked.state === "missing" || options.dryRun ? () => {} : waitForLock(folder, LOCK_WAIT_MS);
  try {
    return purgePiles(folder, options);
  } finally {
    release();
  }
}

function purgePiles(folder: string, options: PurgeOptions): PurgeReport {
  const problems: string[] = [];
  const piles = choose(folder, options);
  const ids = piles.flatMap(({ what, paths }) => (what === "originals" ? paths : [])).flatMap(idOfPath);
  if (!options.dryRun) attempt(problems, folder, () => noteGone(folder, options.what, ids));
  const purged = piles.map(({ what, paths }): Purged => {
    let [files, bytes] = [0, 0];
    for (const path of paths) {
      const size = stat(path)?.size;
      if (size === undefined) continue;
      if (!options.dryRun && !attempt(problems, path, () => removeOne(path, what))) continue;
      files++;
      bytes += size;
    }
    return { what, files, bytes };
  });
  if (!options.dryRun && isWhole(options.what)) attempt(problems, folder, () => removeFolders(options));
  const left = options.what === "everything" ? namesLeft(options.stateDir) : [];
  return { purged: purged.filter(({ files }) => files > 0), problems, left };
}

function choose(folder: string, { stateDir, keyFile, ttlHours, what }: PurgeOptions): Pile[] {
  if (typeof what === "object") {
    return [{ what: "originals", paths: what.ids.map((id) => join(folder, entryName(id))) }];
  }
  const inStore = (list(folder) ?? []).map((name) => join(folder, name));
  if (what === "expired") {
    const isOver = (path: string) => Date.now() - (stat(path)?.mtimeMs ?? Infinity) > ttlHours * HOUR_MS;
    return [
      { what: "originals", paths: inStore.filter((path) => idOfPath(path).length > 0 && isOver(path)) },
    ];
  }
  const isOriginal = (path: string) => idOfPath(path).length > 0;
  const piles: Pile[] = [
    { what: "originals", paths: inStore.filter(isOriginal) },
    // The lock is given back at the end.
    { what: "store", paths: inStore.filter((path) => !isOriginal(path) && path !== join(folder, ".lock")) },
    { what: "marks", paths: filesBelow(revealedFolder(stateDir)) },
    { what: "references", paths: filesBelow(join(stateDir, "seen")) },
  ];
  if (what === "all") return piles;
  const named = (pattern: RegExp) =>
    (list(stateDir) ?? []).filter((name) => pattern.test(name)).map((name) => join(stateDir, name));
  return [
    ...piles,
    { what: "log", paths: named(/^measure(?:-[\w-]+)?\.jsonl$/) },
    { what: "health", paths: named(/^health\.jsonl(?:\.1)?$/) },
    { what: "key", paths: [keyFile, oldKeyFile(keyFile)] },
  ];
}

/** What is past its time is told as expired afterwards, what was purged as not found. */
function noteGone(folder: string, what: PurgeOptions["what"], ids: readonly string[]): void {
  if (checkFolder(folder).state === "missing") return;
  if (what === "expired") addTombstones(folder, ids);
  else if (isWhole(what)) clearTombstones(folder);
  else dropTombstones(folder, new Set(ids));
}

function isWhole(what: PurgeOptions["what"]): boolean {
  return what === "all" || what === "everything";
}

function removeOne(path: string, what: Purged["what"]): void {
  const file = what === "key" ? readKeyBytes(path) : undefined;
  remove(path);
  if (file !== undefined && !forgetMaster(file)) throw new Error("its key is left in the keychain");
}

function removeFolders({ stateDir }: PurgeOptions): void {
  for (const folder of [revealedFolder(stateDir), join(stateDir, "seen")]) {
    if (stat(folder)?.isDirectory()) removeTree(folder);
  }
}

function namesLeft(stateDir: string): string[] {
  const own = /^(?:store|seen|revealed|measure(?:-[\w-]+)?\.jsonl|health\.jsonl(?:\.1)?)$/;
  return (list(stateDir) ?? []).filter((name) => !own.test(name)).sort();
}

function filesBelow(folder: string, depth = 0): string[] {
  if (depth > DEPTH_MAX || !stat(folder)?.isDirectory()) return [];
  return (list(folder) ?? []).flatMap((name) => {
    const path = join(folder, name);
    return stat(path)?.isDirectory() ? filesBelow(path, depth + 1) : [path];
  });
}

function idOfPath(path: string): string[] {
  const id = entryId(path.slice(path.lastIndexOf("/") + 1));
  return id === undefined ? [] : [id];
}

/** False, with the reason kept, where `run` throws. */
function attempt(problems: string[], path: string, run: () => void): boolean {
  try {
    run();
    return true;
  } catch (error) {
    problems.push(`${path}: ${describeError(error)}`);
    return false;
  }
}
