// SPDX-License-Identifier: Apache-2.0

/**
 * 16 hex digits that stand for a session, agent or use id in a file name, so that no id lies on the disk. Two
 * 32-bit hashes (FNV-1a, and a multiply-rotate one as in MurmurHash3) are enough for ids that the host makes: a
 * collision could only cost a reference, because the proof in the file covers the ids themselves. No crypto loads.
 */
export function shortHash(id: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < id.length; i++) {
    const unit = id.charCodeAt(i);
    a = Math.imul(a ^ (unit & 0xff), 0x01000193);
    a = Math.imul(a ^ (unit >>> 8), 0x01000193);
    const mixed = Math.imul(unit, 0xcc9e2d51);
    b ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    b = (Math.imul((b << 13) | (b >>> 19), 5) + 0xe6546b64) | 0;
  }
  b ^= id.length;
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  return hex(a) + hex(b ^ (b >>> 16));
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
