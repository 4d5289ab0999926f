// SPDX-License-Identifier: Apache-2.0
// The store: originals of cut regions, sealed, on this machine. `save` throws a StoreError, so that no marker is
// delivered for what is not stored; nothing that lies on the disk makes another method throw. An id from outside
// becomes part of a path only if it is one.
import { join } from "node:path";
import type { KeyKind } from "../core/rules/settings.ts";
import { makePrivateDir, narrowDir, stat, touch, writeAtomic } from "../files.ts";
import { ensureKeys } from "./ensure-keys.ts";
import { type Entry, listEntries } from "./entries.ts";
import { countEntries, type StoreStats } from "./inspect.ts";
import { type KeyState, type Keys, oldKeyFile, openKeys } from "./key.ts";
import { checkFolder, entryName, isId, storeFolder } from "./layout.ts";
import { DOCTOR_HINT, holdsEntry, type KeyReaders, type Loaded, loadEntry, unavailable } from "./load.ts";
import { idOf } from "./region-id.ts";
import { type ResolvedId, resolveId } from "./resolve-id.ts";
import { markRevealed, revealedIds } from "./revealed.ts";
import { REGION_MAX_BYTES, sealEntry } from "./seal.ts";
import { describeError, StoreError } from "./store-error.ts";
import { noteWritten, sweep } from "./sweep.ts";

export interface StoreLimits {
  readonly ttlHours: number;
  /** Of all entry files. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /** Of one region; above 32 MiB it changes nothing. */
  readonly maxEntryBytes: number;
}

export interface StoreOptions extends StoreLimits {
  readonly stateDir: string;
  readonly keyFile: string;
  /** Where a new key is kept; default "file". A key that is there is used wherever it is. */
  readonly keyKind?: KeyKind;
}

export interface KeySummary {
  readonly state: KeyState["state"];
  readonly reason?: string;
  readonly hint?: string;
  /** Where the key is, if it can be used. */
  readonly kind?: KeyKind;
  /** True while the key before is there too: a rotation runs, or was killed. */
  readonly isRotating: boolean;
}

export const STORE_DEFAULTS: StoreLimits = {
  ttlHours: 168,
  maxBytes: 128 * 1024 * 1024,
  maxEntries: 2000,
  maxEntryBytes: REGION_MAX_BYTES,
};

const HOUR_MS = 60 * 60 * 1000;
const WIDE = 0o077;
/** More rotations than this do not fall into one save. */
const ROTATIONS_MAX = 8;

/** The store of these options; touches nothing on the disk. */
export function openStore(options: StoreOptions): Store {
  return new Store(options);
}

export class Store {
  readonly #options: StoreOptions;
  readonly #folder: string;
  readonly #keys: KeyReaders;
  #lastLoaded: { readonly id: string; readonly bytes: Uint8Array; readonly moved: boolean } | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#folder = storeFolder(options.stateDir);
    this.#keys = { present: openKeys(options.keyFile), old: openKeys(oldKeyFile(options.keyFile)) };
  }

  /** Stores a region, or renews it; when this returns, `load` of the id gives it back. Throws StoreError. */
  save(bytes: Uint8Array, head: { readonly tool: string; readonly kind: string }): string {
    const limit = Math.min(this.#options.maxEntryBytes, REGION_MAX_BYTES);
    if (bytes.length > limit) {
      throw new StoreError(
        "store_failed",
        `the original is larger than ${limit} bytes`,
        "raise ISTHMOS_STORE_MAX_ENTRY_BYTES",
      );
    }
    try {
      this.#makeFolder();
      const keys = this.#ensureKeys();
      const id = idOf(keys, bytes);
      const isRenewed = this.#write(keys, id, head, bytes);
      // Renewals count as one unit, so that what is too old goes even if nothing new is ever saved.
      this.#sweepIfDue(isRenewed ? 0 : bytes.length);
      return id;
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw new StoreError(
        "store_failed",
        `cannot store the original (${describeError(error)})`,
        DOCTOR_HINT,
      );
    }
  }

  /** The id of a region, stored or not; makes the key if there is none. Throws StoreError. */
  id(bytes: Uint8Array): string {
    return idOf(this.#ensureKeys(), bytes);
  }

  /** The region of an id. Never throws. */
  load(id: string): Loaded {
    try {
      const loaded = loadEntry(this.#folder, id, this.#options.ttlHours, this.#keys);
      if (loaded.status === "ok") {
        this.#lastLoaded = { id, bytes: loaded.bytes, moved: loaded.moved === true };
      }
      return loaded;
    } catch (error) {
      return unavailable(`the entry cannot be read (${describeError(error)})`, DOCTOR_HINT);
    }
  }

  /** The id that a text of 8 digits or more begins, or why there is none. Never throws. */
  find(prefix: string): ResolvedId {
    try {
      return resolveId(this.#folder, prefix);
    } catch (error) {
      const problem = `the store folder cannot be looked at (${describeError(error)})`;
      return { status: "unavailable", problem, hint: DOCTOR_HINT };
    }
  }

  /** True if an entry of this name is there; neither opened nor looked into. */
  has(id: string): boolean {
    try {
      return isId(id) && stat(join(this.#folder, entryName(id)))?.isFile() === true;
    } catch {
      return false;
    }
  }

  /** Notes that the region of this id was given back, for `revealedWithinHour`. Best effort. */
  markRevealed(id: string): void {
    try {
      if (this.#lastLoaded?.id !== id && this.load(id).status !== "ok") return;
      if (this.#lastLoaded === undefined) return;
      const { bytes, moved } = this.#lastLoaded;
      // The mark is looked for under the id that the present key gives the text.
      markRevealed(this.#options.stateDir, moved ? this.id(bytes) : id, bytes.length);
      this.#lastLoaded = undefined;
    } catch {
      // Without the mark the text may be cut once more, with a marker that cites the same entry.
    }
  }

  /** True if exactly these bytes were given back within the last hour. Never throws. */
  revealedWithinHour(bytes: Uint8Array): boolean {
    try {
      const ids = revealedIds(this.#options.stateDir, bytes.length);
      if (ids.length === 0) return false;
      const key = this.#keys.present();
      return key.state === "ok" && ids.includes(idOf(key.keys, bytes));
    } catch {
      return false;
    }
  }

  /** Counts by file names and sizes. Never throws. */
  stats(): StoreStats {
    return countEntries(this.#folder);
  }

  /** How many entries cannot be opened, whatever the reason; reads all of them. Never throws. */
  unreadable(): number {
    return this.list().filter(({ status }) => status === "unavailable").length;
  }

  /** What is known of each entry, newest first; reads and opens all of them. Never throws. */
  list(): Entry[] {
    return listEntries(this.#folder, this.#options.ttlHours, this.#keys);
  }

  /** The state of the key file; makes nothing. Never throws. */
  keyState(): KeySummary {
    const key = this.#keys.present();
    const { state, reason, hint } = key;
    return {
      state,
      ...(reason !== undefined && { reason }),
      ...(hint !== undefined && { hint }),
      ...(key.state === "ok" && { kind: key.kind }),
      isRotating: this.#keys.old().state !== "missing",
    };
  }

  /** Writes or renews an entry; true if it was there already. Throws what the file system says, and StoreError. */
  #write(keys: Keys, id: string, head: { tool: string; kind: string }, bytes: Uint8Array): boolean {
    const path = join(this.#folder, entryName(id));
    // The look after the renewal finds out whether a sweep took the entry in between.
    const isRenewed = holdsEntry(this.#folder, keys, id) && touch(path) && stat(path) !== undefined;
    const full = { tool: head.tool, kind: head.kind, savedAt: Date.now() };
    if (!isRenewed) writeAtomic(path, sealEntry(keys("seal"), id, full, bytes));
    let sealedUnder = keys;
    for (let tries = 0; tries < ROTATIONS_MAX; tries++) {
      const now = this.#keys.present();
      if (now.state !== "ok" || now.keys === sealedUnder) return isRenewed;
      // The key was rotated meanwhile, and the rotation may have been past this name before it was written.
      sealedUnder = now.keys;
      writeAtomic(path, sealEntry(sealedUnder("seal"), id, { ...full, moved: true }, bytes));
    }
    throw new StoreError("store_failed", "the key is rotated again and again", DOCTOR_HINT);
  }

  #makeFolder(): void {
    let folder = checkFolder(this.#folder);
    if (folder.state === "missing") {
      makePrivateDir(this.#folder);
      folder = checkFolder(this.#folder);
    }
    if (folder.state === "foreign") {
      throw new StoreError("store_foreign", folder.reason, "move it away, or set ISTHMOS_STATE_DIR");
    }
    if (folder.state === "ok" && (folder.mode & WIDE) !== 0) narrowDir(this.#folder);
  }

  #ensureKeys(): Keys {
    return ensureKeys(this.#keys.present, this.#options);
  }

  #sweepIfDue(written: number): void {
    const { stateDir, keyFile, ttlHours, maxBytes, maxEntries } = this.#options;
    try {
      if (!noteWritten(stateDir, written)) return;
      sweep({ stateDir, keyFile, ttlMs: ttlHours * HOUR_MS, maxBytes, maxEntries });
    } catch {
      // The entry is stored; the next sweep finds what this one left.
    }
  }
}
