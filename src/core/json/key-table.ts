// SPDX-License-Identifier: Apache-2.0
// What there is to know of an object's key, worked out once for each distinct spelling: most keys of a large
// document repeat, so a look-up by the raw bytes saves decoding and matching. Bounded, and only a memory: what
// does not fit is worked out again.
import { type FailureTest, failureTest } from "./failure-keys.ts";
import { decodeString } from "./strings.ts";

export interface KeyFacts {
  /** The decoded name; bytes that are not UTF-8 appear as U+FFFD. */
  readonly name: string;
  readonly dropped: boolean;
  readonly failure: FailureTest | undefined;
}

/** Facts of the key whose quotes stand at `start` and `end - 1` of `bytes`. */
export type KeyTable = (bytes: Uint8Array, start: number, end: number) => KeyFacts;

interface Entry {
  readonly hash: number;
  readonly raw: Uint8Array;
  readonly facts: KeyFacts;
}

/** Slots; a power of two. Distinct keys of real documents are a few hundred. */
const SLOTS = 4096;
/** Slots tried from the hashed one on: bounds the work where many keys share a hash. */
const PROBES = 4;
/** Longer keys are rare and would make the memory large. */
const KEY_MAX_BYTES = 128;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function createKeyTable(drops: (name: string) => boolean): KeyTable {
  const slots: (Entry | undefined)[] = new Array<Entry | undefined>(SLOTS).fill(undefined);
  const workOut = (bytes: Uint8Array, start: number, end: number): KeyFacts => {
    const name = decoder.decode(decodeString(bytes, start, end).text);
    return { name, dropped: drops(name), failure: failureTest(name) };
  };
  const remember = (hash: number, slot: number, bytes: Uint8Array, start: number, end: number): KeyFacts => {
    const facts = workOut(bytes, start, end);
    slots[slot] = { hash, raw: bytes.slice(start + 1, end - 1), facts };
    return facts;
  };
  return (bytes, start, end) => {
    if (end - start > KEY_MAX_BYTES) return workOut(bytes, start, end);
    const hash = hashBytes(bytes, start + 1, end - 1);
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = (hash + probe) & (SLOTS - 1);
      const entry = slots[slot];
      if (entry === undefined) return remember(hash, slot, bytes, start, end);
      if (entry.hash === hash && isSame(entry.raw, bytes, start + 1, end - 1)) return entry.facts;
    }
    // No room: the newest takes the place of another, so that a document of many names cannot fill it for good.
    return remember(hash, hash & (SLOTS - 1), bytes, start, end);
  };
}

/** FNV-1a over the bytes, its upper bits folded in. */
function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function isSame(raw: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (raw.length !== to - from) return false;
  for (let i = 0; i < raw.length; i++) if (raw[i] !== bytes[from + i]) return false;
  return true;
}
