// SPDX-License-Identifier: Apache-2.0
// The store: originals of cut regions, sealed, on this machine. `save` throws a StoreError, so that no marker is
// delivered for what is not stored; nothing that lies on the disk makes another method throw. An id from outside
// becomes part of a path only if it is one.
import { join } from "node:path";
import { ID_DIGITS } from "../core/marker.ts";
import { makePrivateDir, narrowDir, stat, touch, writeAtomic } from "../files.ts";
import { loadCrypto } from "./builtins.ts";
import { ensureKeys } from "./ensure-keys.ts";
import { countEntries, listIds, type StoreStats } from "./inspect.ts";
import { type KeyState, type Keys, openKeys } from "./key.ts";
import { checkFolder, entryName, isId, storeFolder } from "./layout.ts";
import { DOCTOR_HINT, holdsEntry, type Loaded, loadEntry, unavailable } from "./load.ts";
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
}

export const STORE_DEFAULTS: StoreLimits = {
  ttlHours: 168,
  maxBytes: 128 * 1024 * 1024,
  maxEntries: 2000,
  maxEntryBytes: REGION_MAX_BYTES,
};

const HOUR_MS = 60 * 60 * 1000;
const WIDE = 0o077;

/** The store of these options; touches nothing on the disk. */
export function openStore(options: StoreOptions): Store {
  return new Store(options);
}

export class Store {
  readonly #options: StoreOptions;
  readonly #folder: string;
  readonly #keys: () => KeyState;
  #lastLoaded: { readonly id: string; readonly length: number } | undefined;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#folder = storeFolder(options.stateDir);
    this.#keys = openKeys(options.keyFile);
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
      const path = join(this.#folder, entryName(id));
      // The look after the renewal finds out whether a sweep took the entry in between.
      const isRenewed = holdsEntry(this.#folder, keys, id) && touch(path) && stat(path) !== undefined;
      if (!isRenewed) {
        writeAtomic(path, sealEntry(keys("seal"), id, { ...head, savedAt: Date.now() }, bytes));
      }
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
      if (loaded.status === "ok") this.#lastLoaded = { id, length: loaded.bytes.length };
      return loaded;
    } catch (error) {
      return unavailable(`the entry cannot be read (${describeError(error)})`, DOCTOR_HINT);
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
      if (this.#lastLoaded) markRevealed(this.#options.stateDir, id, this.#lastLoaded.length);
    } catch {
      // Without the mark the text may be cut once more, with a marker that cites the same entry.
    }
  }

  /** True if exactly these bytes were given back within the last hour. Never throws. */
  revealedWithinHour(bytes: Uint8Array): boolean {
    try {
      const ids = revealedIds(this.#options.stateDir, bytes.length);
      if (ids.length === 0) return false;
      const key = this.#keys();
      return key.state === "ok" && ids.includes(idOf(key.keys, bytes));
    } catch {
      return false;
    }
  }

  /** Counts by file names and sizes. Never throws. */
  stats(): StoreStats {
    return countEntries(this.#folder);
  }

  /** How many entries the present key cannot open, whatever the reason; reads all of them. Never throws. */
  unreadable(): number {
    const key = this.#keys();
    const ids = listIds(this.#folder);
    return key.state === "ok"
      ? ids.filter((id) => !holdsEntry(this.#folder, key.keys, id)).length
      : ids.length;
  }

  /** The state of the key file; makes nothing. Never throws. */
  keyState(): { readonly state: KeyState["state"]; readonly reason?: string; readonly hint?: string } {
    const { state, reason, hint } = this.#keys();
    return { state, ...(reason !== undefined && { reason }), ...(hint !== undefined && { hint }) };
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
    return ensureKeys(this.#keys, this.#options);
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

function idOf(keys: Keys, bytes: Uint8Array): string {
  return loadCrypto().createHmac("sha256", keys("id")).update(bytes).digest("hex").slice(0, ID_DIGITS);
}
