// SPDX-License-Identifier: Apache-2.0
// The key file: 32 random bytes, made once and never overwritten, from which one key for each purpose is derived.
import { dirname } from "node:path";
import { createExclusive, makePrivateDir, ownUid, readFile, stat } from "../files.ts";
import { loadCrypto } from "./builtins.ts";
import { describeError } from "./store-error.ts";

/** `id` names entries, `seal` encrypts them, `seen` proves that a text was delivered before. */
export type KeyPurpose = "id" | "seal" | "seen";

/** The keys of one key file, each derived when first asked for. */
export type Keys = (purpose: KeyPurpose) => Uint8Array;

export type KeyState =
  | { readonly state: "ok"; readonly keys: Keys; readonly reason?: string; readonly hint?: string }
  | { readonly state: "missing" | "unusable"; readonly reason: string; readonly hint: string };

const KEY_BYTES = 32;
const WRITABLE_BY_OTHERS = 0o022;
const READABLE_BY_OTHERS = 0o044;

/** A reader of the key file that derives each key once as long as the file holds the same bytes. */
export function openKeys(keyFile: string): () => KeyState {
  let last: Uint8Array | undefined;
  let keys: Keys | undefined;
  return () => {
    const read = readKeyFile(keyFile);
    if (read.state !== "ok") return read;
    const { master, ...rest } = read;
    // A resident process must notice that its key was replaced.
    if (keys === undefined || !last?.every((byte, i) => byte === master[i])) {
      last = master;
      keys = deriveLazily(master);
    }
    return { ...rest, keys };
  };
}

type KeyFile =
  | { readonly state: "ok"; readonly master: Uint8Array; readonly reason?: string; readonly hint?: string }
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
    const master = readFile(path, { maxBytes: KEY_BYTES });
    if (master?.length !== KEY_BYTES) return unusable(`the key file does not hold ${KEY_BYTES} bytes`, aside);
    if ((found.mode & READABLE_BY_OTHERS) !== 0 && uid !== undefined) {
      return {
        state: "ok",
        master,
        reason: "the key file can be read by others",
        hint: "chmod 600 the key file",
      };
    }
    return { state: "ok", master };
  } catch (error) {
    if (describeError(error) === "EFBIG")
      return unusable(`the key file does not hold ${KEY_BYTES} bytes`, aside);
    return unusable(
      `the key file cannot be read (${describeError(error)})`,
      "make it readable for this user",
    );
  }
}

function deriveLazily(master: Uint8Array): Keys {
  const derived = new Map<KeyPurpose, Uint8Array>();
  return (purpose) => {
    let key = derived.get(purpose);
    if (key === undefined) {
      key = new Uint8Array(loadCrypto().hkdfSync("sha256", master, "", `isthmos/${purpose}/v1`, KEY_BYTES));
      derived.set(purpose, key);
    }
    return key;
  };
}

/** Makes the key file and its folder; false if another process was first. Throws what the file system says. */
export function createKeyFile(keyFile: string): boolean {
  makePrivateDir(dirname(keyFile));
  return createExclusive(keyFile, loadCrypto().randomBytes(KEY_BYTES), { sync: true });
}
