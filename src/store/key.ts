// SPDX-License-Identifier: Apache-2.0
// The key file: 32 random bytes, or where they are (key-source.ts), made once and replaced only by a rotation, which
// keeps the one before beside it until it is done. One key for each purpose is derived from the 32 bytes.
import { dirname } from "node:path";
import type { KeyKind } from "../core/rules/settings.ts";
import { createExclusive, makePrivateDir, ownUid, readFile, stat } from "../files.ts";
import { loadCrypto } from "./builtins.ts";
import {
  forgetMaster,
  KEY_BYTES,
  KEY_FILE_MAX_BYTES,
  keyKind,
  makeKeyFile,
  openMaster,
} from "./key-source.ts";
import { describeError } from "./store-error.ts";

/** `id` names entries, `seal` encrypts them, `seen` proves that a text was delivered before. */
export type KeyPurpose = "id" | "seal" | "seen";

/** The keys of one key file, each derived when first asked for. */
export type Keys = (purpose: KeyPurpose) => Uint8Array;

export type KeyState =
  | {
      readonly state: "ok";
      readonly keys: Keys;
      readonly kind: KeyKind;
      readonly reason?: string;
      readonly hint?: string;
    }
  | { readonly state: "missing" | "unusable"; readonly reason: string; readonly hint: string };

const NO_KEY = `the key file does not hold ${KEY_BYTES} bytes`;
const WRITABLE_BY_OTHERS = 0o022;
const READABLE_BY_OTHERS = 0o044;

/** A reader of the key file that derives each key once as long as the file holds the same bytes. */
export function openKeys(keyFile: string): () => KeyState {
  let last: Uint8Array | undefined;
  let keys: Keys | undefined;
  return () => {
    const read = readKeyFile(keyFile);
    if (read.state !== "ok") return read;
    const { file, ...rest } = read;
    // A resident process must notice that its key was replaced.
    if (keys === undefined || last === undefined || !isSame(file, last)) {
      const opened = openMaster(file);
      if (opened.state !== "ok") return opened;
      last = file;
      keys = deriveLazily(opened.master);
    }
    return { ...rest, kind: keyKind(file) ?? "file", keys };
  };
}

/** Where a rotation keeps the key before, as long as entries may be sealed under it. */
export function oldKeyFile(keyFile: string): string {
  return `${keyFile}.old`;
}

/** The bytes of the key file, checked like the file of `openKeys`; undefined where there are none that may be used. */
export function readKeyBytes(keyFile: string): Uint8Array | undefined {
  const read = readKeyFile(keyFile);
  return read.state === "ok" ? read.file : undefined;
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

type KeyFile =
  | { readonly state: "ok"; readonly file: Uint8Array; readonly reason?: string; readonly hint?: string }
  | Exclude<KeyState, { state: "ok" }>;

function readKeyFile(path: string): KeyFile {
  const unusable = (reason: string, hint: string): KeyFile => ({ state: "unusable", reason, hint });
  const aside = "restore it from a backup, or move it away to begin with a new key";
  try {
    const found = stat(path);
    if (found === undefined) {
      return {
        state: "missing",
        reason: "there is no key file",
        hint: "it is made when something is first stored",
      };
    }
    if (!found.isFile()) return unusable("the key file is not a regular file", aside);
    const uid = ownUid();
    if (uid !== undefined && found.uid !== uid) {
      return unusable("the key file belongs to another user", "set ISTHMOS_KEY_FILE to a file of your own");
    }
    if ((found.mode & WRITABLE_BY_OTHERS) !== 0 && uid !== undefined) {
      return unusable("the key file can be written by others", "chmod 600 the key file");
    }
    const file = readFile(path, { maxBytes: KEY_FILE_MAX_BYTES });
    if (file === undefined || keyKind(file) === undefined) return unusable(NO_KEY, aside);
    if ((found.mode & READABLE_BY_OTHERS) !== 0 && uid !== undefined) {
      return {
        state: "ok",
        file,
        reason: "the key file can be read by others",
        hint: "chmod 600 the key file",
      };
    }
    return { state: "ok", file };
  } catch (error) {
    if (describeError(error) === "EFBIG") return unusable(NO_KEY, aside);
    return unusable(
      `the key file cannot be read (${describeError(error)})`,
      "make it readable for this user",
    );
  }
}

/** The last master key: a resident process opens the same one at every call, and deriving is the longest part of it. */
let lastDerived: { readonly master: Uint8Array; readonly keys: Keys } | undefined;

function deriveLazily(master: Uint8Array): Keys {
  if (lastDerived !== undefined && isSame(lastDerived.master, master)) return lastDerived.keys;
  const derived = new Map<KeyPurpose, Uint8Array>();
  const keys: Keys = (purpose) => {
    let key = derived.get(purpose);
    if (key === undefined) {
      key = new Uint8Array(loadCrypto().hkdfSync("sha256", master, "", `isthmos/${purpose}/v1`, KEY_BYTES));
      derived.set(purpose, key);
    }
    return key;
  };
  lastDerived = { master, keys };
  return keys;
}

/**
 * Makes the key file and its folder; false if another process was first. Throws what the file system says, and
 * StoreError where no key of that kind can be made.
 */
export function createKeyFile(keyFile: string, kind: KeyKind = "file"): boolean {
  makePrivateDir(dirname(keyFile));
  const file = makeKeyFile(kind);
  const created = createExclusive(keyFile, file, { sync: true });
  if (!created) forgetMaster(file);
  return created;
}
