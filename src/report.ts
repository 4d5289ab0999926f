// SPDX-License-Identifier: Apache-2.0
// The only voice on stderr, and the forms in which foreign text may reach a terminal. One line a message, lower
// case, no full stop; the error says which step failed, the hint says what to do next.
import { writeSync } from "node:fs";
import { utf8Length } from "./core/utf8.ts";

const STDERR = 2;
/** Bytes of a tool's name that log, health record and tables keep. */
export const NAME_MAX_BYTES = 200;
// Room for a path of the longest kind (4,096 bytes) with its sentence.
const MESSAGE_MAX_BYTES = 5000;

// What can move the cursor, hide text or reorder it: controls, lone surrogates, line separators, bidi controls.
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const UNSAFE_ALL = new RegExp(UNSAFE, "gu");

/** Says what failed; `hint` is the next step. A closed stderr is no error. */
export function reportError(message: string, hint?: string): void {
  report("error", message);
  if (hint !== undefined) report("hint", hint);
}

/** Says something worth knowing that is no failure. */
export function reportNotice(message: string): void {
  report("notice", message);
}

/**
 * A foreign name or text in one safe line of at most `maxBytes` UTF-8 bytes: unsafe characters become visible
 * escapes (`\x1b`, `\u202e`); the cut falls between characters, never inside an escape. Idempotent.
 */
export function cleanName(text: string, maxBytes = NAME_MAX_BYTES): string {
  if (text.length <= maxBytes && !UNSAFE.test(text) && utf8Length(text) <= maxBytes) return text;
  let out = "";
  let bytes = 0;
  // A code unit takes at least one byte, so what follows the slice cannot fit.
  for (const character of text.slice(0, maxBytes + 1)) {
    const shown = UNSAFE.test(character) ? toEscape(character) : character;
    bytes += utf8Length(shown);
    if (bytes > maxBytes) break;
    out += shown;
  }
  return out;
}

/**
 * Payload bytes for a terminal: control characters in caret form (`^[`, `^M`; C1 as `M-^[`), other unsafe
 * characters as escapes, invalid UTF-8 as U+FFFD; line feeds and tabs stay.
 */
export function toCaret(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replace(UNSAFE_ALL, (character) => {
    const code = character.charCodeAt(0);
    if (character === "\n" || character === "\t") return character;
    if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`;
    return code < 0xa0 ? `M-^${String.fromCharCode(code - 0x40)}` : toEscape(character);
  });
}

function toEscape(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

function report(kind: string, message: string): void {
  try {
    writeSync(STDERR, `isthmos: ${kind}: ${cleanName(message, MESSAGE_MAX_BYTES)}\n`);
  } catch {
    // Nobody reads: the health record keeps the code.
  }
}
