// SPDX-License-Identifier: Apache-2.0
// Finds tracebacks and names the lines of each that matter (C8): message, frames nearest to the error, causes.
// Python tells the error last; Java, JavaScript, .NET, Ruby, PHP, Go and Rust tell it first.
import { isDigit, startsWith } from "./bytes.ts";
import { lineKey } from "./cluster.ts";
import { startsLine } from "./hunk.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { FAILING, FIXED, REPEATED } from "./marks.ts";

/** Lines of one traceback: the message, some frames, the causes. */
const TRACE_MAX_LINES = 12;
/** Distinct tracebacks; of more, the last stays known. */
const TRACES_MAX = 256;
/** Frames and messages are told by their first bytes. */
const LOOK_BYTES = 300;

const PYTHON_END = new TextEncoder().encode("(most recent call last):");
const PYTHON_HEAD_BYTES = "Traceback (most recent call last):".length;

interface Trace {
  /** The line that says what happened. */
  readonly key: number;
  /** Lines to show, the most telling first. */
  readonly lines: readonly number[];
  /** The line after the traceback. */
  readonly end: number;
}

/** Of each traceback the lines that matter, the most telling first; one of several alike. Needs FAILING. */
export function findTraces(lines: Lines, marks: Uint8Array): number[][] {
  const traces: number[][] = [];
  const seen = new Set<number>();
  for (let line = 0; line < lines.count; ) {
    const trace = (marks[line]! & (FIXED | REPEATED)) === 0 ? traceAt(lines, marks, line) : undefined;
    if (trace === undefined) {
      line++;
      continue;
    }
    const key = lineKey(lines.text, lines.starts[trace.key]!, contentEnd(lines, trace.key));
    if (!seen.has(key)) {
      if (traces.length === TRACES_MAX) traces.pop();
      else seen.add(key);
      traces.push([...new Set(trace.lines)].slice(0, TRACE_MAX_LINES));
    }
    line = trace.end;
  }
  return traces;
}

function traceAt(lines: Lines, marks: Uint8Array, line: number): Trace | undefined {
  const end = contentEnd(lines, line);
  if (lines.text[end - 1] === 0x3a && startsWith(lines.text, end - PYTHON_END.length, PYTHON_END)) {
    return pythonTrace(lines, line);
  }
  if (startsLine(lines, line, "panic: ") || startsLine(lines, line, "fatal error: "))
    return goTrace(lines, line);
  if (startsLine(lines, line, "thread '")) return rustTrace(lines, line);
  return isFrame(lines, line) ? stackTrace(lines, marks, line) : undefined;
}

/** Frames are indented below the head; the first line that is not, and up to two after it, tell the error. */
function pythonTrace(lines: Lines, head: number): Trace | undefined {
  const { text, starts, count } = lines;
  const prefix = Math.max(0, contentEnd(lines, head) - PYTHON_HEAD_BYTES - starts[head]!);
  const indent = head + 1 < count && hasPrefix(lines, head, head + 1, prefix) ? prefix : 0;
  let error = head + 1;
  while (error < count) {
    const at = starts[error]! + indent;
    const isInside = hasPrefix(lines, head, error, indent) && at < contentEnd(lines, error);
    if (!isInside || (text[at] !== 0x20 && text[at] !== 0x09)) break;
    error++;
  }
  if (error === head + 1 || error === count) return undefined;
  const wanted = [error, error - 1, error - 2, error - 3, error - 4, head];
  let end = error + 1;
  while (end < count && end < error + 3 && contentEnd(lines, end) > starts[end]! + indent) wanted.push(end++);
  for (let frame = error - 5; frame >= error - 8; frame--) wanted.push(frame);
  return { key: error, lines: wanted.filter((line) => line >= head), end: error + 1 };
}

/** True if both lines start with the same `bytes` bytes. */
function hasPrefix({ text, starts }: Lines, a: number, b: number, bytes: number): boolean {
  if (bytes > LOOK_BYTES || starts[b + 1]! - starts[b]! < bytes) return false;
  for (let i = 0; i < bytes; i++) if (text[starts[a]! + i] !== text[starts[b]! + i]) return false;
  return true;
}

/** `panic: …`, then within a few lines `goroutine 1 [running]:` and its frames, two lines each. */
function goTrace(lines: Lines, line: number): Trace | undefined {
  let frames = line + 1;
  while (frames < line + 6 && frames < lines.count && !startsLine(lines, frames, "goroutine ")) frames++;
  if (!startsLine(lines, frames, "goroutine ")) return undefined;
  const wanted = [line, frames];
  let end = frames + 1;
  while (end < lines.count && end < frames + 7 && contentEnd(lines, end) > lines.starts[end]!)
    wanted.push(end++);
  for (let between = line + 1; between < frames; between++) wanted.push(between);
  return { key: line, lines: wanted, end };
}

/** `thread 'main' panicked at src/main.rs:2:5:`, the message, a note. */
function rustTrace(lines: Lines, line: number): Trace | undefined {
  const { text, starts, count } = lines;
  const head = text.subarray(starts[line]!, Math.min(contentEnd(lines, line), starts[line]! + LOOK_BYTES));
  if (!String.fromCharCode(...head).includes("' panicked at ")) return undefined;
  const end = Math.min(count, line + 3);
  return { key: line, lines: [line, line + 1, line + 2].filter((at) => at < end), end };
}

/** Frames from `line` on, the message before them, and the causes among them. */
function stackTrace(lines: Lines, marks: Uint8Array, line: number): Trace | undefined {
  if (line === 0) return undefined;
  const message = line - 1;
  const causes: number[] = [];
  let end = line + 1;
  while (end < lines.count) {
    if (isCause(lines, end)) causes.push(end);
    else if (!isFrame(lines, end)) break;
    if (causes.length > 3) causes.splice(1, 1);
    end++;
  }
  const wanted = [message, line, line + 1];
  if (line > 1 && (marks[message]! & FAILING) === 0) wanted.push(line - 2);
  for (const cause of causes.reverse().slice(0, 2)) wanted.push(cause, cause + 1, cause + 2);
  wanted.push(line + 2, end - 1);
  return { key: message, lines: wanted.filter((at) => at < end), end };
}

/** `    at f (file:1:2)`, `    from file.rb:3:in 'f'`, `#0 file.php(3): f()`, `... 23 more`. */
function isFrame({ text, starts }: Lines, line: number): boolean {
  const start = starts[line]!;
  const end = Math.min(starts[line + 1]!, start + LOOK_BYTES);
  let at = start;
  while (at < end && (text[at] === 0x20 || text[at] === 0x09)) at++;
  const c = text[at];
  if (c === 0x23) return isDigit(text[at + 1] ?? 0) && at + 2 < end;
  if (at === start) return false;
  if (c === 0x2e) return text[at + 1] === 0x2e && text[at + 2] === 0x2e && isDigit(text[at + 4] ?? 0);
  const isAt = c === 0x61 && text[at + 1] === 0x74 && text[at + 2] === 0x20;
  const isFrom = c === 0x66 && text[at + 1] === 0x72 && text[at + 2] === 0x6f && text[at + 3] === 0x6d;
  if (!isAt && !isFrom) return false;
  for (let i = at + 3; i < end; i++) if (text[i] === 0x3a || text[i] === 0x28) return true;
  return false;
}

/** A further error within a stack: `Caused by: …`, `Suppressed: …`, ` ---> …`, `--- End of inner exception stack trace ---`. */
function isCause({ text, starts, count }: Lines, line: number): boolean {
  let at = starts[line]!;
  const end = starts[line + 1]!;
  while (at < end && (text[at] === 0x20 || text[at] === 0x09)) at++;
  const c = text[at];
  if (c !== 0x43 && c !== 0x53 && c !== 0x2d && c !== 0x5b) return false;
  const head = String.fromCharCode(...text.subarray(at, Math.min(end, at + 12)));
  return line < count && /^(?:Caused by: |Suppressed: |---> |--- End of|\[cause\]: )/.test(head);
}
