// SPDX-License-Identifier: Apache-2.0
// One entry, sealed and opened: bytes in, bytes out, no file.
//   magic (8) · version (1) · flags (1) · nonce (12) · ciphertext · tag (16)         AES-256-GCM
// The first 22 bytes and the id are associated data, so an entry under another name does not open. Inside: length
// of the head (u32 LE), head (JSON: tool, kind, time, length of the region), region (zstd if flag 1 is set).
import { loadCrypto, loadZlib } from "./builtins.ts";

/** What is known of a stored region besides its bytes. */
export interface EntryHead {
  readonly tool: string;
  readonly kind: string;
  /** ms since 1970. */
  readonly savedAt: number;
  /** True after a rotation: the id is of a key before, so the present one would give the region another. */
  readonly moved?: true;
}

/** What can be told of an entry without unpacking its region. */
export type Inspected =
  | (EntryHead & { readonly status: "ok"; readonly length: number })
  | { readonly status: "foreign" | "newer" | "damaged" };

export type Opened =
  | (EntryHead & { readonly status: "ok"; readonly bytes: Uint8Array })
  /** `foreign`: not ours; `newer`: of a later version; `damaged`: changed, renamed or under another key. */
  | { readonly status: "foreign" | "newer" | "damaged" };

/** As it lies in the entry, with the length of the region. */
type Head = EntryHead & { readonly length: number };

const MAGIC = "isthmos\0";
const VERSION = 1;
const FLAG_ZSTD = 1;
const VERSION_AT = MAGIC.length;
const FLAGS_AT = VERSION_AT + 1;
const NONCE_AT = FLAGS_AT + 1;
const NONCE_BYTES = 12;
const HEADER_BYTES = NONCE_AT + NONCE_BYTES;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const CHUNK_BYTES = 1024 * 1024;
/** The least that zlib takes. */
const CHUNK_MIN_BYTES = 64;
/** Units of a tool name that are kept; hosts cap theirs far lower. */
const TOOL_MAX_UNITS = 1000;
/** Loading zlib costs a call of the executable about 3 %; a smaller region takes a few disk blocks either way. */
const ZSTD_MIN_BYTES = 16 * 1024;
/** From here on a needless copy counts; samples of a few per cent tell whether it is one. */
const SAMPLED_MIN_BYTES = 4 * 1024 * 1024;
const SAMPLES = 8;
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_SHRINKS = 0.95;
/** The payload cap (C15): no entry claims more, whatever a file says. */
export const REGION_MAX_BYTES = 32 * 1024 * 1024;
/** Largest entry file: a region that does not shrink, its head and the framing. */
export const ENTRY_FILE_MAX_BYTES = REGION_MAX_BYTES + 64 * 1024;

/** The entry of a region; each call draws a new nonce. */
export function sealEntry(key: Uint8Array, id: string, head: EntryHead, bytes: Uint8Array): Uint8Array {
  const packed = compress(bytes);
  const flags = packed === undefined ? 0 : FLAG_ZSTD;
  const tool = head.tool.slice(0, TOOL_MAX_UNITS);
  return encrypt(key, id, flags, { ...head, tool, length: bytes.length }, packed ?? bytes);
}

/** The same entry under another key, marked as moved; undefined if it does not open under `oldKey`. */
export function resealEntry(
  oldKey: Uint8Array,
  key: Uint8Array,
  id: string,
  entry: Uint8Array,
): Uint8Array | undefined {
  const plain = decrypt(oldKey, id, entry);
  const parts = typeof plain === "string" ? undefined : split(plain);
  if (parts === undefined) return undefined;
  return encrypt(key, id, entry[FLAGS_AT]!, { ...parts.head, moved: true }, parts.body);
}

/** The region of an entry file. Never throws; `bytes` come only where the tag, the id and all lengths agree. */
export function openEntry(key: Uint8Array, id: string, entry: Uint8Array): Opened {
  const plain = decrypt(key, id, entry);
  if (typeof plain === "string") return { status: plain };
  const parts = split(plain);
  if (parts === undefined) return { status: "damaged" };
  const { length, ...head } = parts.head;
  const isPacked = (entry[FLAGS_AT]! & FLAG_ZSTD) !== 0;
  try {
    const bytes = isPacked ? decompress(parts.body, length) : parts.body;
    return bytes.length === length
      ? { status: "ok", ...head, bytes: plainBytes(bytes) }
      : { status: "damaged" };
  } catch {
    return { status: "damaged" };
  }
}

/** What `openEntry` would say, without unpacking the region. Never throws. */
export function inspectEntry(key: Uint8Array, id: string, entry: Uint8Array): Inspected {
  const plain = decrypt(key, id, entry);
  if (typeof plain === "string") return { status: plain };
  const parts = split(plain);
  return parts === undefined ? { status: "damaged" } : { status: "ok", ...parts.head };
}

function encrypt(key: Uint8Array, id: string, flags: number, head: Head, body: Uint8Array): Uint8Array {
  const { createCipheriv, randomFillSync } = loadCrypto();
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const bodyAt = HEADER_BYTES + LENGTH_BYTES + headBytes.length;
  const entry = new Uint8Array(bodyAt + body.length + TAG_BYTES);
  const header = entry.subarray(0, HEADER_BYTES);
  new TextEncoder().encodeInto(MAGIC, header);
  header[VERSION_AT] = VERSION;
  header[FLAGS_AT] = flags;
  const nonce = randomFillSync(header.subarray(NONCE_AT));

  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(header, id));
  const front = new Uint8Array(LENGTH_BYTES + headBytes.length);
  new DataView(front.buffer).setUint32(0, headBytes.length, true);
  front.set(headBytes, LENGTH_BYTES);
  entry.set(cipher.update(front), HEADER_BYTES);
  // In pieces, so that no second copy of the whole is made.
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    moveTo(entry, bodyAt + at, cipher.update(body.subarray(at, at + CHUNK_BYTES)));
  }
  cipher.final();
  entry.set(cipher.getAuthTag(), entry.length - TAG_BYTES);
  return entry;
}

function split(plain: Uint8Array): { head: Head; body: Uint8Array } | undefined {
  try {
    const headEnd = LENGTH_BYTES + new DataView(plain.buffer, plain.byteOffset).getUint32(0, true);
    const head = headEnd <= plain.length ? parseHead(plain.subarray(LENGTH_BYTES, headEnd)) : undefined;
    return head && { head, body: plain.subarray(headEnd) };
  } catch {
    return undefined;
  }
}

function decrypt(
  key: Uint8Array,
  id: string,
  entry: Uint8Array,
): Uint8Array | "foreign" | "newer" | "damaged" {
  if (!new TextEncoder().encode(MAGIC).every((byte, i) => byte === entry[i])) return "foreign";
  const version = entry[VERSION_AT] ?? 0;
  if (version > VERSION) return "newer";
  if (version < VERSION || entry.length < HEADER_BYTES + LENGTH_BYTES + TAG_BYTES) return "damaged";
  const header = entry.subarray(0, HEADER_BYTES);
  const tagAt = entry.length - TAG_BYTES;
  try {
    const decipher = loadCrypto().createDecipheriv("aes-256-gcm", key, header.subarray(NONCE_AT), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associated(header, id));
    decipher.setAuthTag(entry.subarray(tagAt));
    const plain = new Uint8Array(tagAt - HEADER_BYTES);
    // In pieces, as in `encrypt`.
    for (let at = 0; at < plain.length; at += CHUNK_BYTES) {
      const from = HEADER_BYTES + at;
      moveTo(plain, at, decipher.update(entry.subarray(from, Math.min(tagAt, from + CHUNK_BYTES))));
    }
    decipher.final();
    return plain;
  } catch {
    return "damaged";
  }
}

/** Copies a piece and frees it at once: left to the collector, all pieces together would be a third copy. */
function moveTo(target: Uint8Array, at: number, piece: Buffer<ArrayBufferLike>): void {
  target.set(piece, at);
  const { buffer } = piece;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.length) buffer.transfer(0);
}

function associated(header: Uint8Array, id: string): Uint8Array {
  return Buffer.concat([header, new TextEncoder().encode(id)]);
}

/** zstd level 1, or undefined where that is not smaller, or not worth loading zlib for. */
function compress(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < ZSTD_MIN_BYTES || !looksPackable(bytes)) return undefined;
  const packed = pack(bytes);
  return packed.length < bytes.length ? packed : undefined;
}

function pack(bytes: Uint8Array): Uint8Array {
  const { constants, zstdCompressSync } = loadZlib();
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** False for a large region of which samples do not shrink: packing it would hold a second copy for nothing. */
function looksPackable(bytes: Uint8Array): boolean {
  if (bytes.length < SAMPLED_MIN_BYTES) return true;
  const step = Math.floor(bytes.length / SAMPLES);
  for (let at = 0; at + SAMPLE_BYTES <= bytes.length; at += step) {
    if (pack(bytes.subarray(at, at + SAMPLE_BYTES)).length < SAMPLE_BYTES * SAMPLE_SHRINKS) return true;
  }
  return false;
}

function decompress(body: Uint8Array, length: number): Uint8Array {
  const maxOutputLength = Math.max(1, length);
  // One piece of the known length: no gathering of many.
  return loadZlib().zstdDecompressSync(body, {
    maxOutputLength,
    chunkSize: Math.max(CHUNK_MIN_BYTES, length),
  });
}

function parseHead(bytes: Uint8Array): Head | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [tool, kind, savedAt, length] = ["tool", "kind", "savedAt", "length"].map((name) => fields.get(name));
  if (typeof tool !== "string" || typeof kind !== "string" || typeof savedAt !== "number") return undefined;
  if (typeof length !== "number" || !(length >= 0 && length <= REGION_MAX_BYTES)) return undefined;
  return { tool, kind, savedAt, length, ...(fields.get("moved") === true && { moved: true }) };
}

/** The same bytes without Buffer's own methods, whose `slice` shares what it slices. */
function plainBytes(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
