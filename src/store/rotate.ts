// SPDX-License-Identifier: Apache-2.0
// A new key. At every moment each entry opens under a key that is on the disk:
//   1. the key file is copied to `.old`       2. the new key replaces the key file      (each whole or not at all)
//   3. entries are sealed anew, one by one, under their old ids      4. `.old` goes when none is left
// Whoever loads tries both keys; who saves looks at the key once more afterwards (vault.ts). A rotation that was killed
// is finished by the next one.
import { dirname, join } from "node:path";
import type { KeyKind } from "../core/rules/settings.ts";
import { createExclusive, makePrivateDir, readFile, remove, stat, writeAtomic } from "../files.ts";
import { ensureKeys } from "./ensure-keys.ts";
import { listIds, readNames } from "./inspect.ts";
import { isSame, type Keys, oldKeyFile, openKeys, readKeyBytes } from "./key.ts";
import { forgetMaster, makeKeyFile, openMaster } from "./key-source.ts";
import { isLeftover, removeKeyTemps } from "./key-temps.ts";
import { checkFolder, entryName, storeFolder } from "./layout.ts";
import { CANNOT_OPEN } from "./load.ts";
import { waitForLock } from "./lock.ts";
import { idOf } from "./region-id.ts";
import { moveMarks } from "./revealed.ts";
import { ENTRY_FILE_MAX_BYTES, inspectEntry, openEntry, resealEntry } from "./seal.ts";
import { describeError, StoreError } from "./store-error.ts";
import { settleOuts } from "./sweep.ts";

export interface RotateOptions {
  readonly stateDir: string;
  readonly keyFile: string;
  /** Where the new key is kept; as now, where it is left out. */
  readonly kind?: KeyKind;
}

export interface Rotated {
  /** finished: one that was killed before; made: there was no key. */
  readonly outcome: "rotated" | "finished" | "made";
  readonly kind: KeyKind;
  /** Entries that were sealed anew. */
  readonly resealed: number;
  /** Entries that open under neither key; they are left as they are. */
  readonly unreadable: number;
  /** True where the keychain still holds the key before. */
  readonly leftBehind: boolean;
}

const LOCK_WAIT_MS = 10 * 1000;
/** A person waits here, and may have to unlock the keychain. */
const KEYCHAIN_WAIT_MS = 60 * 1000;
/** The second look finds what was written under the old key while the first went on. */
const PASSES = 2;

/** Replaces the key. Throws StoreError; what was begun is then finished by the next call. */
export function rotateKey(options: RotateOptions): Rotated {
  const folder = storeFolder(options.stateDir);
  try {
    const checked = checkFolder(folder);
    if (checked.state === "foreign") {
      throw new StoreError("store_foreign", checked.reason, "move it away, or set ISTHMOS_STATE_DIR");
    }
    makePrivateDir(folder);
    const release = waitForLock(folder, LOCK_WAIT_MS);
    try {
      const rotated = rotate(folder, options);
      // Copies of the key from rotations that were killed.
      removeKeyTemps(options.keyFile, (temp) => isLeftover(temp, Date.now()));
      return rotated;
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const message = `the rotation could not be finished (${describeError(error)})`;
    throw new StoreError("store_failed", message, "run isthmos store key rotate again");
  }
}

function rotate(folder: string, options: RotateOptions): Rotated {
  const { keyFile, stateDir } = options;
  const oldFile = oldKeyFile(keyFile);
  const readPresent = openKeys(keyFile);
  const present = readPresent();
  const nothing = { resealed: 0, unreadable: 0, leftBehind: false };
  if (present.state === "missing" && stat(oldFile) === undefined) {
    const kind = options.kind ?? "file";
    ensureKeys(readPresent, { keyFile, stateDir, keyKind: kind });
    return { outcome: "made", kind, ...nothing, unreadable: listIds(folder).length };
  }
  if (present.state === "unusable") throw new StoreError("key_unusable", present.reason, present.hint);

  const kind = options.kind ?? (present.state === "ok" ? present.kind : "file");
  const isPending = stat(oldFile) !== undefined && !isSwapDue(keyFile, oldFile);
  if (!isPending || present.state === "missing") swapKey(keyFile, kind, present.state === "ok");
  const swapped = readPresent();
  if (swapped.state !== "ok") throw new StoreError("key_unusable", swapped.reason, swapped.hint);

  const done = resealAll(folder, stateDir, swapped.keys, oldFile);
  const oldBytes = readKeyBytes(oldFile);
  const leftBehind = oldBytes !== undefined && !forgetMaster(oldBytes);
  remove(oldFile);
  // One that was killed is done now; what was asked for may be more.
  if (isPending && options.kind !== undefined && options.kind !== swapped.kind)
    return rotate(folder, options);
  return { outcome: isPending ? "finished" : "rotated", kind: swapped.kind, ...done, leftBehind };
}

/** True if a rotation was killed before the new key was in place. */
function isSwapDue(keyFile: string, oldFile: string): boolean {
  const [present, old] = [readKeyBytes(keyFile), readKeyBytes(oldFile)];
  return present !== undefined && old !== undefined && isSame(present, old);
}

function swapKey(keyFile: string, kind: KeyKind, isThere: boolean): void {
  const present = readKeyBytes(keyFile);
  if (isThere && present === undefined) {
    throw new StoreError("key_unusable", "the key file cannot be read any more", "run isthmos doctor");
  }
  const file = makeKeyFile(kind, KEYCHAIN_WAIT_MS);
  const made = openMaster(file);
  if (made.state !== "ok") throw new StoreError("key_unusable", made.reason, made.hint);
  makePrivateDir(dirname(keyFile));
  try {
    if (present !== undefined) createExclusive(oldKeyFile(keyFile), present, { sync: true });
    writeAtomic(keyFile, file, { sync: true });
  } catch (error) {
    forgetMaster(file);
    throw error;
  }
}

function resealAll(folder: string, stateDir: string, keys: Keys, oldFile: string) {
  const old = openKeys(oldFile)();
  // Entries whose sweeper was killed come back first; what has run out goes with the next sweep.
  settleOuts(folder, () => false);
  let resealed = 0;
  let unreadable = 0;
  for (let pass = 0; pass < PASSES; pass++) {
    unreadable = 0;
    const { ids, outs } = readNames(folder);
    if (outs > 0) {
      throw new StoreError("store_failed", `${outs} entries cannot be put back`, "run isthmos doctor");
    }
    for (const id of ids) {
      const outcome = reseal(folder, stateDir, id, keys, old.state === "ok" ? old.keys : undefined);
      if (outcome === "resealed") resealed++;
      if (outcome === "unreadable") unreadable++;
    }
  }
  if (unreadable > 0 && old.state === "unusable") {
    throw new StoreError("key_unusable", `the key before: ${old.reason}`, old.hint);
  }
  return { resealed, unreadable };
}

/** An entry that cannot be written is an error; one that cannot be opened is not. */
function reseal(folder: string, stateDir: string, id: string, keys: Keys, old: Keys | undefined) {
  const path = join(folder, entryName(id));
  const found = stat(path);
  if (found === undefined) return "gone";
  const entry =
    found.isFile() &&
    found.size <= ENTRY_FILE_MAX_BYTES &&
    readFile(path, { maxBytes: ENTRY_FILE_MAX_BYTES });
  if (entry === false) return "unreadable";
  if (entry === undefined) return "gone";
  const { status } = inspectEntry(keys("seal"), id, entry);
  if (status === "ok") return "present";
  if (status === "newer") {
    throw new StoreError("store_failed", `${CANNOT_OPEN.newer}: ${id}`, "rotate with that version");
  }
  const sealed = old && resealEntry(old("seal"), keys("seal"), id, entry);
  if (sealed === undefined) return "unreadable";
  moveMarks(stateDir, id, () => {
    const opened = openEntry(keys("seal"), id, sealed);
    return opened.status === "ok" ? idOf(keys, opened.bytes) : undefined;
  });
  // On the disk before the old key goes, and as old as it was.
  writeAtomic(path, sealed, { sync: true, modifiedMs: found.mtimeMs });
  return "resealed";
}
