// SPDX-License-Identifier: Apache-2.0
// Chunks of a stream in, whole lines out. A list of chunks and one search a chunk, so that a long line costs its
// length once. A large line can be handed on as it comes, and one above the bound is skipped: of both only the two
// ends are kept here.

/** The longest message that is read. */
export const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;
/** From here on somebody may take a line over. */
export const LARGE_MIN_BYTES = 4 * 1024 * 1024;

/** Takes a large line over. */
export interface Sink {
  write(part: Uint8Array): void;
  /** It has come whole; its id where that was found. */
  end(id: string | number | null): void;
  /** The line was too long: nothing of it counts. */
  abort(): void;
}

/** Two ends of a line: enough to find a request's id. */
export interface Ends {
  readonly head: string;
  readonly tail: string;
}

/** A line without its line feed; or of one that was handed on, or was too long, its ends. */
export type Line =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | ({ readonly kind: "too_long" } & Ends)
  | ({ readonly kind: "handed_on"; readonly sink: Sink } & Ends);

export interface LineOptions {
  readonly maxBytes?: number;
  readonly largeBytes?: number;
  /** Asked once for each large line, with how it begins; undefined: it is read like any other. */
  readonly openSink?: (head: string) => Sink | undefined;
}

interface Passing {
  readonly sink: Sink | undefined;
  readonly head: string;
  tail: Uint8Array;
}

const NEWLINE = 0x0a;
const END_BYTES = 512;

/** The first and last bytes of a line, one character a byte. */
export function endsOf(bytes: Uint8Array): Ends {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return { head: all.toString("latin1", 0, END_BYTES), tail: all.subarray(-END_BYTES).toString("latin1") };
}

export class LineReader {
  readonly #maxBytes: number;
  readonly #largeBytes: number;
  readonly #openSink: (head: string) => Sink | undefined;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #isAsked = false;
  #passing: Passing | undefined;

  constructor({
    maxBytes = MESSAGE_MAX_BYTES,
    largeBytes = LARGE_MIN_BYTES,
    openSink = () => undefined,
  }: LineOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#largeBytes = largeBytes;
    this.#openSink = openSink;
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
    this.#length += part.length;
    if (this.#passing !== undefined) this.#pass(this.#passing, part);
    else {
      this.#chunks.push(part);
      if (this.#length > this.#largeBytes && !this.#isAsked) this.#ask();
    }
    if (this.#length > this.#maxBytes) this.#skip();
  }

  #pass(passing: Passing, part: Uint8Array): void {
    passing.sink?.write(part);
    const end = part.subarray(-END_BYTES);
    passing.tail = end.length === END_BYTES ? Buffer.from(end) : lastBytes([passing.tail, end]);
  }

  #ask(): void {
    this.#isAsked = true;
    const head = firstText(this.#chunks);
    const sink = this.#openSink(head);
    if (sink === undefined) return;
    for (const part of this.#chunks) sink.write(part);
    this.#passing = { sink, head, tail: lastBytes(this.#chunks) };
    this.#chunks = [];
  }

  #skip(): void {
    if (this.#passing !== undefined && this.#passing.sink === undefined) return;
    this.#passing?.sink?.abort();
    const { head, tail } = this.#passing ?? { head: firstText(this.#chunks), tail: lastBytes(this.#chunks) };
    this.#passing = { sink: undefined, head, tail };
    this.#chunks = [];
  }

  #take(): Line {
    const chunks = this.#chunks;
    const passing = this.#passing;
    const length = this.#length;
    this.#chunks = [];
    this.#length = 0;
    this.#isAsked = false;
    this.#passing = undefined;
    if (passing !== undefined) {
      const { sink, head } = passing;
      const tail = Buffer.from(passing.tail).toString("latin1");
      return sink === undefined ? { kind: "too_long", head, tail } : { kind: "handed_on", sink, head, tail };
    }
    const [only] = chunks;
    const isWhole = only !== undefined && chunks.length === 1;
    return { kind: "line", bytes: isWhole ? only : Buffer.concat(chunks, length) };
  }
}

function firstText(chunks: readonly Uint8Array[]): string {
  let head = "";
  for (const chunk of chunks) {
    if (head.length >= END_BYTES) break;
    head += Buffer.from(chunk.subarray(0, END_BYTES - head.length)).toString("latin1");
  }
  return head;
}

// A copy, so that the chunks themselves are let go.
function lastBytes(chunks: readonly Uint8Array[]): Uint8Array {
  let tail: Uint8Array = new Uint8Array(0);
  for (let i = chunks.length - 1; i >= 0 && tail.length < END_BYTES; i--) {
    tail = Buffer.concat([chunks[i]!.subarray(-(END_BYTES - tail.length)), tail]);
  }
  return tail;
}
