// SPDX-License-Identifier: Apache-2.0
// Finds many ASCII words in one pass over bytes, whatever their case (Aho-Corasick): one table look-up a byte.

export interface Automaton {
  /** Class of a byte; 0 for bytes that occur in no word. */
  readonly classOf: Uint8Array;
  /** `next[(state << CLASS_BITS) | class]`; state 0 is the start. */
  readonly next: Uint16Array;
  /** Number of the longest word that ends in this state, from 1; 0: none. */
  readonly word: Uint16Array;
  /** The state of the next shorter word that ends here as well, or 0. */
  readonly shorter: Uint16Array;
}

/** At most 63 distinct bytes (letters folded) may occur in all words. */
export const CLASS_BITS = 6;

/** The automaton of `words`: lower case, ASCII, no duplicates. */
export function buildAutomaton(words: readonly string[]): Automaton {
  const classOf = new Uint8Array(256);
  let classes = 1;
  let size = 1;
  for (const word of words) {
    size += word.length;
    for (let i = 0; i < word.length; i++) {
      const byte = word.charCodeAt(i);
      if (classOf[byte] === 0) classOf[byte] = classes++;
    }
  }
  if (classes > 1 << CLASS_BITS) throw new Error("too many distinct bytes in the words");
  for (let byte = 0x41; byte <= 0x5a; byte++) classOf[byte] = classOf[byte + 0x20]!;

  const next = new Uint16Array(size << CLASS_BITS);
  const word = new Uint16Array(size);
  const shorter = new Uint16Array(size);
  let states = 1;
  words.forEach((text, index) => {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const edge = (state << CLASS_BITS) | classOf[text.charCodeAt(i)]!;
      if (next[edge] === 0) next[edge] = states++;
      state = next[edge]!;
    }
    word[state] = index + 1;
  });

  // Breadth first: a state's missing edges are those of the longest proper suffix that is a state.
  const suffix = new Uint16Array(states);
  const queue = new Uint16Array(states);
  let tail = 0;
  for (let c = 1; c < classes; c++) if (next[c] !== 0) queue[tail++] = next[c]!;
  for (let head = 0; head < tail; head++) {
    const state = queue[head]!;
    const fallback = suffix[state]!;
    shorter[state] = word[fallback] !== 0 ? fallback : shorter[fallback]!;
    for (let c = 1; c < classes; c++) {
      const edge = (state << CLASS_BITS) | c;
      const other = next[(fallback << CLASS_BITS) | c]!;
      if (next[edge] === 0) next[edge] = other;
      else {
        suffix[next[edge]!] = other;
        queue[tail++] = next[edge]!;
      }
    }
    if (word[state] === 0) {
      word[state] = word[shorter[state]!]!;
      shorter[state] = shorter[shorter[state]!]!;
    }
  }
  return { classOf, next, word, shorter };
}
