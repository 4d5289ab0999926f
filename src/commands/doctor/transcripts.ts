// SPDX-License-Identifier: Apache-2.0
// The client's transcripts of the last days, newest first: which answers of hooks it refused, which hooks of ours
// failed, and whether a result that was made smaller reached the model whole all the same. Bounded in files and
// bytes; of a large file its end is read. Nothing of what a transcript says is kept but names, kinds and counts.
import { closeSync, type Dirent, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { runsHook } from "../../hosts/claude-code/hook-command.ts";
import {
  type HookFault,
  type HookRow,
  type ResultRow,
  readTranscriptLine,
} from "../../hosts/claude-code/transcript.ts";
import { type CallRow, hashCall } from "../../measure/row.ts";
import type { Facts } from "./facts.ts";
import { RECENT_MS } from "./finding.ts";

/** `overruled`: no error, yet the model got the original: another hook had the last word. */
export type Reason = HookFault | "overruled";

/** A hook of ours whose answer was not used, or that gave none. */
export interface Refusal {
  readonly tool: string;
  readonly reason: Reason;
  /** Ms since the epoch. */
  readonly ts: number;
  readonly exitCode?: number;
  /** The row that counts the rewrite as delivered although it was not. */
  readonly call?: CallRow;
}

export interface Transcripts {
  readonly files: number;
  readonly refusals: readonly Refusal[];
}

const FILES_MAX = 200;
const FILE_MAX_BYTES = 8 * 1024 * 1024;
const TOTAL_MAX_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** A single line above it is a payload, not a word about a hook. */
const LINE_MAX_BYTES = 4 * 1024 * 1024;
/** Folders below `projects`: project, session, `subagents`. */
const DEPTH_MAX = 3;
const NAMES_MAX = 20_000;
/** A result stands in the transcript moments after the hook. The hash of a use id is short: time tells it apart. */
const SAME_CALL_MS = 10 * 60 * 1000;

interface Evidence {
  readonly faults: HookRow[];
  ours: boolean;
  others: boolean;
  result?: ResultRow;
}

/** Reads the transcripts below the client's folder. Never throws: what cannot be read is left out. */
export function readTranscripts({ env, wired, traffic, now }: Facts): Transcripts {
  const { unseen } = traffic;
  const targets = new Set(wired.ours.map(({ target }) => target));
  const isOurs = ({ command, server }: HookRow) =>
    (command !== undefined &&
      (targets.has(command) || runsHook(command) || /^(?:plugin:[^/]*:)?isthmos\//.test(command))) ||
    (server !== undefined && /^(?:plugin:.*:)?isthmos$/.test(server));
  const calls = new Map<string, Evidence>();
  const evidenceOf = (useId: string): Evidence => {
    const known = calls.get(useId) ?? { faults: [], ours: false, others: false };
    calls.set(useId, known);
    return known;
  };
  const files = listTranscripts(join(env.claudeDir.value, "projects"), now - RECENT_MS);
  for (const line of readAll(files)) {
    for (const row of readTranscriptLine(line, unseen.size > 0)) {
      if (row.kind === "result") {
        if (unseen.has(hashCall(row.useId))) evidenceOf(row.useId).result = row;
      } else if (row.ts >= now - RECENT_MS) {
        const evidence = evidenceOf(row.useId);
        if (row.fault !== undefined) addFault(evidence.faults, row);
        else if (row.rewrote && isOurs(row)) evidence.ours = true;
        else if (row.rewrote) evidence.others = true;
      }
    }
  }
  // A hook that was stopped is not named: it is ours where no other one is there.
  const isAlone = wired.ours.length > 0 && wired.rivals.length === 0;
  const refusals = [...calls].flatMap(([useId, evidence]) => judge(useId, evidence, unseen, isOurs, isAlone));
  return { files: files.length, refusals };
}

/** A forked session has copies of the rows before the fork. */
function addFault(faults: HookRow[], row: HookRow): void {
  const isCopy = faults.some(
    ({ fault, ts, command }) => fault === row.fault && ts === row.ts && command === row.command,
  );
  if (!isCopy) faults.push(row);
}

function judge(
  useId: string,
  { faults, ours, others, result }: Evidence,
  unseen: ReadonlyMap<string, CallRow>,
  isOurs: (row: HookRow) => boolean,
  isAlone: boolean,
): Refusal[] {
  const open = unseen.get(hashCall(useId));
  const time = result?.ts ?? faults[0]?.ts;
  const call =
    open !== undefined && time !== undefined && Math.abs(time - open.ts) < SAME_CALL_MS ? open : undefined;
  const own = faults.filter((row) => {
    if (row.fault === "shape") return ours;
    return row.command === undefined && row.server === undefined
      ? isAlone && row.fault !== "other"
      : isOurs(row);
  });
  const isLost = call !== undefined && gotOriginal(call, result, own);
  const [first] = own;
  if (first === undefined) {
    if (!isLost || result === undefined) return [];
    return [{ tool: call.tool, reason: "overruled", ts: result.ts, call }];
  }
  // Another hook's answer may be the one that was refused, and ours have arrived.
  if (first.fault === "shape" && others && !isLost) return [];
  return own.map(({ tool, fault = "other", ts, exitCode }, i) => ({
    ...{ tool, reason: fault, ts },
    ...(exitCode !== undefined && { exitCode }),
    // One call is booked once.
    ...(i === 0 && isLost && { call }),
  }));
}

/** Whether the model got the original in place of a rewrite. */
function gotOriginal(
  { tool, inBytes, outBytes }: CallRow,
  result: ResultRow | undefined,
  own: HookRow[],
): boolean {
  const wasRefused = own.some(({ fault }) => fault === "shape");
  if (result === undefined) return wasRefused;
  const got = tool === "Read" ? result.plainBytes : result.bytes;
  return got === inBytes || (wasRefused && Math.abs(got - inBytes) < Math.abs(got - outBytes));
}

/** Transcripts changed since `since`, newest first. */
function listTranscripts(root: string, since: number): { readonly path: string; readonly size: number }[] {
  const found: { path: string; size: number; time: number }[] = [];
  let names = 0;
  let level = [root];
  for (let depth = 0; depth <= DEPTH_MAX && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const entry of entriesOf(folder)) {
        if (++names > NAMES_MAX) break;
        const path = join(folder, entry.name);
        if (entry.isDirectory() && entry.name !== "tool-results") next.push(path);
        else if (entry.isFile() && entry.name.endsWith(".jsonl")) {
          const stats = statSync(path, { throwIfNoEntry: false });
          if (stats !== undefined && stats.mtimeMs >= since)
            found.push({ path, size: stats.size, time: stats.mtimeMs });
        }
      }
    }
    level = next;
  }
  return found.sort((a, b) => b.time - a.time).slice(0, FILES_MAX);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function* readAll(files: readonly { readonly path: string }[]): Generator<string> {
  let left = TOTAL_MAX_BYTES;
  for (const { path } of files) {
    if (left <= 0) return;
    try {
      left -= yield* readEnd(path, Math.min(left, FILE_MAX_BYTES));
    } catch {
      // Gone, or not ours to read.
    }
  }
}

/** The lines of the last `maxBytes` of a file; answers how many bytes were read. */
function* readEnd(path: string, maxBytes: number): Generator<string, number> {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    let at = Math.max(0, size - maxBytes);
    const begin = at;
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept: Buffer[] = [];
    let keptBytes = 0;
    // The first line of a file that is read from its middle is a part of one.
    let isWhole = at === 0;
    while (at < size) {
      const read = readSync(fd, buffer, 0, CHUNK_BYTES, at);
      if (read === 0) break;
      at += read;
      const chunk = buffer.subarray(0, read);
      const feed = chunk.lastIndexOf(0x0a);
      if (feed >= 0) {
        const text = Buffer.concat([...kept, chunk.subarray(0, feed)]).toString("utf8");
        const lines = text.split("\n");
        yield* isWhole ? lines : lines.slice(1);
        isWhole = true;
        kept = [];
        keptBytes = 0;
      }
      const rest = chunk.subarray(feed + 1);
      keptBytes += rest.length;
      if (keptBytes <= LINE_MAX_BYTES) kept.push(Buffer.from(rest));
      else isWhole = false;
    }
    // The last line is there once its line end is.
    return at - begin;
  } finally {
    closeSync(fd);
  }
}
