// SPDX-License-Identifier: Apache-2.0
// Ids that a text cites in markers: what an earlier pass of ours, or a tool that quotes one, left there.

const LEAD = "isthmos reveal ";
const ID_DIGITS = 16;
/** More in one text are not looked up; the store is asked about each. */
const IDS_MAX = 64;

/** The distinct ids after `isthmos reveal ` in the text, in order, at most 64. Linear. */
export function findCitedIds(bytes: Uint8Array): string[] {
  const ids = new Set<string>();
  for (let at = find(bytes, 0); at >= 0 && ids.size < IDS_MAX; at = find(bytes, at + 1)) {
    const id = readId(bytes, at + LEAD.length);
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

function find(bytes: Uint8Array, from: number): number {
  // "h" is rarer than "i" in what tools print, and indexOf is native.
  const offset = LEAD.indexOf("hmos");
  for (let at = bytes.indexOf(0x68, from + offset); at >= 0; at = bytes.indexOf(0x68, at + 1)) {
    if (isLead(bytes, at - offset)) return at - offset;
  }
  return -1;
}

function isLead(bytes: Uint8Array, at: number): boolean {
  if (at < 0 || at + LEAD.length > bytes.length) return false;
  for (let k = 0; k < LEAD.length; k++) if (bytes[at + k] !== LEAD.charCodeAt(k)) return false;
  return true;
}

function readId(bytes: Uint8Array, at: number): string | undefined {
  let id = "";
  for (let k = at; k < at + ID_DIGITS; k++) {
    const c = bytes[k] ?? 0;
    const isDigit = (c >= 0x30 && c <= 0x39) || (c >= 0x61 && c <= 0x66);
    if (!isDigit) return undefined;
    id += String.fromCharCode(c);
  }
  return id;
}
