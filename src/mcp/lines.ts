// SPDX-License-Identifier: Apache-2.0
// Chunks of a stream in, whole lines out. A list of chunks and one search a chunk, so that a long line costs its
// length once; a line above the bound is skipped as it comes, and only its two ends are kept.

/** The longest message that is read. */
export const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;

/** A line without its line feed, or, of one that is too long, its ends: enough to find a request's id. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "too_long"; readonly head: string; readonly tail: string };

const NEWLINE = 0x0a;
const END_BYTES = 512;

export class LineReader {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #skipped: { readonly head: string; tail: Uint8Array } | undefined;

  constructor(maxBytes = MESSAGE_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk; what follows the last one is kept for the next. */
  push(chunk: Uint8Array): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#add(chunk.subarray(from, at));
      lines.push(this.#take());
      from = at + 1;
    }
    if (from < chunk.length) this.#add(chunk.subarray(from));
    return lines;
  }

  #add(part: Uint8Array): void {
    if (this.#skipped !== undefined) {
      this.#skipped.tail = Buffer.concat([this.#skipped.tail, part.subarray(-END_BYTES)]).subarray(
        -END_BYTES,
      );
      return;
    }
    this.#chunks.push(part);
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) return;
    const all = Buffer.concat(this.#chunks, this.#length);
    // Copies, so that the line itself is let go.
    this.#skipped = {
      head: all.toString("latin1", 0, END_BYTES),
      tail: Buffer.from(all.subarray(-END_BYTES)),
    };
    this.#chunks = [];
  }

  #take(): Line {
    const chunks = this.#chunks;
    const skipped = this.#skipped;
    const [only] = chunks;
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    this.#skipped = undefined;
    if (skipped !== undefined) {
      return { kind: "too_long", head: skipped.head, tail: Buffer.from(skipped.tail).toString("latin1") };
    }
    return {
      kind: "line",
      bytes: only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, length),
    };
  }
}
