// SPDX-License-Identifier: Apache-2.0
// Which hidden lines stay in view all the same (C9): markers that cite a stored original, the ends of
// tracebacks, failing lines with a line of context and what they go on to say. Bounded; repeats of one failure
// count once, then twice.
import { lineKey } from "./cluster.ts";
import { detailsOf } from "./detail.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { CITING, FAILING, KEPT, REPEATED } from "./marks.ts";

export interface PinSite {
  readonly lines: Lines;
  readonly marks: Uint8Array;
  /** Lines of each traceback that matter, the most telling first. */
  readonly traces: readonly (readonly number[])[];
  /** What all pins together may cost. */
  readonly room: number;
  /** Cost of showing one more line (for a group of repeated lines: of its marker). */
  readonly costOf: (line: number) => number;
}

/** Distinct failures that are told apart; more are each taken for a new one. */
const CLUSTERS_MAX = 65_536;

/** Sets KEPT on the lines to pin. */
export function choosePins(site: PinSite): void {
  const { lines, marks, traces, room } = site;
  const ledger = { site, added: [], spent: 0, limit: room } satisfies Ledger;
  const first: number[] = [];
  const second: number[] = [];
  const clusters = new Map<number, number>();
  for (let line = 0; line < lines.count; line++) {
    if ((marks[line]! & (KEPT | REPEATED)) !== 0) continue;
    if ((marks[line]! & CITING) !== 0) tryKeep(ledger, [line]);
    else if ((marks[line]! & FAILING) !== 0) {
      const key = lineKey(lines.text, lines.starts[line]!, contentEnd(lines, line));
      const times = clusters.get(key) ?? 0;
      if (times === 0) first.push(line);
      else if (times === 1) second.push(line);
      if (times < 2 && (times > 0 || clusters.size < CLUSTERS_MAX)) clusters.set(key, times + 1);
    }
  }
  ledger.limit = ledger.spent + Math.ceil(((room - ledger.spent) * 3) / 4);
  pinTraces(ledger, traces);
  ledger.limit = room;
  pinFailures(ledger, first);
  pinFailures(ledger, second);
  ledger.limit = ledger.spent + ((room - ledger.spent) >> 1);
  pinDetails(ledger, first);
}

interface Ledger {
  readonly site: PinSite;
  /** Lines that were hidden before, in the order in which they were pinned. */
  readonly added: number[];
  spent: number;
  limit: number;
}

/** Pins the last traceback, then the others from the first on; of one that does not fit, what fits. */
function pinTraces(ledger: Ledger, traces: readonly (readonly number[])[]): void {
  const ordered = traces.length > 1 ? [traces.at(-1)!, ...traces.slice(0, -1)] : traces;
  for (const trace of ordered) {
    if (ledger.spent >= ledger.limit) return;
    for (const line of trace) if (!tryKeep(ledger, [line])) break;
  }
}

/** Pins failing lines with their context: all, or those in front for three quarters of the room and those at the end for the rest. */
function pinFailures(ledger: Ledger, failing: readonly number[]): void {
  const before = { spent: ledger.spent, added: ledger.added.length };
  const steps: { spent: number; added: number }[] = [];
  let next = 0;
  while (next < failing.length && pinFailure(ledger, failing[next]!)) {
    steps.push({ spent: ledger.spent, added: ledger.added.length });
    next++;
  }
  if (next === failing.length) return;

  const front = before.spent + Math.ceil(((ledger.limit - before.spent) * 3) / 4);
  let kept = steps.length;
  while (kept > 1 && steps[kept - 1]!.spent > front) kept--;
  const step = steps[kept - 1] ?? before;
  while (ledger.added.length > step.added) ledger.site.marks[ledger.added.pop()!]! &= ~KEPT;
  ledger.spent = step.spent;
  for (let last = failing.length - 1; last >= kept; last--) if (!pinFailure(ledger, failing[last]!)) return;
}

/** Pins what tells more of the failures in view, from the first on. */
function pinDetails(ledger: Ledger, failing: readonly number[]): void {
  const { lines, marks } = ledger.site;
  for (const line of failing) {
    if ((marks[line]! & KEPT) === 0) continue;
    for (const detail of detailsOf(lines, line)) {
      if ((marks[detail]! & KEPT) === 0 && !tryKeep(ledger, [detail])) return;
    }
  }
}

function pinFailure(ledger: Ledger, line: number): boolean {
  const wanted = [line];
  if (line > 0) wanted.push(line - 1);
  if (line + 1 < ledger.site.lines.count) wanted.push(line + 1);
  return tryKeep(ledger, wanted) || tryKeep(ledger, [line]);
}

/** Shows the lines if the ledger's limit allows it. A repeated line is shown with the rest of its group after it. */
function tryKeep(ledger: Ledger, wanted: readonly number[]): boolean {
  const { lines, marks, costOf } = ledger.site;
  let cost = 0;
  for (const line of wanted) if ((marks[line]! & KEPT) === 0) cost += costOf(line);
  if (ledger.spent + cost > ledger.limit) return false;
  ledger.spent += cost;
  for (const line of wanted) {
    for (let at = line; at < lines.count && (marks[at]! & KEPT) === 0; at++) {
      if (at > line && (marks[at]! & REPEATED) === 0) break;
      marks[at]! |= KEPT;
      ledger.added.push(at);
      if ((marks[line]! & REPEATED) === 0) break;
    }
  }
  return true;
}
