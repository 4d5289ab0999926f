// SPDX-License-Identifier: Apache-2.0
// What running servers say about themselves: one small file each, `servers/<pid>.json` below the state folder,
// written by the server and removed at its end. Counts and times only: no tool, path or payload.
import { join } from "node:path";
import { list, makePrivateDir, readFile, remove, stat, writeAtomic } from "./files.ts";

export interface ServerState {
  readonly pid: number;
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  /** When the counters were written, ISO 8601, UTC. */
  readonly updated: string;
  /** Hook events asked for. */
  readonly calls: number;
  /** Of those, done in a process of their own for their size. */
  readonly child_calls: number;
  /** Sweeps of the store that this server made. */
  readonly sweeps: number;
  /** What became of the events: `changed`, `unchanged`, `failed` (open: the result stayed as it was). */
  readonly decisions: Readonly<Record<string, number>>;
  /** Reveals by status. */
  readonly reveals: Readonly<Record<string, number>>;
  /** Resident memory, bytes. */
  readonly rss_bytes: number;
}

const STATE_MAX_BYTES = 16 * 1024;
const FILE = /^(\d{1,10})\.json$/;
/** A file on its way to its name is younger, if its writer lives. */
const LEFTOVER_MS = 60 * 60 * 1000;

/** The servers that run, by process id. Never throws. */
export function readServers(stateDir: string): ServerState[] {
  const folder = serversFolder(stateDir);
  return listPids(folder)
    .filter(isAlive)
    .sort((a, b) => a - b)
    .flatMap((pid) => readState(join(folder, fileName(pid)), pid) ?? []);
}

/** Writes a server's file. Throws the errno error of the file system. */
export function writeServer(stateDir: string, state: ServerState): void {
  const folder = serversFolder(stateDir);
  makePrivateDir(folder);
  writeAtomic(join(folder, fileName(state.pid)), new TextEncoder().encode(`${JSON.stringify(state)}\n`));
}

/** Removes a server's file, if there is one. Never throws. */
export function removeServer(stateDir: string, pid: number): void {
  tryRemove(join(serversFolder(stateDir), fileName(pid)));
}

/** The process ids of servers that left their file behind: they were killed. Never throws. */
export function listLost(stateDir: string): number[] {
  return listPids(serversFolder(stateDir)).filter((pid) => !isAlive(pid));
}

/** Removes what killed servers left; answers how many they were. Never throws. */
export function sweepServers(stateDir: string): number {
  const folder = serversFolder(stateDir);
  const lost = listLost(stateDir);
  for (const pid of lost) removeServer(stateDir, pid);
  for (const name of listNames(folder)) {
    const path = join(folder, name);
    if (name.endsWith(".tmp") && isLeftover(path)) tryRemove(path);
  }
  return lost.length;
}

function serversFolder(stateDir: string): string {
  return join(stateDir, "servers");
}

function fileName(pid: number): string {
  return `${pid}.json`;
}

function listPids(folder: string): number[] {
  return listNames(folder).flatMap((name) => {
    const [, pid] = FILE.exec(name) ?? [];
    return pid === undefined ? [] : [Number(pid)];
  });
}

function listNames(folder: string): string[] {
  try {
    return list(folder) ?? [];
  } catch {
    return [];
  }
}

// Signal 0 asks only; another user's process answers with an error that is not ESRCH, and is not ours.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function isLeftover(path: string): boolean {
  try {
    const found = stat(path);
    return found !== undefined && Date.now() - found.mtimeMs > LEFTOVER_MS;
  } catch {
    return false;
  }
}

function tryRemove(path: string): void {
  try {
    remove(path);
  } catch {
    // It says nothing wrong: the process is gone, and readers see that.
  }
}

function readState(path: string, pid: number): ServerState | undefined {
  try {
    const bytes = readFile(path, { maxBytes: STATE_MAX_BYTES });
    return bytes && parseState(JSON.parse(new TextDecoder().decode(bytes)), pid);
  } catch {
    return undefined;
  }
}

function parseState(value: unknown, pid: number): ServerState | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const read = new Map<string, unknown>(Object.entries(value));
  const text = (name: string) => toText(read.get(name));
  return {
    pid,
    version: text("version"),
    started: text("started"),
    updated: text("updated"),
    calls: toCount(read.get("calls")),
    child_calls: toCount(read.get("child_calls")),
    sweeps: toCount(read.get("sweeps")),
    decisions: toCounts(read.get("decisions")),
    reveals: toCounts(read.get("reveals")),
    rss_bytes: toCount(read.get("rss_bytes")),
  };
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toCount(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 0;
}

function toCounts(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, count]) => [name, toCount(count)]));
}
