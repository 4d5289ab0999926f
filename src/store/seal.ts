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
}

export type Opened =
  | (EntryHead & { readonly status: "ok"; readonly bytes: Uint8Array })
  /** `foreign`: not ours; `newer`: of a later version; `damaged`: changed, renamed or under another key. */
  | { readonly status: "foreign" | "newer" | "damaged" };

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
/** Units of a tool name that are kept; hosts cap theirs far lower. */
const TOOL_MAX_UNITS = 1000;
/** Loading zlib costs a call of the executable about 3 %; a smaller region takes a few disk blocks either way. */
const ZSTD_MIN_BYTES = 16 * 1024;
/** The payload cap (C15): no entry claims more, whatever a file says. */
export const REGION_MAX_BYTES = 32 * 1024 * 1024;
/** Largest entry file: a region that does not shrink, its head and the framing. */
export const ENTRY_FILE_MAX_BYTES = REGION_MAX_BYTES + 64 * 1024;

/** The entry of a region; each call draws a new nonce. */
export function sealEntry(key: Uint8Array, id: string, head: EntryHead, bytes: Uint8Array): Uint8Array {
  const { createCipheriv, randomFillSync } = loadCrypto();
  const packed = compress(bytes);
  const headBytes = new TextEncoder().encode(
    JSON.stringify({
      tool: head.tool.slice(0, TOOL_MAX_UNITS),
      kind: head.kind,
      savedAt: head.savedAt,
      length: bytes.length,
    }),
  );
  const header = new Uint8Array(HEADER_BYTES);
  new TextEncoder().encodeInto(MAGIC, header);
  header[VERSION_AT] = VERSION;
  header[FLAGS_AT] = packed === undefined ? 0 : FLAG_ZSTD;
  randomFillSync(header, NONCE_AT);

  const nonce = header.subarray(NONCE_AT);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(header, id));
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, headBytes.length, true);
  const parts = [length, headBytes, packed ?? bytes].map((part) => cipher.update(part));
  return plainBytes(Buffer.concat([header, ...parts, cipher.final(), cipher.getAuthTag()]));
}

/** The region of an entry file. Never throws; `bytes` come only where the tag, the id and all lengths agree. */
export function openEntry(key: Uint8Array, id: string, entry: Uint8Array): Opened {
  const plain = decrypt(key, id, entry);
  if (typeof plain === "string") return { status: plain };
  try {
    const headEnd = LENGTH_BYTES + new DataView(plain.buffer, plain.byteOffset).getUint32(0, true);
    const head = parseHead(plain.subarray(LENGTH_BYTES, headEnd));
    if (head === undefined || headEnd > plain.length) return { status: "damaged" };
    const body = plain.subarray(headEnd);
    const zstd = (entry[FLAGS_AT]! & FLAG_ZSTD) !== 0;
    const bytes = zstd ? decompress(body, head.length) : body;
    if (bytes.length !== head.length) return { status: "damaged" };
    const { tool, kind, savedAt } = head;
    return { status: "ok", tool, kind, savedAt, bytes: plainBytes(bytes) };
  } catch {
    return { status: "damaged" };
  }
}

/** What `openEntry` would say, without unpacking the region. */
export function verifyEntry(key: Uint8Array, id: string, entry: Uint8Array): Opened["status"] {
  const plain = decrypt(key, id, entry);
  return typeof plain === "string" ? plain : "ok";
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
    const plain = decipher.update(entry.subarray(HEADER_BYTES, tagAt));
    decipher.final();
    return plain;
  } catch {
    return "damaged";
  }
}

function associated(header: Uint8Array, id: string): Uint8Array {
  return Buffer.concat([header, new TextEncoder().encode(id)]);
}

/** zstd level 1, or undefined where that is not smaller, or not worth loading zlib for. */
function compress(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < ZSTD_MIN_BYTES) return undefined;
  const { constants, zstdCompressSync } = loadZlib();
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  return packed.length < bytes.length ? packed : undefined;
}

function decompress(body: Uint8Array, length: number): Uint8Array {
  return loadZlib().zstdDecompressSync(body, { maxOutputLength: Math.max(1, length) });
}

function parseHead(bytes: Uint8Array): (EntryHead & { length: number }) | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof value !== "object" || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [tool, kind, savedAt, length] = ["tool", "kind", "savedAt", "length"].map((name) => fields.get(name));
  if (typeof tool !== "string" || typeof kind !== "string" || typeof savedAt !== "number") return undefined;
  if (typeof length !== "number" || !(length >= 0 && length <= REGION_MAX_BYTES)) return undefined;
  return { tool, kind, savedAt, length };
}

/** The same bytes without Buffer's own methods, whose `slice` shares what it slices. */
function plainBytes(buffer: Uint8Array): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
