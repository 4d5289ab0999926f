// SPDX-License-Identifier: Apache-2.0
// What the measurement log says to the checks, in one streaming pass: the sums of the last days and, beside them,
// what sums do not keep (last call, names, empty payloads, what was revealed).
import { errorCode } from "../../files.ts";
import { type Aggregate, aggregate, OPEN_CALLS } from "../../measure/aggregate.ts";
import { readRows } from "../../measure/log.ts";
import type { CallRow, Row } from "../../measure/row.ts";
import { RECENT_MS } from "./finding.ts";

/** Of one tool, within RECENT_MS. */
export interface ToolUse {
  /** Calls whose result was made smaller. */
  readonly changed: number;
  readonly reveals: number;
  /** Positions of the rules that made it smaller, 0-based. */
  readonly rules: ReadonlySet<number>;
}

export interface Traffic {
  /** Why the log could not be read (to its end). */
  readonly problem?: string;
  /** Lines that are no rows. */
  readonly skipped: number;
  /** Time of the client's last call, ms; absent if there never was one. */
  readonly lastCall?: number;
  /** The client's calls within RECENT_MS. */
  readonly recentCalls: number;
  /** Of these, the ones that should have had text and did not fail; and how many of them came without a byte. */
  readonly textCalls: number;
  readonly emptyCalls: number;
  /** Tools that the client reported within NAMES_MS. */
  readonly tools: ReadonlySet<string>;
  /** Tools whose output came through a pipe within NAMES_MS. */
  readonly piped: ReadonlySet<string>;
  readonly uses: ReadonlyMap<string, ToolUse>;
  /** The client's calls by tool, within NAMES_MS, and the time of the last, ms. */
  readonly fired: ReadonlyMap<string, { readonly calls: number; readonly last: number }>;
  /** By call hash: results within RECENT_MS that were made smaller and of which the client has not said what it delivered. */
  readonly unseen: ReadonlyMap<string, CallRow>;
  /** Of the rows within RECENT_MS. */
  readonly sums: Aggregate;
}

/** As in the log's `host`. */
const CLIENT = "claude-code";
/** A tool that is used at all is used within a month. */
const NAMES_MS = 30 * 24 * 60 * 60 * 1000;
/** A client has some hundreds of tools; a log of made-up names must not fill the memory. */
const NAMES_MAX = 5000;
/** Built-in tools whose result has no text that a hook may change, or often none. */
const TEXTLESS: ReadonlySet<string> = new Set([
  ...["AskUserQuestion", "Edit", "EnterPlanMode", "ExitPlanMode", "KillShell", "MultiEdit", "NotebookEdit"],
  ...["Skill", "SlashCommand", "TaskCreate", "TaskGet", "TaskList", "TaskStop", "TaskUpdate", "TodoWrite"],
  ...["ToolSearch", "Write"],
]);

type OpenUse = { changed: number; reveals: number; rules: Set<number> };
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenTraffic = Writable<Omit<Traffic, "tools" | "piped" | "uses" | "fired" | "unseen">> & {
  readonly tools: Set<string>;
  readonly piped: Set<string>;
  readonly uses: Map<string, OpenUse>;
  readonly fired: Map<string, { calls: number; last: number }>;
  readonly unseen: Map<string, CallRow>;
};

/** Reads the whole log of a state folder. Never throws. */
export function readTraffic(stateDir: string, now: number): Traffic {
  const traffic: OpenTraffic = {
    skipped: 0,
    recentCalls: 0,
    textCalls: 0,
    emptyCalls: 0,
    tools: new Set(),
    piped: new Set(),
    uses: new Map(),
    fired: new Map(),
    unseen: new Map(),
    sums: aggregate([]),
  };
  const reader = readRows({ stateDir });
  try {
    traffic.sums = aggregate(watch(reader, traffic, now), { since: now - RECENT_MS });
  } catch (error) {
    traffic.problem = errorCode(error) ?? "unknown error";
  }
  traffic.skipped = reader.skipped;
  return traffic;
}

/** Hands the rows on, noting what the sums will not tell. */
function* watch(rows: Iterable<Row>, traffic: OpenTraffic, now: number): Generator<Row> {
  for (const row of rows) {
    const isRecent = row.ts >= now - RECENT_MS;
    if (row.kind === "delivered") traffic.unseen.delete(row.call);
    if (row.kind === "reveal" && isRecent) useOf(traffic, row.tool).reveals++;
    if (row.kind === "call") {
      if (row.ts >= now - NAMES_MS) noteName(traffic, row);
      if (row.host === CLIENT) {
        if (row.ts >= now - NAMES_MS) noteFired(traffic, row);
        noteCall(traffic, row, isRecent);
      }
      if (isRecent) noteChange(traffic, row);
    }
    yield row;
  }
}

function noteName({ tools, piped }: OpenTraffic, { host, tool }: CallRow): void {
  const names = host === undefined ? piped : tools;
  if (names.size < NAMES_MAX) names.add(tool);
}

function noteFired({ fired }: OpenTraffic, { tool, ts }: CallRow): void {
  const known = fired.get(tool);
  if (known !== undefined) {
    known.calls++;
    known.last = Math.max(known.last, ts);
  } else if (fired.size < NAMES_MAX) fired.set(tool, { calls: 1, last: ts });
}

function noteCall(traffic: OpenTraffic, row: CallRow, isRecent: boolean): void {
  traffic.lastCall = Math.max(traffic.lastCall ?? row.ts, row.ts);
  if (!isRecent) return;
  traffic.recentCalls++;
  if (row.failure || TEXTLESS.has(row.tool)) return;
  traffic.textCalls++;
  if (row.inBytes === 0) traffic.emptyCalls++;
}

function noteChange(traffic: OpenTraffic, row: CallRow): void {
  const { tool, shadow, inBytes, outBytes, rules = [], host, call } = row;
  if (shadow || outBytes >= inBytes) return;
  if (host === CLIENT && call !== undefined && traffic.unseen.size < OPEN_CALLS)
    traffic.unseen.set(call, row);
  const use = useOf(traffic, tool);
  use.changed++;
  for (const rule of rules) use.rules.add(rule);
}

function useOf({ uses }: OpenTraffic, tool: string): OpenUse {
  const known = uses.get(tool);
  if (known !== undefined) return known;
  const use = { changed: 0, reveals: 0, rules: new Set<number>() };
  // Past the bound the figures of a new name are dropped.
  if (uses.size < NAMES_MAX) uses.set(tool, use);
  return use;
}
