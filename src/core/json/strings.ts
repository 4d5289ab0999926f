// SPDX-License-Identifier: Apache-2.0
// JSON strings as bytes: decoded for treatment, with the way back from a decoded offset to the raw one, so
// that an edit of the decoded text becomes a splice of the raw bytes.

/** A decoded string: its text, and where each of its bytes stands in the document. */
export interface DecodedString {
  /** The string's value in UTF-8; a lone surrogate as three bytes (WTF-8); invalid bytes as they stand. */
  readonly text: Uint8Array;
  /** Raw offset of a decoded offset (0 to `text.length`); inside what one escape stands for: of that escape. */
  toRaw(decoded: number): number;
}

const BACKSLASH = 0x5c;
const SLAB_BYTES = 65_536;

let slab = new Uint8Array(0);
let slabUsed = 0;

/** Decodes the string between the quotes at `start` and `end - 1`; the scan has shown that it is well-formed. */
export function decodeString(bytes: Uint8Array, start: number, end: number): DecodedString {
  return decode(bytes, start, end, true);
}

/**
 * The text alone, without the memory that the way back takes; `inPlace`: over the document's own bytes, which it
 * destroys, so that a string of 32 MiB takes no second 32 MiB.
 */
export function decodeText(bytes: Uint8Array, start: number, end: number, inPlace = false): Uint8Array {
  const into = inPlace ? bytes.subarray(start + 1, end - 1) : undefined;
  return decode(bytes, start, end, false, into).text;
}

function decode(
  bytes: Uint8Array,
  start: number,
  end: number,
  isMapped: boolean,
  into?: Uint8Array,
): DecodedString {
  const first = start + 1;
  const last = end - 1;
  const raw = bytes.subarray(first, last);
  const plain = raw.indexOf(BACKSLASH);
  if (plain < 0) return { text: raw, toRaw: (decoded) => first + decoded };

  // After the k-th escape, decoded offset `after[2 * k]` stands at raw offset `after[2 * k + 1]`.
  const text = into ?? takeBytes(raw.length);
  const after = new Int32Array(isMapped ? 2 * countByte(raw, BACKSLASH, plain) : 0);
  let escapes = 0;
  text.set(raw.subarray(0, plain));
  let at = plain;
  let out = plain;
  while (at < raw.length) {
    // Escapes stand close together in real text (every line end of a log): a byte at a time beats calls.
    for (let c = raw[at]!; c !== BACKSLASH; c = raw[at]!) {
      text[out++] = c;
      if (++at === raw.length) break;
    }
    if (at === raw.length) break;
    if (raw[at + 1] === 0x75) {
      let code = hex4(raw, at + 2);
      at += 6;
      if (code >= 0xd800 && code < 0xdc00 && raw[at] === BACKSLASH && raw[at + 1] === 0x75) {
        const low = hex4(raw, at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
          at += 6;
        }
      }
      out = writeUtf8(text, out, code);
    } else {
      text[out++] = unescapeByte(raw[at + 1]!);
      at += 2;
    }
    if (!isMapped) continue;
    after[2 * escapes] = out;
    after[2 * escapes + 1] = first + at;
    escapes++;
  }

  return {
    text: text.subarray(0, out),
    toRaw(decoded) {
      // The last escape that ends at or before `decoded`.
      let low = 0;
      let high = escapes;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (after[2 * middle]! <= decoded) low = middle + 1;
        else high = middle;
      }
      const rawFrom = low === 0 ? first : after[2 * low - 1]!;
      const decodedFrom = low === 0 ? 0 : after[2 * low - 2]!;
      const place = rawFrom + decoded - decodedFrom;
      if (low === escapes) return place;
      const nextRaw = after[2 * low + 1]!;
      const saved = nextRaw - rawFrom - (after[2 * low]! - decodedFrom);
      return Math.min(place, nextRaw - escapeBytes(saved));
    },
  };
}

/** Room for `length` bytes; short texts share a slab, since many typed arrays are slow to make and to collect. */
function takeBytes(length: number): Uint8Array {
  if (length > SLAB_BYTES / 16) return new Uint8Array(length);
  if (slabUsed + length > slab.length) {
    slab = new Uint8Array(SLAB_BYTES);
    slabUsed = 0;
  }
  slabUsed += length;
  return slab.subarray(slabUsed - length, slabUsed);
}

/** Raw bytes of an escape that is `saved` bytes longer than what it stands for: \\n, \\u0041, or a surrogate pair. */
function escapeBytes(saved: number): number {
  if (saved === 1) return 2;
  return saved === 8 ? 12 : 6;
}

/** How often `byte` occurs from `from` on: at least the number of escapes. */
function countByte(bytes: Uint8Array, byte: number, from: number): number {
  let count = 0;
  for (let i = from; i < bytes.length; i++) if (bytes[i] === byte) count++;
  return count;
}

function unescapeByte(c: number): number {
  switch (c) {
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    default:
      return c;
  }
}

function hex4(bytes: Uint8Array, at: number): number {
  let code = 0;
  for (let k = at; k < at + 4; k++) {
    const c = bytes[k]!;
    code = code * 16 + (c <= 0x39 ? c - 0x30 : (c | 0x20) - 0x57);
  }
  return code;
}

function writeUtf8(text: Uint8Array, at: number, code: number): number {
  let out = at;
  if (code < 0x80) text[out++] = code;
  else if (code < 0x800) {
    text[out++] = 0xc0 | (code >> 6);
    text[out++] = 0x80 | (code & 0x3f);
  } else if (code < 0x10000) {
    text[out++] = 0xe0 | (code >> 12);
    text[out++] = 0x80 | ((code >> 6) & 0x3f);
    text[out++] = 0x80 | (code & 0x3f);
  } else {
    text[out++] = 0xf0 | (code >> 18);
    text[out++] = 0x80 | ((code >> 12) & 0x3f);
    text[out++] = 0x80 | ((code >> 6) & 0x3f);
    text[out++] = 0x80 | (code & 0x3f);
  }
  return out;
}
