// SPDX-License-Identifier: Apache-2.0
// Standard input whole and standard output whole, synchronously. Pipes may be non-blocking (the parent
// decides), so "try again" is an answer to wait for, not an error.
import { fstatSync, readSync, writeSync } from "node:fs";

/** What a command may do with the outside world besides files: answer, know the terminal, know the time. */
export interface Io {
  /** Writes the answer; a reader that has gone is no error, a full disk is: its errno error is thrown. */
  stdout(data: string | Uint8Array): void;
  /** True if standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly now: Date;
}

const STDIN = 0;
const STDOUT = 1;
const CHUNK_BYTES = 64 * 1024;
const RETRY_MS = 2;

/** Standard input up to its end, or up to `maxBytes` with `more` set; the rest can then be read on. */
export interface Input {
  readonly bytes: Uint8Array;
  readonly more: boolean;
  /** Why it could not be read to its end: an errno code. */
  readonly problem?: string;
}

/** Reads stdin. A closed or missing stdin is an empty input: Node.js opens the null device in its place. */
export function readStdin(maxBytes: number): Input {
  let buffer = Buffer.allocUnsafe(expectedBytes(maxBytes));
  let length = 0;
  for (;;) {
    if (length > maxBytes) return { bytes: buffer.subarray(0, length), more: true };
    if (length === buffer.length) {
      const grown = Buffer.allocUnsafe(buffer.length * 2);
      grown.set(buffer);
      buffer = grown;
    }
    const read = readSome(buffer, length);
    if (typeof read === "string") return { bytes: buffer.subarray(0, length), more: false, problem: read };
    if (read === 0) return { bytes: buffer.subarray(0, length), more: false };
    length += read;
  }
}

/** Copies what is left of stdin to stdout; answers why it could not be read to its end, an errno code. */
export function copyRest(): string | undefined {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    const read = readSome(chunk, 0);
    if (typeof read === "string") return read;
    if (read === 0 || !writeStdout(chunk.subarray(0, read))) return undefined;
  }
}

/** Writes all of `bytes` to stdout; false if the reader is gone. Throws the errno error of a full or closed one. */
export function writeStdout(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(STDOUT, bytes, at, bytes.length - at);
    } catch (error) {
      if (errorCode(error) === "EPIPE") return false;
      if (errorCode(error) !== "EAGAIN") throw error;
      waitMs(RETRY_MS);
    }
  }
  return true;
}

/** True if stdin is a terminal, so that a person waits and no payload comes. */
export function stdinIsTerminal(): boolean {
  return isTerminal(STDIN);
}

/** Milliseconds on a clock that only goes forward. Not `performance.now()`, which loads a tenth of Node.js first. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** The words that start this program again: the executable, or Node.js and the script that it runs. */
export function selfCommand(): readonly [string, ...string[]] {
  const script = process.argv[1];
  const isPacked = process.getBuiltinModule("node:sea").isSea();
  return isPacked || script === undefined ? [process.execPath] : [process.execPath, script];
}

/** The Io of this process. */
export function processIo(): Io {
  return {
    stdout: (data) => void writeStdout(typeof data === "string" ? Buffer.from(data) : data),
    isTerminal: isTerminal(STDOUT),
    now: new Date(),
  };
}

// A file says its size; one byte more saves the doubling at the end. For a pipe the size means nothing.
function expectedBytes(maxBytes: number): number {
  try {
    const { size } = fstatSync(STDIN);
    return Math.min(Math.max(size + 1, CHUNK_BYTES), maxBytes + 1);
  } catch {
    return CHUNK_BYTES;
  }
}

/** How many bytes, 0 at the end, or the errno code of a failure. */
function readSome(buffer: Buffer, at: number): number | string {
  for (;;) {
    try {
      return readSync(STDIN, buffer, at, buffer.length - at, null);
    } catch (error) {
      const code = errorCode(error);
      // How a closed pipe reads on Windows.
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") return code ?? "unknown error";
      waitMs(RETRY_MS);
    }
  }
}

// Asked only where a person may be at the other end; a hook does without.
function isTerminal(fd: number): boolean {
  return process.getBuiltinModule("node:tty").isatty(fd);
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
