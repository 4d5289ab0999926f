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
  /** Cost of showing one more line (for a group of repeated lines: of its marker); infinite: it is too long for a pin. */
  readonly costOf: (line: number) => number;
  /** Cost of showing a failing line as a window, where that is less; absent: lines are shown whole. */
  readonly windowCostOf?: (line: number) => number;
}

/** What became of the failing lines. */
interface Pins {
  /** Lines to show as a window. */
  readonly windows: ReadonlySet<number>;
  /** Distinct failures that found no room. */
  readonly missed: number;
}

/** Distinct failures that are told apart; more are each taken for a new one. */
const CLUSTERS_MAX = 65_536;

/** Sets KEPT on the lines to pin. */
export function choosePins(site: PinSite): Pins {
  const { lines, marks, traces, room } = site;
  const windows = new Set<number>();
  const ledger = { site, added: [], windows, spent: 0, limit: room } satisfies Ledger;
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
  return { windows, missed: first.filter((line) => (marks[line]! & KEPT) === 0).length };
}

interface Ledger {
  readonly site: PinSite;
  /** Lines that were hidden before, in the order in which they were pinned. */
  readonly added: number[];
  readonly windows: Set<number>;
  spent: number;
  limit: number;
}

/** Pins the last traceback, then the others from the first on; of one that does not fit, what fits. */
function pinTraces(ledger: Ledger, traces: readonly (readonly number[])[]): void {
  const ordered = traces.length > 1 ? [traces.at(-1)!, ...traces.slice(0, -1)] : traces;
  for (const trace of ordered) {
    if (ledger.spent >= ledger.limit) return;
    for (const line of trace) {
      if (!tryKeep(ledger, [line]) && !pinWindow(ledger, line) && isShort(ledger, line)) break;
    }
  }
}

/**
 * Pins failing lines: all with their context, all without it, or all as windows, the rest of the room going to what
 * that left out; else those in front for three quarters of the room, those at the end for the rest, and what fits.
 */
function pinFailures(ledger: Ledger, failing: readonly number[]): void {
  const before = { spent: ledger.spent, added: ledger.added.length };
  const pinAll = (pin: (ledger: Ledger, line: number) => boolean): boolean => {
    if (failing.every((line) => pin(ledger, line))) return true;
    takeBack(ledger, before);
    return false;
  };
  if (pinAll(pinWithContext)) return;
  if (pinAll(pinLine) || pinAll(pinWindow)) {
    for (const line of failing) widen(ledger, line);
    for (const line of failing) pinWithContext(ledger, line);
    return;
  }

  const front = before.spent + Math.ceil(((ledger.limit - before.spent) * 3) / 4);
  let next = 0;
  for (let step = before; next < failing.length; next++) {
    const isPinned = pinFailure(ledger, failing[next]!);
    if (!isPinned || (next > 0 && ledger.spent > front)) {
      takeBack(ledger, step);
      break;
    }
    step = { spent: ledger.spent, added: ledger.added.length };
  }
  let last = failing.length - 1;
  while (last >= next && pinFailure(ledger, failing[last]!)) last--;
  for (; next < last; next++) if (!pinLine(ledger, failing[next]!)) pinWindow(ledger, failing[next]!);
}

/** Hides what was pinned since the ledger stood so. */
function takeBack(
  ledger: Ledger,
  { spent, added }: { readonly spent: number; readonly added: number },
): void {
  while (ledger.added.length > added) {
    const line = ledger.added.pop()!;
    ledger.site.marks[line]! &= ~KEPT;
    ledger.windows.delete(line);
  }
  ledger.spent = spent;
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
  return pinWithContext(ledger, line) || pinLine(ledger, line) || pinWindow(ledger, line);
}

function pinWithContext(ledger: Ledger, line: number): boolean {
  const { lines } = ledger.site;
  const around = [line - 1, line + 1].filter((at) => at >= 0 && at < lines.count && isShort(ledger, at));
  return tryKeep(ledger, [line, ...around]);
}

function pinLine(ledger: Ledger, line: number): boolean {
  return tryKeep(ledger, [line]);
}

/** Pins a line as a window, or whole where that costs no more. */
function pinWindow(ledger: Ledger, line: number): boolean {
  const { marks, costOf, windowCostOf } = ledger.site;
  const cost = windowCostOf?.(line) ?? costOf(line);
  if ((marks[line]! & (KEPT | REPEATED)) !== 0 || cost >= costOf(line)) return tryKeep(ledger, [line]);
  if ((marks[line]! & FAILING) === 0 || ledger.spent + cost > ledger.limit) return false;
  ledger.spent += cost;
  marks[line]! |= KEPT;
  ledger.added.push(line);
  ledger.windows.add(line);
  return true;
}

/** Shows a window's line whole if there is room. */
function widen(ledger: Ledger, line: number): void {
  if (!ledger.windows.has(line)) return;
  const { costOf, windowCostOf } = ledger.site;
  const more = costOf(line) - (windowCostOf?.(line) ?? 0);
  if (ledger.spent + more > ledger.limit) return;
  ledger.spent += more;
  ledger.windows.delete(line);
}

function isShort({ site }: Ledger, line: number): boolean {
  return Number.isFinite(site.costOf(line));
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
