// SPDX-License-Identifier: Apache-2.0
// Which texts a reader already got whole (C12). PostToolUse leaves a pending mark, PostToolBatch promotes it when
// the host reports that the text arrived; only then can it be referred to, so never within one turn.
//   seen/<session>/<generation>/<reader>/<length>-<crc32>                      HMAC over ids, tool and bytes
//   seen/<session>/<generation>/<reader>/pending/<call>.<length>-<crc32>       empty
// Everything is best effort: what fails is no reference and one health code. Crypto loads only for a candidate.
import { join } from "node:path";
import type { KeyKind } from "../core/rules/settings.ts";
import { createDir, createEmpty, list, readFile, remove, removeTree, stat, writeAtomic } from "../files.ts";
import { recordHealth } from "../health.ts";
import { loadCrypto } from "./builtins.ts";
import { crc32 } from "./crc32.ts";
import { ensureKeys } from "./ensure-keys.ts";
import { currentGeneration, raiseGeneration, sweepSessions } from "./generation.ts";
import { type Keys, openKeys } from "./key.ts";
import { shortHash } from "./short-hash.ts";

/** Who reads: the main agent of a session has no `agent`. */
export interface Reader {
  readonly session: string;
  readonly agent?: string | undefined;
}

export interface SeenText extends Reader {
  readonly tool: string;
  readonly bytes: Uint8Array;
}

export interface PendingText extends Reader {
  readonly useId: string;
  /** The region as the tool wrote it; it is promoted only if it arrives like this. */
  readonly bytes: Uint8Array;
}

export interface Seen {
  /** A boundary of the session: from here on nothing from before is referred to. `starts`: it may have references. */
  beginGeneration(session: string, event: { readonly starts: boolean }): void;
  /** When this reader got exactly these bytes of this tool whole (ms since 1970), or undefined. */
  find(text: SeenText): { readonly savedAt: number } | undefined;
  /** Notes what a call is about to deliver unchanged. */
  pend(text: PendingText): void;
  /** Takes what the host reports as delivered for a call, in place of what was pending for it. */
  promote(text: SeenText & { readonly useId: string }): void;
}

/** Below this a reference saves too little for its risk. */
export const SEEN_MIN_BYTES = 4096;
/** The model may have lost sight of what is older. */
const SEEN_MS = 60 * 60 * 1000;
/** A time further ahead comes from a clock that was set back, and says nothing about the age. */
const CLOCK_SLACK_MS = 60 * 1000;
const ENTRIES_MAX = 2000;
/** More calls than any turn has; where no batch is ever reported the marks are dropped at this count. */
const PENDING_MAX = 256;
const MAC_BYTES = 32;
const PENDING = "pending";

/** The seen index below `stateDir`; touches nothing on the disk. Its methods never throw. */
export function openSeen(stateDir: string, keyFile: string, keyKind?: KeyKind): Seen {
  const readKeys = openKeys(keyFile);

  function attempt<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch {
      recordHealth(stateDir, "seen_failed");
      return undefined;
    }
  }

  return {
    beginGeneration: (session, { starts }) => {
      attempt(() => raiseGeneration(stateDir, session, starts));
      if (starts) attempt(() => sweepSessions(stateDir));
    },

    find: (text) =>
      attempt(() => {
        const folder = text.bytes.length < SEEN_MIN_BYTES ? undefined : readerFolder(stateDir, text);
        if (folder === undefined) return undefined;
        const path = join(folder, fingerprint(text.bytes));
        const savedAt = stat(path)?.mtimeMs;
        if (savedAt === undefined || !isFresh(savedAt)) return undefined;
        const key = readKeys();
        const mac = readFile(path, { maxBytes: MAC_BYTES });
        if (key.state !== "ok" || mac?.length !== MAC_BYTES) return undefined;
        return loadCrypto().timingSafeEqual(mac, prove(key.keys, text)) ? { savedAt } : undefined;
      }),

    pend: (text) =>
      attempt(() => {
        const folder = text.bytes.length < SEEN_MIN_BYTES ? undefined : readerFolder(stateDir, text);
        if (folder === undefined) return;
        const pending = join(folder, PENDING);
        // Level by level: a generation that ended meanwhile must not come back.
        createDir(folder);
        createDir(pending);
        if ((list(pending)?.length ?? 0) >= PENDING_MAX) {
          removeTree(pending);
          createDir(pending);
        }
        createEmpty(join(pending, `${shortHash(text.useId)}.${fingerprint(text.bytes)}`));
      }),

    promote: (text) =>
      attempt(() => {
        const folder = readerFolder(stateDir, text);
        if (folder === undefined) return;
        const pending = join(folder, PENDING);
        const prefix = `${shortHash(text.useId)}.`;
        const marks = (list(pending) ?? []).filter((name) => name.startsWith(prefix));
        if (marks.includes(prefix + fingerprint(text.bytes)) && hasRoom(folder)) {
          const mac = prove(ensureKeys(readKeys, { keyFile, stateDir, ...(keyKind && { keyKind }) }), text);
          writeAtomic(join(folder, fingerprint(text.bytes)), mac);
        }
        for (const mark of marks) remove(join(pending, mark));
      }),
  };
}

/** Undefined where this reader has no references, because its session never started. */
function readerFolder(stateDir: string, { session, agent = "" }: Reader): string | undefined {
  const generation = currentGeneration(stateDir, session);
  return generation === undefined ? undefined : join(generation, shortHash(agent));
}

const fingerprints = new WeakMap<Uint8Array, string>();

/** Remembered for each array, as `find` and `pend` ask for the same one. */
function fingerprint(bytes: Uint8Array): string {
  let name = fingerprints.get(bytes);
  if (name === undefined) {
    name = `${bytes.length}-${crc32(bytes).toString(16).padStart(8, "0")}`;
    fingerprints.set(bytes, name);
  }
  return name;
}

/** The ids are in it as they are, so that two that share a short hash do not share a reference. */
function prove(keys: Keys, { session, agent = "", tool, bytes }: SeenText): Uint8Array {
  // JSON holds no NUL, so where the names end is never in doubt.
  const names = `${JSON.stringify([session, agent, tool])}\0`;
  return loadCrypto().createHmac("sha256", keys("seen")).update(names).update(bytes).digest();
}

function isFresh(savedAt: number): boolean {
  const age = Date.now() - savedAt;
  return age <= SEEN_MS && age >= -CLOCK_SLACK_MS;
}

function hasRoom(folder: string): boolean {
  const names = (list(folder) ?? []).filter((name) => name !== PENDING);
  if (names.length < ENTRIES_MAX) return true;
  const stale = names.filter((name) => !isFresh(stat(join(folder, name))?.mtimeMs ?? 0));
  for (const name of stale) remove(join(folder, name));
  return names.length - stale.length < ENTRIES_MAX;
}
