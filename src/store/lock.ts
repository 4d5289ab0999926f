// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { createExclusive, isRunning, ownPid, readFile, remove, stat } from "../files.ts";
import { StoreError } from "./store-error.ts";

const LOCK = ".lock";
/** No sweep and no rotation takes as long; whoever held it is gone, or on another machine. */
const HELD_MS = 10 * 60 * 1000;
/** A process number has at most 10 digits. */
const LOCK_MAX_BYTES = 32;
const LOOK_EVERY_MS = 50;

/** Gives the lock back; never throws. */
export type Release = () => void;

/**
 * The store's lock, which sweeps, rotations and purges hold, or undefined where another process has it. One whose
 * holder was killed is taken over; if two do so at once, both work, which does no harm. Throws what the file system says.
 */
export function takeLock(folder: string): Release | undefined {
  const lock = join(folder, LOCK);
  const own = new TextEncoder().encode(String(ownPid()));
  if (!createExclusive(lock, own)) {
    if (isHeld(lock)) return undefined;
    remove(lock);
    if (!createExclusive(lock, own)) return undefined;
  }
  return () => {
    try {
      remove(lock);
    } catch {
      // The next one takes it over.
    }
  };
}

/** Waits for the lock, for at most `waitMs`. Throws StoreError `store_failed` where it stays taken. */
export function waitForLock(folder: string, waitMs: number): Release {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const release = takeLock(folder);
    if (release !== undefined) return release;
    if (waited >= waitMs) {
      throw new StoreError(
        "store_failed",
        "another process sweeps, purges or rotates",
        "try again in a minute",
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
}

function isHeld(lock: string): boolean {
  const found = stat(lock);
  if (found === undefined || Math.abs(Date.now() - found.mtimeMs) > HELD_MS) return false;
  const text = new TextDecoder().decode(readFile(lock, { maxBytes: LOCK_MAX_BYTES }));
  // Without a number it is a lock of version 0.5, and its age alone counts. Nobody in this process holds one across
  // a wait: a lock of ours could not be given back.
  return !/^\d{1,10}$/.test(text) || (Number(text) !== ownPid() && isRunning(Number(text)));
}
