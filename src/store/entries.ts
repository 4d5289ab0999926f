// SPDX-License-Identifier: Apache-2.0
// What is known of the stored originals, for `store list` and `store show`: heads, sizes, times; never a region.
import { join } from "node:path";
import { readFile, stat } from "../files.ts";
import { listIds } from "./inspect.ts";
import { checkFolder, entryName } from "./layout.ts";
import { CANNOT_OPEN, type KeyReaders, withOldKeys } from "./load.ts";
import { ENTRY_FILE_MAX_BYTES, type Inspected, inspectEntry } from "./seal.ts";
import { describeError } from "./store-error.ts";

/** One stored original. Times are ms since 1970. */
export interface Entry {
  readonly id: string;
  readonly status: "ok" | "expired" | "unavailable";
  /** Last saved or renewed; it is given back until `expiresAt`. */
  readonly renewedAt: number;
  readonly expiresAt: number;
  /** Size of its file. */
  readonly fileBytes: number;
  /** From the opened entry; absent where it cannot be opened. */
  readonly head?: {
    readonly tool: string;
    readonly kind: string;
    readonly savedAt: number;
    readonly bytes: number;
  };
  /** Why it cannot be opened. */
  readonly reason?: string;
}

const HOUR_MS = 60 * 60 * 1000;

/** All entries, newest first; none where the folder may not be used. Never throws. */
export function listEntries(folder: string, ttlHours: number, readKeys: KeyReaders): Entry[] {
  try {
    if (checkFolder(folder).state !== "ok") return [];
  } catch {
    return [];
  }
  const open = makeOpener(readKeys);
  const entries = listIds(folder).flatMap((id) => describeEntry(folder, id, ttlHours, open) ?? []);
  return entries.sort((a, b) => b.renewedAt - a.renewedAt || (a.id < b.id ? -1 : 1));
}

type Open = (id: string, entry: Uint8Array) => Extract<Inspected, { status: "ok" }> | string;

/** Undefined where it went meanwhile. */
function describeEntry(folder: string, id: string, ttlHours: number, open: Open): Entry | undefined {
  const path = join(folder, entryName(id));
  const found = tryRun(() => stat(path));
  if (found === undefined) return undefined;
  const renewedAt = typeof found === "string" ? 0 : found.mtimeMs;
  const expiresAt = renewedAt + ttlHours * HOUR_MS;
  const fileBytes = typeof found === "string" ? 0 : found.size;
  const known = { id, renewedAt, expiresAt, fileBytes };
  const entry = tryRun(() => readFile(path, { maxBytes: ENTRY_FILE_MAX_BYTES }));
  if (entry === undefined) return undefined;
  const opened = typeof entry === "string" ? `the entry cannot be read (${entry})` : open(id, entry);
  if (typeof opened === "string") return { ...known, status: "unavailable", reason: opened };
  const { tool, kind, savedAt, length: bytes } = opened;
  const status = Date.now() > expiresAt ? "expired" : "ok";
  return { ...known, status, head: { tool, kind, savedAt, bytes } };
}

/** Opens entries under the present key or, while a rotation is not done, the one before; else the reason. */
function makeOpener(readKeys: KeyReaders): Open {
  const present = readKeys.present();
  if (present.state !== "ok") return () => present.reason;
  const candidates = [...withOldKeys(present.keys, readKeys)];
  return (id, entry) => {
    const tried = candidates.map((keys) => inspectEntry(keys("seal"), id, entry));
    for (const inspected of tried) if (inspected.status === "ok") return inspected;
    const [first] = tried;
    return first === undefined || first.status === "ok" ? "" : CANNOT_OPEN[first.status];
  };
}

/** What `run` answers, or the words of its error. */
function tryRun<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return describeError(error);
  }
}
