// SPDX-License-Identifier: Apache-2.0
// One pass over the bytes of a JSON document into an index of spans. No recursion, no copy, no parsed values:
// a number stays the digits that stand there. Strict (RFC 8259), except that bytes from 0x80 up are taken as
// they come inside strings, so that a result with broken UTF-8 can still be treated.

export const OBJECT = 0;
export const ARRAY = 1;
export const STRING = 2;
export const NUMBER = 3;
export const TRUE = 4;
export const FALSE = 5;
export const NULL = 6;
export const KEY = 7;

/**
 * Nodes in document order. An object's children are KEY, value, KEY, value, …; an array's are its items.
 * Node `i` covers bytes `start[i]` to `end[i]` (half-open, quotes and brackets included); its subtree is the
 * nodes `i` to `next[i]` (half-open), so `next[i]` is its next sibling, or the end of its parent.
 */
export interface JsonIndex {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly next: Int32Array;
}

type Columns = Pick<JsonIndex, "kind" | "start" | "end" | "next">;

/**
 * A typed array costs about a microsecond to make and to collect, which would be most of the time of a small
 * document (a record, a string's value), so these share the arrays of one slab. A multiple of 16.
 */
const SLAB_NODES = 16_384;
let slab: Columns = createColumns(0);
let slabUsed = 0;
/** The stack of open containers of the scan that runs. */
let openContainers = new Int32Array(64);

/** Deeper documents are treated as text; the bound keeps the stack of open containers small. */
const DEPTH_MAX = 100_000;

const WANT_VALUE = 0;
const WANT_ITEM_OR_END = 1;
const WANT_KEY_OR_END = 2;
const WANT_KEY = 3;
const WANT_COMMA_OR_END = 4;
const DONE = 5;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The index of the one JSON value in bytes `from` to `to`, white space around it allowed; undefined if it is not JSON. */
export function scan(bytes: Uint8Array, from = 0, to = bytes.length): JsonIndex | undefined {
  let { kind, start, end, next } = takeColumns(Math.max(64, (to - from) >> 4));
  let capacity = kind.length;
  let open = openContainers;
  let depth = 0;
  let count = 0;
  let want = WANT_VALUE;
  let i = from;

  while (i < to) {
    const c = bytes[i]!;
    if (c === SPACE || c === NEWLINE || c === RETURN || c === TAB) {
      i++;
      continue;
    }
    if (want === WANT_COMMA_OR_END) {
      const inObject = kind[open[depth - 1]!] === OBJECT;
      if (c === COMMA) {
        want = inObject ? WANT_KEY : WANT_VALUE;
        i++;
        continue;
      }
      if (c !== (inObject ? CLOSE_OBJECT : CLOSE_ARRAY)) return undefined;
    }
    if (want === DONE) return undefined;
    const closes =
      want === WANT_COMMA_OR_END ||
      (want === WANT_ITEM_OR_END && c === CLOSE_ARRAY) ||
      (want === WANT_KEY_OR_END && c === CLOSE_OBJECT);
    if (closes) {
      const container = open[--depth]!;
      end[container] = ++i;
      next[container] = count;
      want = depth === 0 ? DONE : WANT_COMMA_OR_END;
      continue;
    }

    if (count === capacity) {
      capacity *= 2;
      kind = grow(kind, new Uint8Array(capacity));
      start = grow(start, new Int32Array(capacity));
      end = grow(end, new Int32Array(capacity));
      next = grow(next, new Int32Array(capacity));
    }
    const node = count++;
    start[node] = i;
    next[node] = count;

    if (want === WANT_KEY || want === WANT_KEY_OR_END) {
      if (c !== QUOTE) return undefined;
      i = stringEnd(bytes, i, to);
      if (i < 0) return undefined;
      kind[node] = KEY;
      end[node] = i;
      while (i < to && isSpace(bytes[i]!)) i++;
      if (bytes[i] !== COLON || i >= to) return undefined;
      i++;
      want = WANT_VALUE;
      continue;
    }
    if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (depth === DEPTH_MAX) return undefined;
      if (depth === open.length) open = openContainers = grow(open, new Int32Array(depth * 2));
      kind[node] = c === OPEN_OBJECT ? OBJECT : ARRAY;
      open[depth++] = node;
      want = c === OPEN_OBJECT ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
      i++;
      continue;
    }
    if (c === QUOTE) {
      kind[node] = STRING;
      i = stringEnd(bytes, i, to);
    } else if (c === 0x74) {
      kind[node] = TRUE;
      i = wordEnd(bytes, i, to, "true");
    } else if (c === 0x66) {
      kind[node] = FALSE;
      i = wordEnd(bytes, i, to, "false");
    } else if (c === 0x6e) {
      kind[node] = NULL;
      i = wordEnd(bytes, i, to, "null");
    } else {
      kind[node] = NUMBER;
      i = numberEnd(bytes, i, to);
    }
    if (i < 0) return undefined;
    end[node] = i;
    want = depth === 0 ? DONE : WANT_COMMA_OR_END;
  }
  if (want !== DONE) return undefined;
  if (kind.buffer === slab.kind.buffer) slabUsed += count;
  return { bytes, count, kind, start, end, next };
}

/** Columns of at least `wanted` nodes; small ones are the unused rest of the slab. */
function takeColumns(wanted: number): Columns {
  if (wanted > SLAB_NODES / 16) return createColumns(wanted);
  if (slabUsed + wanted > slab.kind.length) {
    slab = createColumns(SLAB_NODES);
    slabUsed = 0;
  }
  return {
    kind: slab.kind.subarray(slabUsed),
    start: slab.start.subarray(slabUsed),
    end: slab.end.subarray(slabUsed),
    next: slab.next.subarray(slabUsed),
  };
}

function createColumns(nodes: number): Columns {
  return {
    kind: new Uint8Array(nodes),
    start: new Int32Array(nodes),
    end: new Int32Array(nodes),
    next: new Int32Array(nodes),
  };
}

function grow<T extends Uint8Array | Int32Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

function isSpace(c: number): boolean {
  return c === SPACE || c === NEWLINE || c === RETURN || c === TAB;
}

/** The offset after the string that opens at `i`, or -1. */
function stringEnd(bytes: Uint8Array, i: number, to: number): number {
  let at = i + 1;
  while (at < to) {
    const c = bytes[at]!;
    if (c === QUOTE) return at + 1;
    if (c < SPACE) return -1;
    if (c !== BACKSLASH) {
      at++;
      continue;
    }
    const letter = at + 1 < to ? bytes[at + 1]! : 0;
    if (letter === 0x75) {
      if (at + 6 > to) return -1;
      for (let k = at + 2; k < at + 6; k++) if (!isHex(bytes[k]!)) return -1;
      at += 6;
    } else {
      // " \ / b f n r t
      const known =
        letter === QUOTE ||
        letter === BACKSLASH ||
        letter === 0x2f ||
        letter === 0x62 ||
        letter === 0x66 ||
        letter === 0x6e ||
        letter === 0x72 ||
        letter === 0x74;
      if (!known) return -1;
      at += 2;
    }
  }
  return -1;
}

function wordEnd(bytes: Uint8Array, i: number, to: number, word: string): number {
  if (i + word.length > to) return -1;
  for (let k = 0; k < word.length; k++) if (bytes[i + k] !== word.charCodeAt(k)) return -1;
  return i + word.length;
}

/** The offset after the number at `i`, or -1: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
function numberEnd(bytes: Uint8Array, i: number, to: number): number {
  let at = bytes[i] === 0x2d ? i + 1 : i;
  if (at < to && bytes[at] === 0x30) at++;
  else {
    const digits = digitsEnd(bytes, at, to);
    if (digits === at) return -1;
    at = digits;
  }
  if (at < to && bytes[at] === 0x2e) {
    const digits = digitsEnd(bytes, at + 1, to);
    if (digits === at + 1) return -1;
    at = digits;
  }
  if (at < to && (bytes[at]! | 0x20) === 0x65) {
    at++;
    if (at < to && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++;
    const digits = digitsEnd(bytes, at, to);
    if (digits === at) return -1;
    at = digits;
  }
  return at;
}

function digitsEnd(bytes: Uint8Array, i: number, to: number): number {
  let at = i;
  while (at < to && bytes[at]! >= 0x30 && bytes[at]! <= 0x39) at++;
  return at;
}

function isHex(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66);
}
