// SPDX-License-Identifier: Apache-2.0
// What a compressor must beat at the same size: keeping both ends, and deleting lines by chance.

/** The first and the last half of `bytes` of a text. */
export function keepEnds(text: string, bytes: number): string {
  const all = Buffer.from(text);
  const half = Math.floor(bytes / 2);
  return `${all.subarray(0, half)}\n${all.subarray(all.length - half)}`;
}

/** About `bytes` of a text, lines taken out by chance; a text of one line loses pieces of 64 bytes. */
export function deleteByChance(text: string, bytes: number, seed: number): string {
  const pieces = text.includes("\n") ? text.split("\n") : (text.match(/[\s\S]{1,64}/g) ?? []);
  const share = bytes / Buffer.byteLength(text);
  const next = mulberry32(seed);
  return pieces.filter(() => next() < share).join("\n");
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
