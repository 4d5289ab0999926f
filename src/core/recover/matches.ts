// SPDX-License-Identifier: Apache-2.0
// What a search shows: the lines (or items) that hold a hit, with their neighbours, as runs that do not overlap; of a
// line that is too long, windows around its hits. Bounded in hits and bytes; the number of all hits is always told.
// One pass, linear in the text, apart from what `find` does.
import { charEnd, charStart } from "../text/boundary.ts";
import type { Range, Span } from "./span.ts";
import type { Place, Units } from "./units.ts";

/** Bytes of a hit, half-open. */
export interface Hit {
  readonly start: number;
  readonly end: number;
}

/** The first hit that starts at `from` or after it. In lines of more than `longLine` bytes each hit counts, else the first of a line is enough. */
export type FindHit = (from: number, longLine: number) => Hit | undefined;

export interface MatchLimits {
  /** Hits that are shown. */
  readonly maxMatches: number;
  /** Bytes that all groups together have at most. */
  readonly maxBytes: number;
  /** Lines or items before and after each. */
  readonly context: number;
  /** Longer lines and items are shown as windows. */
  readonly longBytes: number;
}

/** A run of lines or items, `first` to `last`, or with `window` the part of `first` that is shown. */
export interface Group {
  readonly first: Place;
  last: Place;
  /** Numbers of those with a hit. */
  readonly matching: number[];
  readonly window?: Range;
}

export interface Matches {
  /** Hits in the whole span: lines or items, and windows of long ones. */
  readonly total: number;
  readonly groups: readonly Group[];
  /** Bytes shown. */
  readonly bytes: number;
  /** The byte from which the hits that are not shown can be found. */
  readonly resume?: number;
}

/** Bytes before and after a hit in a window: an answer of it costs about 700 bytes, with all that stands around it. */
const AROUND_BYTES = 128;

/** How far a window reaches past its hit, at least. */
export function windowReach(longBytes: number): number {
  return Math.min(AROUND_BYTES, Math.floor(longBytes / 4));
}

/** The hits of `span`, which may have neighbours outside of it. */
export function collectMatches(
  text: Uint8Array,
  units: Units,
  find: FindHit,
  span: Pick<Span, "from" | "to">,
  limits: MatchLimits,
): Matches {
  const { longBytes } = limits;
  const shown = new Shown(units, limits);
  let total = 0;
  let resume: number | undefined;
  let at = span.from;
  for (let hit = find(at, longBytes); hit !== undefined && hit.start < span.to; hit = find(at, longBytes)) {
    const first = units.around(hit.start);
    const last = hit.end > first.to ? units.around(hit.end - 1) : first;
    const isLong = last.to - first.from > longBytes;
    const window = isLong ? windowAround(text, hit, { from: first.from, to: last.to }, longBytes) : undefined;
    total++;
    at = window?.to ?? last.to;
    if (resume !== undefined) continue;
    const isShown = window === undefined ? shown.add(first, last) : shown.addWindow(first, window);
    if (!isShown) resume = hit.start;
  }
  return { total, groups: shown.groups, bytes: shown.bytes, ...(resume !== undefined && { resume }) };
}

/** What of a long line is shown: the hit's surroundings, cut between characters. */
function windowAround(text: Uint8Array, hit: Hit, line: Range, longBytes: number): Range {
  const around = windowReach(longBytes);
  const end = Math.min(hit.end, hit.start + Math.floor(longBytes / 2));
  const from = charStart(text, line.from, Math.max(line.from, hit.start - around), line.to);
  let to = charStart(text, line.from, Math.min(line.to, end + around), line.to);
  // A window always takes in something of its hit, so that the search goes on.
  if (to <= hit.start) to = charEnd(text, line.from, hit.start, line.to);
  return { from, to };
}

/** The groups so far, and what of the bounds is left. */
class Shown {
  readonly groups: Group[] = [];
  bytes = 0;
  #hits = 0;
  readonly #units: Units;
  readonly #limits: MatchLimits;

  constructor(units: Units, limits: MatchLimits) {
    this.#units = units;
    this.#limits = limits;
  }

  /** False where there is no room. A group whose neighbours do not fit goes without them. */
  add(first: Place, last: Place): boolean {
    if (this.#hits === this.#limits.maxMatches) return false;
    const group = this.#openGroup();
    const from = this.#reachBack(first, group?.last.number ?? -1);
    const to = this.#reachOn(last);
    const isShown = this.#show(group, from, to) || this.#show(group, first, last);
    // A page is never empty: the first is shown in any case, by itself.
    if (!isShown && this.groups.length > 0) return false;
    if (!isShown) this.#open(first, last);
    const { matching } = this.groups.at(-1)!;
    for (let number = first.number; number <= last.number; number++) matching.push(number);
    this.#hits++;
    return true;
  }

  addWindow(line: Place, window: Range): boolean {
    const isFirst = this.groups.length === 0;
    if (this.#hits === this.#limits.maxMatches || !(isFirst || this.#fits(window.to - window.from)))
      return false;
    this.bytes += window.to - window.from;
    this.groups.push({ first: line, last: line, matching: [line.number], window });
    this.#hits++;
    return true;
  }

  /** The last group, if lines can be added to it. */
  #openGroup(): Group | undefined {
    const group = this.groups.at(-1);
    return group?.window === undefined ? group : undefined;
  }

  #show(group: Group | undefined, from: Place, to: Place): boolean {
    if (group === undefined || from.number > group.last.number + 1) {
      if (!this.#fits(to.to - from.from)) return false;
      this.#open(from, to);
      return true;
    }
    const more = to.to - group.last.to;
    if (!this.#fits(more)) return false;
    if (more > 0) {
      this.bytes += more;
      group.last = to;
    }
    return true;
  }

  #open(from: Place, to: Place): void {
    this.bytes += to.to - from.from;
    this.groups.push({ first: from, last: to, matching: [] });
  }

  #fits(bytes: number): boolean {
    return this.bytes + bytes <= this.#limits.maxBytes;
  }

  /** Neighbours before, as far as they are no longer than a line may be and not shown already. */
  #reachBack(first: Place, shownTo: number): Place {
    let from = first;
    for (let left = this.#limits.context; left > 0; left--) {
      const before = this.#units.before(from);
      if (before === undefined || before.number <= shownTo || this.#isLong(before)) break;
      from = before;
    }
    return from;
  }

  #reachOn(last: Place): Place {
    let to = last;
    for (let left = this.#limits.context; left > 0; left--) {
      const after = this.#units.after(to);
      if (after === undefined || this.#isLong(after)) break;
      to = after;
    }
    return to;
  }

  #isLong({ from, to }: Place): boolean {
    return to - from > this.#limits.longBytes;
  }
}
