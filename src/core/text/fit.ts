// SPDX-License-Identifier: Apache-2.0
// max_bytes for a text: head and tail of whole lines, failing lines between them, and markers, together within the
// budget. Where diffs alone take more than the budget leaves, they stay, and the rest is cut as if they were not
// there.
import { markerBytes } from "../marker.ts";
import type { Budget, Shares } from "../rules/budget.ts";
import { splicedLength } from "../splice.ts";
import { type Hole, isWorthMarker, MARKER_COST_BYTES, spareFailures, WINDOW_BYTES } from "./clip.ts";
import { type End, takeHead, takeTail } from "./ends.ts";
import { markFailing } from "./failing.ts";
import { contentEnd } from "./lines.ts";
import { CITING, FIXED, KEPT, REPEATED } from "./marks.ts";
import { choosePins } from "./pins.ts";
import { freeRepeats, type LineRange, type Site, settleLineHoles, spliceHoles } from "./site.ts";
import { findTraces } from "./traceback.ts";

/** The holes that a text is left with. */
export interface Fitted {
  readonly ranges: readonly LineRange[];
  /** Within lines that are shown. */
  readonly holes: readonly Hole[];
  /** Lines of diffs left no way into the budget. */
  readonly overBudget: boolean;
}

/** Each try has the room that the one before was over; the first nearly always fits. */
const TRIES_MAX = 12;
/** An inner marker and its line end, about. */
const HOLE_BYTES = 52;
/** Of it, what each pinned line is charged with: a failure is shown with a line before and after it. */
const PIN_HOLE_BYTES = 24;
/** The marker with totals and id. */
const MARKER_BYTES = markerBytes({
  kind: "cut",
  unit: "lines",
  count: 9_999_999,
  total: 9_999_999,
  from: 9_999_999,
  to: 9_999_999,
});
/** Pinned lines longer than this show a window only. */
const PIN_MAX_BYTES = 400;
const WINDOW_COST_BYTES = WINDOW_BYTES + 2 * HOLE_BYTES;
/** How much less than the shares the ends may have so that failures fit: in the order in which it is tried. */
const ENDS_SHARES = [1, 0.75, 0.5, 0.25, 0];
/** Where more failures than this find no room, head and tail are worth more than some of them. */
const MISSED_MAX = 16;

/**
 * The holes with which the text has at most `budget.maxBytes`. `clips` are holes that lines have already; `site.marks`
 * say what other limits took, and are changed. Undefined: nothing can be taken.
 */
export function fitBudget(site: Site, clips: readonly Hole[], budget: Budget): Fitted | undefined {
  const { lines, marks } = site;
  markFailing(lines, marks, 0, lines.count);
  const traces = findTraces(lines, marks);
  const shares = traces.length > 0 && budget.trace !== undefined ? budget.trace : budget;
  const costs = costsOf(site, clips);
  const before = marks.slice();
  const tryWith = (room: number, ends: number, countsFixed: boolean): Try => {
    marks.set(before);
    return cutMiddle(site, { clips, traces, costs, shares, room, ends, countsFixed });
  };
  const ends = shares.headBytes + shares.tailBytes;
  const hasFixed = before.some((mark) => (mark & FIXED) !== 0);
  // Markers and failing lines take their room from head and tail first: a quarter of it at most.
  const spent = tryWith(budget.maxBytes, ends - (ends >> 2), true).middleBytes;
  const least = ends - Math.min(spent, ends >> 2);
  const fitWith = (most: number): Try | undefined => {
    let room = budget.maxBytes;
    for (let tries = 0; tries < TRIES_MAX && room > 0; tries++) {
      const tried = tryWith(room, Math.min(most, (most * room) / budget.maxBytes), true);
      if (tried.length <= budget.maxBytes) return tried;
      room -= Math.max(tried.length - budget.maxBytes, HOLE_BYTES);
    }
    return undefined;
  };
  let best: (Try & { readonly marks: Uint8Array }) | undefined;
  for (const share of ENDS_SHARES) {
    const tried = fitWith(least * share);
    if (tried !== undefined && (best === undefined || tried.missed < best.missed))
      best = { ...tried, marks: marks.slice() };
    if (best?.missed === 0 || (tried?.missed ?? 0) > MISSED_MAX) break;
  }
  if (best !== undefined) {
    // Later tries have left theirs.
    marks.set(best.marks);
    return best.fitted;
  }
  const last = hasFixed ? tryWith(budget.maxBytes, least, false) : tryWith(0, 0, true);
  const isCut = last.fitted.ranges.length + last.fitted.holes.length > 0;
  if (isCut && (hasFixed || last.length <= budget.maxBytes)) {
    return { ...last.fitted, overBudget: last.length > budget.maxBytes };
  }
  marks.set(before);
  return undefined;
}

interface Plan {
  readonly clips: readonly Hole[];
  readonly traces: readonly (readonly number[])[];
  readonly costs: Int32Array;
  readonly shares: Shares;
  /** What there is for all that is shown, markers included; and for head and tail in it. */
  readonly room: number;
  readonly ends: number;
  /** Lines of diffs take from the room. */
  readonly countsFixed: boolean;
}

interface Try {
  readonly fitted: Fitted;
  /** Of the whole text as it is left. */
  readonly length: number;
  /** Distinct failures that are not in view. */
  readonly missed: number;
  /** Of what stands between head and tail, but for diffs. */
  readonly middleBytes: number;
}

function cutMiddle(site: Site, plan: Plan): Try {
  const { lines, marks } = site;
  const { costs, shares, countsFixed } = plan;
  // So much is sure to be lost to the marker.
  const room = Math.max(0, plan.room - MARKER_BYTES);
  const scale = Math.min(plan.ends, room) / Math.max(1, shares.headBytes + shares.tailBytes);
  const head = takeHead(lines, marks, costs, Math.floor(shares.headBytes * scale));
  const tail = takeTail(lines, marks, costs, Math.floor(shares.tailBytes * scale), head.line);
  const first = head.at === undefined ? head.line : head.line + 1;
  const last = tail.at === undefined ? tail.line + 1 : tail.line;
  let fixed = 0;
  for (let line = first; line < last; line++) {
    if ((marks[line]! & FIXED) === 0) marks[line]! &= ~KEPT;
    else fixed += costs[line]!;
  }
  freeRepeats(site);
  const pinRoom = room - head.bytes - tail.bytes - (countsFixed ? fixed : 0);
  const edges = edgeHoles(site, head, tail, pinRoom);
  const pins = pinLines(site, plan, Math.max(0, pinRoom - edges.bytes));
  const holes = [...edges.holes, ...pins.holes];
  const worth = holes.filter(({ from, to }) => isWorthMarker(from, to, site.field));
  const ranges = settleLineHoles(site);
  for (const clip of inShownLines(site, plan.clips)) {
    if (!worth.some(({ from, to }) => clip.from < to && from < clip.to)) worth.push(clip);
  }
  const fitted = { ranges, holes: inShownLines(site, worth), overBudget: false };
  const length = splicedLength(lines.text.length, spliceHoles(site, ranges, fitted.holes));
  return {
    fitted,
    length,
    missed: edges.missed + pins.missed,
    middleBytes: Math.max(0, length - head.bytes - tail.bytes - fixed),
  };
}

interface Edges {
  readonly holes: readonly Hole[];
  /** What is shown of failures, markers included. */
  readonly bytes: number;
  /** Of the lines, how many hide what fails in them. */
  readonly missed: number;
}

/** The holes in the lines in which head and tail end; failures in them are spared where there is room for one. */
function edgeHoles({ lines }: Site, head: End, tail: End, room: number): Edges {
  const holes: Hole[] = [];
  let bytes = 0;
  let missed = 0;
  const add = (line: number, from: number, to: number): void => {
    if (from >= to) return;
    const hole = { from, to };
    const [start, end] = [lines.starts[line]!, contentEnd(lines, line)];
    const most = Math.max(room >> 1, WINDOW_BYTES + MARKER_COST_BYTES);
    const spared = spareFailures(lines.text, start, end, hole, most);
    const shown = to - from - spared.reduce((sum, one) => sum + one.to - one.from, 0);
    const cost = shown === 0 ? 0 : shown + Math.max(0, spared.length - 1) * HOLE_BYTES;
    if (bytes + cost <= room || cost === 0) {
      holes.push(...spared);
      bytes += cost;
    } else {
      holes.push(hole);
      missed++;
    }
  };
  if (head.line === tail.line && (head.at ?? tail.at) !== undefined) {
    add(head.line, head.at ?? lines.starts[head.line]!, tail.at ?? contentEnd(lines, head.line));
  } else {
    if (head.at !== undefined) add(head.line, head.at, contentEnd(lines, head.line));
    if (tail.at !== undefined) add(tail.line, lines.starts[tail.line]!, tail.at);
  }
  return { holes, bytes, missed };
}

/** Pins failing lines among the hidden ones, by `room` bytes; of long ones, windows. */
function pinLines(site: Site, plan: Plan, room: number): { readonly holes: Hole[]; readonly missed: number } {
  const { lines, marks } = site;
  const { text, starts } = lines;
  const costOf = (line: number): number => {
    const bytes = plan.costs[line]!;
    if (bytes <= PIN_MAX_BYTES) return bytes + PIN_HOLE_BYTES;
    return (marks[line]! & CITING) !== 0 ? WINDOW_COST_BYTES : Number.POSITIVE_INFINITY;
  };
  const windowCostOf = (): number => WINDOW_COST_BYTES;
  const { windows, missed } = choosePins({ lines, marks, traces: plan.traces, room, costOf, windowCostOf });
  freeRepeats(site);
  const holes: Hole[] = [];
  for (const line of windows) {
    const end = contentEnd(lines, line);
    holes.push(...spareFailures(text, starts[line]!, end, { from: starts[line]!, to: end }, WINDOW_BYTES));
  }
  return { holes, missed };
}

/** The holes, in order, that lie in lines which are shown, each by itself: a group of repeats is one marker. */
function inShownLines({ lines, marks }: Site, holes: readonly Hole[]): Hole[] {
  let line = 0;
  return [...holes]
    .sort((a, b) => a.from - b.from)
    .filter(({ from }) => {
      while (lines.starts[line + 1]! <= from) line++;
      return (marks[line]! & (KEPT | REPEATED)) === KEPT;
    });
}

/** What each line takes if it is shown; of a group of repeated lines, its first takes the marker. */
function costsOf({ lines, marks }: Site, clips: readonly Hole[]): Int32Array {
  const { starts, count } = lines;
  const costs = new Int32Array(count);
  let clip = 0;
  for (let line = 0; line < count; line++) {
    if ((marks[line]! & REPEATED) !== 0) {
      costs[line] = line > 0 && (marks[line - 1]! & REPEATED) !== 0 ? 0 : HOLE_BYTES;
      continue;
    }
    let bytes = starts[line + 1]! - starts[line]!;
    for (; clip < clips.length && clips[clip]!.from < starts[line + 1]!; clip++) {
      bytes -= clips[clip]!.to - clips[clip]!.from - HOLE_BYTES;
    }
    costs[line] = bytes;
  }
  return costs;
}
