// SPDX-License-Identifier: Apache-2.0
// Removes what isthmos keeps, by choice: regular files that have a name of its own. Whatever else lies among them
// stays and is named, a link or a folder in place of a file too. Nothing here opens an entry.
import { basename, join } from "node:path";
import { listTypes, parseTemp, remove, removeDir, stat } from "../files.ts";
import { isOwnFolder, readMarks, readReferences, readStore } from "./contents.ts";
import { oldKeyFile, readKeyBytes } from "./key.ts";
import { forgetMaster } from "./key-source.ts";
import { findKeyTemps } from "./key-temps.ts";
import { checkFolder, entryId, entryName, storeFolder } from "./layout.ts";
import { waitForLock } from "./lock.ts";
import { describeError, StoreError } from "./store-error.ts";
import { addTombstones, dropTombstones } from "./tombstones.ts";

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
  /**
   * What stays after `all` or `everything`, from the state folder: what isthmos did not make in its folders, and after
   * `everything` also what tells how to undo an installation, or runs. The key, if it stays, is named by its path.
   */
  readonly left: readonly string[];
}

interface Pile {
  readonly what: Purged["what"];
  readonly paths: readonly string[];
}

interface Choice {
  readonly piles: readonly Pile[];
  /** They go if they are empty then. */
  readonly folders: readonly string[];
  readonly left: readonly string[];
}

const HOUR_MS = 60 * 60 * 1000;
const LOCK_WAIT_MS = 10 * 1000;
const LOG = /^measure(?:-[\w-]+)?\.jsonl$/;
const HEALTH = /^health\.jsonl(?:\.1)?$/;

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
  const { piles, folders, left } = choose(folder, options);
  const ids = piles.flatMap(({ what, paths }) => (what === "originals" ? paths : [])).flatMap(idOfPath);
  if (!options.dryRun) attempt(problems, folder, () => noteGone(folder, options.what, ids));
  const purged = piles.map(({ what, paths }): Purged => {
    let [files, bytes] = [0, 0];
    for (const path of paths) {
      const found = stat(path);
      if (!found?.isFile()) continue;
      if (!options.dryRun && !attempt(problems, path, () => removeOne(path, what))) continue;
      files++;
      bytes += found.size;
    }
    return { what, files, bytes };
  });
  if (!options.dryRun) {
    for (const path of folders) attempt(problems, path, () => void removeDir(path));
  }
  return { purged: purged.filter(({ files }) => files > 0), problems, left };
}

function choose(folder: string, { stateDir, keyFile, ttlHours, what }: PurgeOptions): Choice {
  const originals = (paths: readonly string[]): Choice => ({
    piles: [{ what: "originals", paths }],
    folders: [],
    left: [],
  });
  if (typeof what === "object") return originals(what.ids.map((id) => join(folder, entryName(id))));
  const inStore = (names: readonly string[]) => names.map((name) => join(folder, name));
  const store = readStore(folder);
  const entries = inStore(store.entries);
  if (what === "expired") {
    return originals(
      entries.filter((path) => Date.now() - (stat(path)?.mtimeMs ?? Infinity) > ttlHours * HOUR_MS),
    );
  }
  const trees = [readMarks(stateDir), readReferences(stateDir)] as const;
  const keys = [keyFile, oldKeyFile(keyFile), ...findKeyTemps(keyFile).map(({ path }) => path)];
  const [marks, references] = trees;
  const rest = inStore([...store.leftovers, ...store.rest]).filter((path) => !keys.includes(path));
  const foreign = [...inStore(store.foreign), ...trees.flatMap((tree) => tree.foreign)];
  const folders = trees.flatMap((tree) => tree.folders);
  const piles: readonly Pile[] = [
    { what: "originals", paths: entries },
    { what: "store", paths: rest },
    { what: "marks", paths: marks.files },
    { what: "references", paths: references.files },
  ];
  if (what === "all") return { piles, folders, left: nameLeft(stateDir, foreign) };
  const top = readTop(stateDir);
  const all: readonly Pile[] = [
    ...piles,
    { what: "log", paths: top.log },
    { what: "health", paths: top.health },
    { what: "key", paths: keys },
  ];
  const going = new Set(all.flatMap(({ paths }) => paths));
  // A key file that is none stays, wherever it is.
  const odd = keys.filter((path) => !(stat(path)?.isFile() ?? true));
  const left = [...foreign, ...top.others, ...odd].filter((path) => odd.includes(path) || !going.has(path));
  return { piles: all, folders, left: nameLeft(stateDir, left) };
}

/** What lies in the state folder itself, but for the folders that are looked into. */
function readTop(stateDir: string): Record<"log" | "health" | "others", string[]> {
  const top: Record<"log" | "health" | "others", string[]> = { log: [], health: [], others: [] };
  for (const { name, isFile } of listTypes(stateDir) ?? []) {
    const path = join(stateDir, name);
    if (isOwnFolder(stateDir, path)) continue;
    const target = parseTemp(name)?.target ?? name;
    const pile = !isFile ? "others" : LOG.test(target) ? "log" : HEALTH.test(target) ? "health" : "others";
    top[pile].push(path);
  }
  return top;
}

function nameLeft(stateDir: string, paths: readonly string[]): string[] {
  const prefix = join(stateDir, "/");
  const names = paths.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
  return [...new Set(names)].sort();
}

/** What is past its time is told as expired afterwards, what was purged as not found. */
function noteGone(folder: string, what: PurgeOptions["what"], ids: readonly string[]): void {
  if (checkFolder(folder).state === "missing") return;
  if (what === "expired") addTombstones(folder, ids);
  // Else the whole list goes, with what else lies in the store.
  else if (typeof what === "object") dropTombstones(folder, new Set(ids));
}

function removeOne(path: string, what: Purged["what"]): void {
  const file = what === "key" ? readKeyBytes(path) : undefined;
  remove(path);
  // A leftover may lead to a key that went just before.
  const isGone = file === undefined || forgetMaster(file) || parseTemp(basename(path)) !== undefined;
  if (!isGone) throw new Error("its key is left in the keychain");
}

function idOfPath(path: string): string[] {
  const id = entryId(basename(path));
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
