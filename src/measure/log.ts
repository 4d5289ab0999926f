// SPDX-License-Identifier: Apache-2.0
// The files of the measurement log: one append a row, full files set aside as segments, all of them read as a
// stream. No row is ever rewritten; an append costs the same whatever the history.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { at, errorCode, orMissing } from "../faults.ts";
import { appendLine, list, makePrivateDir, remove, rename, stat } from "../files.ts";
import { formatRow, parseRow, type Row } from "./row.ts";

/** At this size the live file becomes a segment. */
export const LOG_MAX_BYTES = 5 * 1024 * 1024;
/** Live file and segments together; the oldest segments beyond it go. */
export const LOG_TOTAL_MAX_BYTES = 64 * 1024 * 1024;
const SEGMENT = /^measure-\d{8}T\d{9}Z-\d+-[0-9a-z]+\.jsonl$/;
const CHUNK_BYTES = 64 * 1024;
// A row takes at most about 2 KB; a longer line is none, and must not fill the memory.
const LINE_MAX_BYTES = CHUNK_BYTES;
const NEWLINE = 0x0a;

/** The live file. */
export function logFile(stateDir: string): string {
  return join(stateDir, "measure.jsonl");
}

/**
 * Adds one row. Throws the errno error where it, or setting a full file aside, fails; in the second case the row is
 * written.
 */
export function appendRow(stateDir: string, row: Row): void {
  const file = logFile(stateDir);
  const line = formatRow(row);
  let size: number;
  try {
    size = appendLine(file, line);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makePrivateDir(stateDir);
    size = appendLine(file, line);
  }
  if (size >= LOG_MAX_BYTES) rotate(stateDir, file);
}

// Every appender that finds the file full comes here. The second look keeps latecomers from setting the fresh file
// aside; where one does so all the same, its few rows are a small segment of their own, and none is lost.
function rotate(stateDir: string, file: string): void {
  if ((stat(file)?.size ?? 0) < LOG_MAX_BYTES) return;
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  // Math.random keeps crypto out of the hook path.
  const unique = `${process.pid}-${Math.random().toString(36).slice(2, 12)}`;
  rename(file, join(stateDir, `measure-${time}-${unique}.jsonl`));
  removeOldest(stateDir);
}

function removeOldest(stateDir: string): void {
  let bytes = LOG_MAX_BYTES;
  for (const name of segments(stateDir).reverse()) {
    const path = join(stateDir, name);
    bytes += stat(path)?.size ?? 0;
    if (bytes > LOG_TOTAL_MAX_BYTES) remove(path);
  }
}

/** Names of the segments, oldest first: they begin with the time at which they were set aside. */
function segments(stateDir: string): string[] {
  return (list(stateDir) ?? []).filter((name) => SEGMENT.test(name)).sort();
}

/** Rows in the order they were written, read while they are asked for. */
export interface RowReader extends Iterable<Row> {
  /** Lines so far that are no rows: broken, half written, of a later version. */
  readonly skipped: number;
}

/**
 * All rows of a state folder (segments, then the live file), or of one `file`. A state folder without a log has no
 * rows; a file that is missing or cannot be read throws its errno error when the first row is asked for.
 */
export function readRows(source: { readonly stateDir: string } | { readonly file: string }): RowReader {
  const reader = {
    skipped: 0,
    *[Symbol.iterator](): Generator<Row> {
      for (const line of "file" in source ? readFileLines(source.file) : readLogLines(source.stateDir)) {
        const row = parseLine(line);
        if (row !== undefined) yield row;
        else reader.skipped++;
      }
    },
  };
  return reader;
}

function parseLine(line: string): Row | undefined {
  try {
    return parseRow(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function* readFileLines(file: string): Generator<string> {
  const fd = open(file);
  try {
    yield* readLines(fd);
  } finally {
    closeSync(fd);
  }
}

// The live file is opened before the segments are listed: set aside meanwhile, it is known by its inode and read
// once; a row is neither missed nor read twice.
function* readLogLines(stateDir: string): Generator<string> {
  const live = orMissing(undefined, () => open(logFile(stateDir)));
  try {
    const liveInode = live === undefined ? undefined : fstatSync(live).ino;
    for (const name of segments(stateDir)) {
      const path = join(stateDir, name);
      // Removed since it was listed: the oldest go.
      const inode = stat(path)?.ino;
      if (inode !== undefined && inode !== liveInode) yield* readFileLines(path);
    }
    if (live !== undefined) yield* readLines(live);
  } finally {
    if (live !== undefined) closeSync(live);
  }
}

function open(file: string): number {
  at("open");
  // A pipe that lies at this name must not be waited for.
  return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/** The lines that are not empty. An overlong one comes cut, so that it counts as broken. */
function* readLines(fd: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(LINE_MAX_BYTES + CHUNK_BYTES);
  let kept = 0;
  for (;;) {
    at("read");
    const read = readSync(fd, buffer, kept, CHUNK_BYTES, null);
    const length = kept + read;
    const end = read === 0 ? length : buffer.subarray(0, length).lastIndexOf(NEWLINE) + 1;
    for (const line of buffer.toString("utf8", 0, end).split("\n")) if (line !== "") yield line;
    if (read === 0) return;
    // Of an overlong line only the beginning stays: enough to be counted once.
    kept = Math.min(length - end, LINE_MAX_BYTES);
    buffer.copyWithin(0, end, end + kept);
  }
}
