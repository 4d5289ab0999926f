// SPDX-License-Identifier: Apache-2.0
// From an id to the region it names, or to an honest word on why not.
import { join } from "node:path";
import { EXAMPLE_ID, ID_DIGITS } from "../core/marker.ts";
import { readFile, stat } from "../files.ts";
import type { KeyState, Keys } from "./key.ts";
import { checkFolder, entryName, isId } from "./layout.ts";
import { ENTRY_FILE_MAX_BYTES, type EntryHead, inspectEntry, type Opened, openEntry } from "./seal.ts";
import { readTombstones } from "./tombstones.ts";

export type Loaded =
  | (EntryHead & { readonly status: "ok"; readonly bytes: Uint8Array })
  | {
      readonly status: "not_found" | "expired" | "unavailable";
      readonly reason: string;
      readonly hint: string;
    };

/** Readers of the key file and of the one before it (key.ts). */
export interface KeyReaders {
  readonly present: () => KeyState;
  readonly old: () => KeyState;
}

const LOOKS = 2;
const HOUR_MS = 60 * 60 * 1000;
/** The next step where the files on the disk are at fault. */
export const DOCTOR_HINT = "run isthmos doctor";
const NOT_FOUND_HINT = "run the tool again";
const GONE = "kept no longer: past its time to live, or the oldest of a full store";
export const CANNOT_OPEN = {
  foreign: "the entry was not written by this version of isthmos",
  newer: "the entry was written by a later version of isthmos",
  damaged: "the entry is damaged, or sealed under another key",
} satisfies Record<Exclude<Opened["status"], "ok">, string>;

export function unavailable(reason: string, hint: string): Loaded {
  return { status: "unavailable", reason, hint };
}

/** The region of an id; `readKeys` is asked only when there is an entry. Throws what the file system says. */
export function loadEntry(folder: string, id: string, ttlHours: number, readKeys: KeyReaders): Loaded {
  const notFound = (reason: string): Loaded => ({ status: "not_found", reason, hint: NOT_FOUND_HINT });
  if (!isId(id)) return notFound(`an id has ${ID_DIGITS} digits, 0-9 and a-f`);
  if (id === EXAMPLE_ID) return notFound("this id is an example, nothing is ever stored under it");
  const checked = checkFolder(folder);
  if (checked.state === "missing") return notFound("nothing is stored");
  if (checked.state === "foreign") return unavailable(checked.reason, DOCTOR_HINT);
  const path = join(folder, entryName(id));
  const gone = (): Loaded =>
    readTombstones(folder).includes(id)
      ? { status: "expired", reason: GONE, hint: NOT_FOUND_HINT }
      : notFound("no original of this id is stored");
  const found = stat(path);
  if (found === undefined) return gone();
  if (!found.isFile()) return unavailable("the entry is not a regular file", DOCTOR_HINT);
  if (Date.now() - found.mtimeMs > ttlHours * HOUR_MS) {
    return {
      status: "expired",
      reason: `older than ${ttlHours} hours`,
      hint: NOT_FOUND_HINT,
    };
  }
  // A rotation may replace the key or the entry between two looks; what it is done with opens at the second.
  let status: Exclude<Opened["status"], "ok"> = "damaged";
  for (let looks = 0; looks < LOOKS && status === "damaged"; looks++) {
    const key = readKeys.present();
    if (key.state !== "ok") return unavailable(key.reason, key.state === "missing" ? DOCTOR_HINT : key.hint);
    const entry = readFile(path, { maxBytes: ENTRY_FILE_MAX_BYTES });
    if (entry === undefined) return gone();
    for (const keys of withOldKeys(key.keys, readKeys)) {
      const opened = openEntry(keys("seal"), id, entry);
      if (opened.status === "ok") return opened;
      status = opened.status;
    }
  }
  return unavailable(CANNOT_OPEN[status], DOCTOR_HINT);
}

/** The keys that entries may be sealed under: the present ones and, while a rotation is not done, those before. */
export function* withOldKeys(present: Keys, readKeys: KeyReaders): Generator<Keys> {
  yield present;
  const old = readKeys.old();
  if (old.state === "ok") yield old.keys;
}

/** True if the entry opens under these keys. */
export function holdsEntry(folder: string, keys: Keys, id: string): boolean {
  try {
    const entry = readFile(join(folder, entryName(id)), { maxBytes: ENTRY_FILE_MAX_BYTES });
    return entry !== undefined && inspectEntry(keys("seal"), id, entry).status === "ok";
  } catch {
    return false;
  }
}
