// SPDX-License-Identifier: Apache-2.0
// The treatment of a text: a whole region, or the value of a JSON string. Runs of equal lines first, then
// the cut of lines, then that of bytes; diffs are left as they are, failures stay in view.
import type { Cuts } from "../cuts.ts";
import type { Budget } from "../rules/budget.ts";
import { type Splice, splicedLength } from "../splice.ts";
import { type CleanUps, cleanText } from "./clean.ts";
import { clipLine, type Hole } from "./clip.ts";
import { markDiffs } from "./diff.ts";
import { markFailing } from "./failing.ts";
import { fitBudget } from "./fit.ts";
import { contentEnd, countLines, type Lines, splitLines } from "./lines.ts";
import { FIXED, KEPT, REPEATED } from "./marks.ts";
import { citesStored, findMarkers, isOwnByteCut, isOwnClip, isOwnLineCut, markCiting } from "./own.ts";
import { choosePins } from "./pins.ts";
import { markRuns } from "./runs.ts";
import { freeRepeats, type LineRange, type Site, settleLineHoles, spliceHoles } from "./site.ts";
import { cutTail } from "./tail.ts";
import { findTraces } from "./traceback.ts";
import { clipWhole } from "./whole.ts";

/** Limits of one text; 0: none. */
export interface TextLimits extends CleanUps {
  readonly maxLines: number;
  /** Of `maxLines`, how many go to the end; undefined: a quarter. */
  readonly keepLast: number | undefined;
  readonly maxStr: number;
  /** Of `maxStr`, how many bytes go to the end of a `whole` text; a quarter if left out. */
  readonly maxStrTail?: number;
  readonly dedup: boolean;
  /** Of a text that is a whole region; acts after the others. */
  readonly budget?: Budget | undefined;
}

export interface TextContext {
  /** `tail`: only `maxLines` and the budget act, with one hole at the end. */
  readonly cut: "any" | "tail";
  /** `names`: nothing in the text is a failure. */
  readonly content: "text" | "names";
  /** What `maxStr` limits: each line, or the text as a whole (a JSON string). */
  readonly unit: "line" | "whole";
  /** JSON pointer for the markers, as `quotablePointer` gives it. */
  readonly field?: string;
  /** Ids that occur in the text and that the store holds. */
  readonly stored: ReadonlySet<string>;
}

export interface TextCompression {
  /** Of the text's bytes; empty where nothing changes. */
  readonly splices: readonly Splice[];
  readonly cuts: Readonly<Cuts>;
  /** The budget could not be kept, because of what stays whole. */
  readonly kept?: "diff";
}

const UNCHANGED: TextCompression = { splices: [], cuts: {} };

/** What goes of `text` under `limits`: strictly less is left, or all of it. */
export function compressText(text: Uint8Array, limits: TextLimits, context: TextContext): TextCompression {
  if (isOwnCut(text, limits, context.stored)) return UNCHANGED;
  const mayGo = context.cut === "any" && context.content === "text";
  const clean = mayGo ? cleanText(text, limits) : undefined;
  if (clean === undefined) return cutText(text, limits, context);
  const cut = cutText(clean.text, limits, context);
  const both = { ...cut, ...clean.with(cut.splices, cut.cuts) };
  const { budget } = limits;
  const over = budget === undefined ? 0 : splicedLength(text.length, both.splices) - budget.maxBytes;
  if (budget === undefined || over <= 0 || cut.kept !== undefined) return both;
  // Ranges of the original have more digits than those of the cleaned text.
  const tight = cutText(
    clean.text,
    { ...limits, budget: { ...budget, maxBytes: budget.maxBytes - over } },
    context,
  );
  return { ...tight, ...clean.with(tight.splices, tight.cuts) };
}

function isOwnCut(text: Uint8Array, cleanUps: CleanUps, stored: ReadonlySet<string>): boolean {
  const markers = stored.size > 0 ? findMarkers(text, 0, text.length) : [];
  if (!citesStored(markers, stored)) return false;
  return isOwnByteCut(markers, stored, cleanUps) || isOwnLineCut(splitLines(text), markers, stored);
}

function cutText(text: Uint8Array, limits: TextLimits, context: TextContext): TextCompression {
  const { maxLines, maxStr, dedup, budget } = limits;
  const count = countLines(text);
  const maySpan = maxLines > 0 && count > maxLines;
  const mayClip = maxStr > 0 && text.length > maxStr && context.cut === "any";
  const isLarge = budget !== undefined && text.length > budget.maxBytes;
  if (!maySpan && !mayClip && !isLarge && !(dedup && count > 2 && context.cut === "any")) return UNCHANGED;

  const lines = splitLines(text, count);
  const marks = new Uint8Array(count).fill(KEPT);
  const markers = context.stored.size > 0 ? findMarkers(text, 0, text.length) : [];
  const cites = citesStored(markers, context.stored);
  if (context.content === "text") markDiffs(lines, marks);
  const site: Site = { lines, marks, field: context.field };

  if (context.cut === "tail") return cutTail(site, limits, context.content);
  const mayBeClip = cites && context.unit === "whole" && maxStr > 0;
  if (mayBeClip && isOwnClip(markers, 0, text.length, maxStr)) return UNCHANGED;

  let ranges: LineRange[] = [];
  if (dedup) markRuns(lines, marks);
  if (maySpan && countShown(lines, marks) > maxLines) {
    if (cites) markCiting(lines, marks, markers, context.stored);
    hideMiddle(site, limits, context.content);
    ranges = settleLineHoles(site);
  }
  const holes: Hole[] = [];
  let clipped = 0;
  let splices = spliceHoles(site, ranges, []);
  if (mayClip && context.unit === "whole") {
    const length = splicedLength(text.length, splices);
    if (length > maxStr) {
      const clips = spliceHoles(site, [], clipWhole(site, maxStr, limits.maxStrTail));
      if (splicedLength(text.length, clips) < length)
        return { splices: clips, cuts: countCuts(clips, [], 1) };
    }
  } else if (mayClip) {
    for (let line = 0; line < count; line++) {
      if ((marks[line]! & (KEPT | FIXED | REPEATED)) !== KEPT) continue;
      const start = lines.starts[line]!;
      if (lines.starts[line + 1]! - start <= maxStr) continue;
      const end = contentEnd(lines, line);
      if (end - start <= maxStr || (cites && isOwnClip(markers, start, end, maxStr))) continue;
      const cut = clipLine(text, start, end, maxStr, context.field);
      if (cut.length > 0) clipped++;
      holes.push(...cut);
    }
    if (holes.length > 0) splices = spliceHoles(site, ranges, holes);
  }
  if (isLarge && splicedLength(text.length, splices) > budget.maxBytes) {
    if (cites) markCiting(lines, marks, markers, context.stored);
    const fitted = fitBudget(site, holes, budget);
    if (fitted === undefined) return { ...summarise(splices, ranges, clipped), ...keptOf(marks) };
    splices = spliceHoles(site, fitted.ranges, fitted.holes);
    const strings = countHeld(lines, fitted.holes);
    return { ...summarise(splices, fitted.ranges, strings), ...(fitted.overBudget && { kept: "diff" }) };
  }
  return summarise(splices, ranges, clipped);
}

function summarise(
  splices: readonly Splice[],
  ranges: readonly LineRange[],
  clipped: number,
): TextCompression {
  return splices.length === 0 ? UNCHANGED : { splices, cuts: countCuts(splices, ranges, clipped) };
}

/** What stood in the budget's way. */
function keptOf(marks: Uint8Array): Pick<TextCompression, "kept"> {
  return marks.some((mark) => (mark & FIXED) !== 0) ? { kept: "diff" } : {};
}

/** In how many lines the holes lie; they are in order. */
function countHeld({ starts }: Lines, holes: readonly Hole[]): number {
  let held = 0;
  let end = 0;
  let line = 0;
  for (const { from } of holes) {
    if (from < end) continue;
    held++;
    while (starts[line + 1]! <= from) line++;
    end = starts[line + 1]!;
  }
  return held;
}

/** How many lines the model sees once runs are told by markers. */
function countShown({ count }: Lines, marks: Uint8Array): number {
  let shown = 0;
  for (let line = 0; line < count; line++) {
    if ((marks[line]! & REPEATED) === 0 || (marks[line - 1]! & REPEATED) === 0) shown++;
  }
  return shown;
}

/** Hides what is neither head, tail, diff nor pin. */
function hideMiddle(site: Site, limits: TextLimits, content: "text" | "names"): void {
  const { lines, marks } = site;
  const { maxLines, keepLast } = limits;
  const tail = Math.min(keepLast ?? Math.floor(maxLines / 4), maxLines - 1);
  const from = passShown(marks, 0, 1, maxLines - tail);
  const to = passShown(marks, lines.count - 1, -1, tail) + 1;
  for (let line = from; line < to; line++) if ((marks[line]! & FIXED) === 0) marks[line]! &= ~KEPT;
  freeRepeats(site);
  if (content === "text") {
    markFailing(lines, marks, from, to);
    choosePins({ lines, marks, traces: findTraces(lines, marks), room: maxLines, costOf: () => 1 });
    freeRepeats(site);
  }
}

/** The line reached from `line` in steps of `step` after `rows` shown rows; a group of repeated lines is one row. */
function passShown(marks: Uint8Array, line: number, step: 1 | -1, rows: number): number {
  let at = line;
  for (let left = rows; left > 0 && at >= 0 && at < marks.length; left--) {
    const isRepeated = (marks[at]! & REPEATED) !== 0;
    at += step;
    while (isRepeated && at >= 0 && at < marks.length && (marks[at]! & REPEATED) !== 0) at += step;
  }
  return at;
}

function countCuts(splices: readonly Splice[], ranges: readonly LineRange[], clipped: number): Cuts {
  let runs = 0;
  for (const { insert } of splices) {
    for (const part of insert) if (typeof part !== "string" && part.kind === "repeat") runs += part.times;
  }
  const hidden = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    ...(hidden > 0 && { lines: hidden }),
    ...(clipped > 0 && { strings: clipped }),
    ...(runs > 0 && { runs }),
  };
}
