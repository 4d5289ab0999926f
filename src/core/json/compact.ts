// SPDX-License-Identifier: Apache-2.0
// compact: the white space between the tokens of a document goes. What surrounds the document stays, as does
// everything inside its strings.
import type { Splice } from "../splice.ts";
import { ARRAY, type JsonIndex, OBJECT } from "./scan.ts";

const SPACE = 0x20;

export interface Compacted {
  readonly splices: Splice[];
  /** Bytes of white space removed, those of other cuts not counted. */
  readonly bytes: number;
}

/** `splices` (of the same index) and those that remove white space outside them. Linear. */
export function addCompaction(index: JsonIndex, splices: readonly Splice[]): Compacted {
  const out: Splice[] = [];
  let removed = 0;
  let other = 0;
  // Puts in the splices that begin before `to`, and the white space of `from` to `to` that they leave.
  const removeSpace = (from: number, to: number): void => {
    let at = from;
    for (let next = splices[other]; next !== undefined && next.start <= to; next = splices[++other]) {
      if (next.start > at) pushSpace(at, next.start);
      out.push(next);
      at = Math.max(at, next.end);
    }
    // The splice before this space may reach over it.
    const last = out.at(-1);
    if (last !== undefined) at = Math.max(at, last.end);
    if (to > at) pushSpace(at, to);
  };
  const pushSpace = (start: number, end: number): void => {
    out.push({ start, end, insert: [] });
    removed += end - start;
  };

  const { bytes } = index;
  let at = index.start[0]!;
  for (let node = 0; node <= index.count; node++) {
    // Between two tokens that are nodes stand only brackets, commas, colons and white space.
    const to = node < index.count ? index.start[node]! : index.end[0]!;
    while (at < to) {
      if (bytes[at]! > SPACE) {
        at++;
        continue;
      }
      const from = at;
      while (at < to && bytes[at]! <= SPACE) at++;
      removeSpace(from, at);
    }
    if (node === index.count) break;
    const isOpen = index.kind[node] === OBJECT || index.kind[node] === ARRAY;
    at = isOpen ? to + 1 : index.end[node]!;
  }
  for (let next = splices[other]; next !== undefined; next = splices[++other]) out.push(next);
  return { splices: out, bytes: removed };
}
