// SPDX-License-Identifier: Apache-2.0

import type { KeyKind } from "../core/rules/settings.ts";
import { recordHealth } from "../health.ts";
import { listIds } from "./inspect.ts";
import { createKeyFile, type KeyState, type Keys } from "./key.ts";
import { storeFolder } from "./layout.ts";
import { describeError, StoreError } from "./store-error.ts";

/** Where keys are, and what kind of key is made where there is none. */
export interface KeyPlace {
  readonly stateDir: string;
  readonly keyFile: string;
  /** Default: "file". */
  readonly keyKind?: KeyKind;
}

/** The keys, made now if there is no key file; parallel first runs agree on one. Throws StoreError `key_unusable`. */
export function ensureKeys(readKeys: () => KeyState, { keyFile, stateDir, keyKind }: KeyPlace): Keys {
  let key = readKeys();
  if (key.state === "missing") {
    // Looked for before: once there is a key, another process may store an entry under it at any moment.
    const hasEntries = listIds(storeFolder(stateDir)).length > 0;
    if (create(keyFile, keyKind) && hasEntries) recordHealth(stateDir, "key_replaced");
    key = readKeys();
  }
  if (key.state === "ok") return key.keys;
  throw new StoreError("key_unusable", key.reason, key.hint);
}

function create(keyFile: string, kind: KeyKind | undefined): boolean {
  try {
    return createKeyFile(keyFile, kind);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const reason = `the key file cannot be made (${describeError(error)})`;
    throw new StoreError("key_unusable", reason, "set ISTHMOS_KEY_FILE to a place that can be written");
  }
}
