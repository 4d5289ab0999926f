// SPDX-License-Identifier: Apache-2.0
// From an id to the region it names, or to an honest word on why not.
import { join } from "node:path";
import { EXAMPLE_ID, ID_DIGITS } from "../core/marker.ts";
import { readFile, stat } from "../files.ts";
import type { KeyState, Keys } from "./key.ts";
import { checkFolder, entryName, isId } from "./layout.ts";
import { ENTRY_FILE_MAX_BYTES, type EntryHead, type Opened, openEntry, verifyEntry } from "./seal.ts";

export type Loaded =
  | (EntryHead & { readonly status: "ok"; readonly bytes: Uint8Array })
  | {
      readonly status: "not_found" | "expired" | "unavailable";
      readonly reason: string;
      readonly hint: string;
    };

const HOUR_MS = 60 * 60 * 1000;
/** The next step where the files on the disk are at fault. */
export const DOCTOR_HINT = "run isthmos doctor";
const NOT_FOUND_HINT = "run the tool again";
const CANNOT_OPEN = {
  foreign: "the entry was not written by this version of isthmos",
  newer: "the entry was written by a later version of isthmos",
  damaged: "the entry is damaged, or sealed under another key",
} satisfies Record<Exclude<Opened["status"], "ok">, string>;

export function unavailable(reason: string, hint: string): Loaded {
  return { status: "unavailable", reason, hint };
}

/** The region of an id; `readKeys` is asked only when there is an entry. Throws what the file system says. */
export function loadEntry(folder: string, id: string, ttlHours: number, readKeys: () => KeyState): Loaded {
  const notFound = (reason: string): Loaded => ({ status: "not_found", reason, hint: NOT_FOUND_HINT });
  if (!isId(id)) return notFound(`an id has ${ID_DIGITS} digits, 0-9 and a-f`);
  if (id === EXAMPLE_ID) return notFound("this id is an example, nothing is ever stored under it");
  const checked = checkFolder(folder);
  if (checked.state === "missing") return notFound("nothing is stored");
  if (checked.state === "foreign") return unavailable(checked.reason, DOCTOR_HINT);
  const path = join(folder, entryName(id));
  const found = stat(path);
  if (found === undefined) return notFound("no original of this id is stored");
  if (!found.isFile()) return unavailable("the entry is not a regular file", DOCTOR_HINT);
  if (Date.now() - found.mtimeMs > ttlHours * HOUR_MS) {
    return {
      status: "expired",
      reason: `older than ${ttlHours} hours`,
      hint: NOT_FOUND_HINT,
    };
  }
  const key = readKeys();
  if (key.state !== "ok") return unavailable(key.reason, DOCTOR_HINT);
  const entry = readFile(path, { maxBytes: ENTRY_FILE_MAX_BYTES });
  if (entry === undefined) return notFound("no original of this id is stored");
  const opened = openEntry(key.keys("seal"), id, entry);
  return opened.status === "ok" ? opened : unavailable(CANNOT_OPEN[opened.status], DOCTOR_HINT);
}

/** True if the entry opens under these keys. */
export function holdsEntry(folder: string, keys: Keys, id: string): boolean {
  try {
    const entry = readFile(join(folder, entryName(id)), { maxBytes: ENTRY_FILE_MAX_BYTES });
    return entry !== undefined && verifyEntry(keys("seal"), id, entry) === "ok";
  } catch {
    return false;
  }
}
