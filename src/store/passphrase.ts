// SPDX-License-Identifier: Apache-2.0
// A key under a passphrase: scrypt makes a key of it that seals the real one with AES-256-GCM, so that a wrong
// passphrase is told from a right one. The passphrase is in no file.
import { loadCrypto } from "./builtins.ts";
import type { Master } from "./key-source.ts";
import { StoreError } from "./store-error.ts";

/** Binary fields as base64. */
export interface SealedKey {
  readonly kind: "passphrase";
  readonly kdf: "scrypt";
  readonly n: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
  readonly nonce: string;
  /** The key, encrypted, and the tag. */
  readonly sealed: string;
}

/** About 60 ms and 32 MiB on a laptop: a hook that starts anew pays it for each call that stores. */
const COST = { n: 2 ** 15, r: 8, p: 1 } as const;
/** A file that asks for more would stop the hook. */
const COST_MAX = { n: 2 ** 20, r: 32, p: 4 } as const;
const MEMORY_MAX_BYTES = 256 * 1024 * 1024;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = "aes-256-gcm";
const HINT = "set ISTHMOS_PASSPHRASE to the passphrase of this key";

/** Seals a key. Throws StoreError `key_unusable` where there is no passphrase. */
export function sealKey(master: Uint8Array, passphrase: string | undefined): SealedKey {
  if (passphrase === undefined) {
    throw new StoreError("key_unusable", "there is no passphrase for a new key", "set ISTHMOS_PASSPHRASE");
  }
  const { createCipheriv, randomBytes } = loadCrypto();
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, stretch(passphrase, salt, COST), nonce);
  const sealed = Buffer.concat([cipher.update(master), cipher.final(), cipher.getAuthTag()]);
  const [saltText, nonceText, sealedText] = [salt, nonce, sealed].map((bytes) => bytes.toString("base64"));
  return {
    kind: "passphrase",
    kdf: "scrypt",
    ...COST,
    salt: saltText ?? "",
    nonce: nonceText ?? "",
    sealed: sealedText ?? "",
  };
}

/** Opens a sealed key. Never throws. */
export function openSealedKey(source: SealedKey, passphrase: string | undefined): Master {
  if (passphrase === undefined) {
    return { state: "unusable", reason: "the key needs a passphrase, and none is set", hint: HINT };
  }
  try {
    const [salt, nonce, sealed] = [source.salt, source.nonce, source.sealed].map((text) =>
      Buffer.from(text, "base64"),
    );
    if (salt === undefined || nonce === undefined || sealed === undefined) throw new Error("not whole");
    const tagAt = sealed.length - TAG_BYTES;
    const decipher = loadCrypto().createDecipheriv(ALGORITHM, stretch(passphrase, salt, source), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(tagAt));
    const master = Buffer.concat([decipher.update(sealed.subarray(0, tagAt)), decipher.final()]);
    if (master.length === KEY_BYTES) return { state: "ok", master: new Uint8Array(master) };
  } catch {
    // The tag does not fit, which is what a wrong passphrase looks like.
  }
  const reason = "the passphrase is not the one of this key, or the key file is damaged";
  return { state: "unusable", reason, hint: HINT };
}

/** Undefined for what is no sealed key, or one that asks for more work than a call may cost. */
export function parseSealedKey(fields: ReadonlyMap<string, unknown>): SealedKey | undefined {
  if (fields.get("kind") !== "passphrase" || fields.get("kdf") !== "scrypt") return undefined;
  const [n, r, p] = [fields.get("n"), fields.get("r"), fields.get("p")];
  const [salt, nonce, sealed] = [fields.get("salt"), fields.get("nonce"), fields.get("sealed")];
  if (!isWithin(n, COST_MAX.n) || !isWithin(r, COST_MAX.r) || !isWithin(p, COST_MAX.p)) return undefined;
  if (128 * n * r > MEMORY_MAX_BYTES) return undefined;
  if (typeof salt !== "string" || typeof nonce !== "string" || typeof sealed !== "string") return undefined;
  return { kind: "passphrase", kdf: "scrypt", n, r, p, salt, nonce, sealed };
}

function isWithin(value: unknown, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max;
}

function stretch(passphrase: string, salt: Uint8Array, { n, r, p }: { n: number; r: number; p: number }) {
  const options = { N: n, r, p, maxmem: MEMORY_MAX_BYTES + 1024 * 1024 };
  // One text, however the system composes its accents.
  return loadCrypto().scryptSync(passphrase.normalize("NFC"), salt, KEY_BYTES, options);
}
