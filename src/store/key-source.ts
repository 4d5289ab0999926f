// SPDX-License-Identifier: Apache-2.0
// What a key file says: the 32 bytes themselves, or (as JSON) where they are: in the keychain of the system, or
// sealed under a passphrase. The tool or scrypt is asked once in a process for one file; the default costs nothing.
import type { KeyKind } from "../core/rules/settings.ts";
import { readPassphrase } from "../env.ts";
import { loadCrypto } from "./builtins.ts";
import { type Entrusted, entrustKey, fetchKey, forgetKey, parseEntrusted } from "./keychain.ts";
import { openSealedKey, parseSealedKey, type SealedKey, sealKey } from "./passphrase.ts";

export const KEY_BYTES = 32;
/** Of a whole key file; a DPAPI blob is the longest thing in one. */
export const KEY_FILE_MAX_BYTES = 8 * 1024;

/** The key that a file leads to, or why it cannot be had. */
export type Master =
  | { readonly state: "ok"; readonly master: Uint8Array }
  | { readonly state: "unusable"; readonly reason: string; readonly hint: string };

type Source = { readonly kind: "file" } | Entrusted | SealedKey;

const OPEN_BRACE = 0x7b;
/** A keychain that is locked may be unlocked soon; asking it for every tool call would make each wait. */
const REFUSED_MS = 60 * 1000;

let remembered: { readonly asked: string; readonly master: Master; readonly at: number } | undefined;

/** Where the bytes of a key file say that the key is; undefined for what is no key file of this version. */
export function keyKind(file: Uint8Array): KeyKind | undefined {
  return parseSource(file)?.kind;
}

/** The key that the bytes of a key file lead to. Never throws. */
export function openMaster(file: Uint8Array): Master {
  const source = parseSource(file);
  if (source?.kind === "file") return { state: "ok", master: file };
  if (source === undefined) {
    const hint = "restore it from a backup, or move it away to begin with a new key";
    return { state: "unusable", reason: `the key file does not hold ${KEY_BYTES} bytes`, hint };
  }
  const asked = JSON.stringify(source) + (source.kind === "passphrase" ? readPassphrase() : "");
  const isFresh = remembered?.master.state === "ok" || Date.now() - (remembered?.at ?? 0) < REFUSED_MS;
  if (remembered?.asked === asked && isFresh) return remembered.master;
  const master = source.kind === "passphrase" ? openSealedKey(source, readPassphrase()) : fetchKey(source);
  remembered = { asked, master, at: Date.now() };
  return master;
}

/**
 * A new random key, put where `kind` says, and the bytes of its file. `waitMs` bounds a keychain's answer.
 * Throws StoreError `key_unusable`.
 */
export function makeKeyFile(kind: KeyKind, waitMs?: number): Uint8Array {
  const master = new Uint8Array(loadCrypto().randomBytes(KEY_BYTES));
  if (kind === "file") return master;
  const source = kind === "passphrase" ? sealKey(master, readPassphrase()) : entrustKey(master, waitMs);
  return new TextEncoder().encode(`${JSON.stringify(source)}\n`);
}

/** Removes what a key file leads to from the keychain; the file itself stays. True if nothing is left there. Never throws. */
export function forgetMaster(file: Uint8Array): boolean {
  const source = parseSource(file);
  return source?.kind === "keychain" ? forgetKey(source) : true;
}

function parseSource(file: Uint8Array): Source | undefined {
  if (file.length === KEY_BYTES) return { kind: "file" };
  if (file[0] !== OPEN_BRACE) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(file));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  return fields.get("kind") === "keychain" ? parseEntrusted(fields) : parseSealedKey(fields);
}
