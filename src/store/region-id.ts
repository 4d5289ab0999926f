// SPDX-License-Identifier: Apache-2.0
import { ID_DIGITS } from "../core/marker.ts";
import { loadCrypto } from "./builtins.ts";
import type { Keys } from "./key.ts";

/** The id that a region has under these keys. */
export function idOf(keys: Keys, bytes: Uint8Array): string {
  return loadCrypto().createHmac("sha256", keys("id")).update(bytes).digest("hex").slice(0, ID_DIGITS);
}
