// SPDX-License-Identifier: Apache-2.0
// A cut text against the original: the holes that its markers name, filled from the original, must give the
// original again. That shows the counts, the ranges, the order and every kept byte at once.
import { isRecord } from "./json.ts";
import { type Mark, readMark } from "./marks.ts";

/** What `count` kept lines or items may be: N, and at most N pinned ones on top. */
export interface Limit {
  readonly max: number;
  readonly tail: number;
  readonly keeps?: readonly string[];
}

/** Faults of a text that lost lines, with one site; none: an empty list. */
export function checkLines(original: string, text: string, limit: Limit): string[] {
  const lines = splitLines(original);
  const shown = splitLines(text);
  const faults = checkCommon(original, text, limit);
  const marks: Mark[] = [];
  let next = 0;
  let cut = 0;
  let isOff = false;
  for (const line of shown) {
    const mark = readMark(line.replace(/\r$/, ""));
    if (mark === undefined) {
      if (line !== lines[next] && !isOff) {
        isOff = true;
        faults.push(`line ${next + 1} is not the original's: ${JSON.stringify(line)}`);
      }
      next += 1;
      continue;
    }
    marks.push(mark);
    if (mark.kind === "repeat") {
      const run = lines.slice(next, next + mark.count);
      if (run.length < mark.count || run.some((other) => other !== lines[next - 1]))
        faults.push(`no such run: ${line}`);
      next += mark.count;
      continue;
    }
    if (mark.from !== next + 1 || mark.to <= next || mark.unit !== "lines")
      faults.push(`a wrong range: ${line}`);
    cut += mark.to - mark.from + 1;
    next = mark.to;
  }
  if (next !== lines.length) faults.push(`${next} lines kept or named, the original has ${lines.length}`);
  faults.push(...checkTotals(marks, cut, lines.length));

  const kept = shown.length - marks.length;
  const pinned = limit.keeps === undefined ? 0 : limit.max;
  if (kept < limit.max || kept > limit.max + pinned)
    faults.push(`${kept} lines kept, the limit is ${limit.max}`);
  const isHole = (line: string) => ["cut", "hole"].includes(readMark(line.replace(/\r$/, ""))?.kind ?? "");
  const first = shown.findIndex(isHole);
  const last = shown.findLastIndex(isHole);
  if (first < limit.max - limit.tail) faults.push(`only ${first} lines at the head`);
  if (shown.length - 1 - last < limit.tail) faults.push(`only ${shown.length - 1 - last} lines at the tail`);
  return faults;
}

/** Faults of a text whose runs of one line were collapsed: nothing is lost, so nothing is cited. */
export function checkRuns(original: string, text: string): string[] {
  const faults = checkCommon(original, text, {});
  const full = splitLines(text).flatMap((line, index, shown) => {
    const mark = readMark(line);
    return mark?.kind === "repeat"
      ? Array.from({ length: mark.count }, () => shown[index - 1] ?? "")
      : [line];
  });
  if (full.join("\n") !== original) faults.push("the runs do not give the original again");
  return faults;
}

/** Faults of a JSON text that lost keys and items. `isDropped` says which keys the rules drop. */
export function checkItems(
  original: string,
  text: string,
  limit: Limit,
  isDropped: (key: string) => boolean,
): string[] {
  const faults = checkCommon(original, text, limit);
  let before: unknown;
  let after: unknown;
  try {
    before = JSON.parse(original);
    after = JSON.parse(text);
  } catch (error) {
    return [...faults, `no JSON: ${String(error)}`];
  }
  const plain = text
    .replace(/,\s*"[^"]* \(isthmos\)":\s*"\[isthmos: [^"]*\]"/g, "")
    .replace(/\{"isthmos":"\[isthmos: [^"]*\]"\}/g, "");
  if (!isSubsequence(plain, original)) faults.push("a byte beside the markers is not the original's");
  compareValues(before, after, "", limit, isDropped, faults);
  return faults;
}

function compareValues(
  before: unknown,
  after: unknown,
  path: string,
  limit: Limit,
  isDropped: (key: string) => boolean,
  faults: string[],
): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    compareArrays(before, after, path, limit, isDropped, faults);
  } else if (isRecord(before) && isRecord(after)) {
    const kept = Object.keys(before).filter((key) => !isDropped(key));
    const shown = Object.keys(after).filter((key) => !key.endsWith(" (isthmos)"));
    if (kept.join() !== shown.join()) faults.push(`${path}: keys ${shown.join()} instead of ${kept.join()}`);
    for (const key of kept) {
      const mark = readMark(String(after[`${key} (isthmos)`] ?? ""));
      const list = before[key];
      const rest = mark !== undefined && Array.isArray(list) ? without(list, mark) : list;
      const inner = mark === undefined ? limit : { ...limit, max: Number.MAX_SAFE_INTEGER };
      if (mark !== undefined && Array.isArray(list)) {
        faults.push(...checkTotals([mark], mark.to - mark.from + 1, list.length));
        if (list.length - mark.count > 2 * limit.max) faults.push(`${path}/${key}: too many items`);
      }
      compareValues(rest, after[key], `${path}/${key}`, inner, isDropped, faults);
    }
  } else if (!Object.is(before, after)) {
    faults.push(`${path}: ${JSON.stringify(after)} instead of ${JSON.stringify(before)}`);
  }
}

function without(list: readonly unknown[], mark: Mark): unknown[] {
  return list.filter((_, index) => index < mark.from || index > mark.to);
}

function compareArrays(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  limit: Limit,
  isDropped: (key: string) => boolean,
  faults: string[],
): void {
  const marks: Mark[] = [];
  let next = 0;
  let cut = 0;
  for (const item of after) {
    const mark = readMark(String(isRecord(item) ? item.isthmos : item));
    if (mark === undefined) {
      compareValues(before[next], item, `${path}/${next}`, limit, isDropped, faults);
      next += 1;
      continue;
    }
    marks.push(mark);
    if (mark.from !== next || mark.unit !== "items")
      faults.push(`${path}: a wrong range: ${JSON.stringify(item)}`);
    cut += mark.to - mark.from + 1;
    next = mark.to + 1;
  }
  if (next !== before.length)
    faults.push(`${path}: ${next} items kept or named, the original has ${before.length}`);
  if (before.length <= limit.max && marks.length === 0) return;
  faults.push(...checkTotals(marks, cut, before.length).map((fault) => `${path}: ${fault}`));
  const kept = after.length - marks.length;
  const pinned = limit.keeps === undefined ? 0 : limit.max;
  if (kept < limit.max || kept > limit.max + pinned)
    faults.push(`${path}: ${kept} items kept, limit ${limit.max}`);
}

/** The last hole of a site, and only it, says what all of them leave out, and cites the original. */
function checkTotals(marks: readonly Mark[], cut: number, total: number): string[] {
  const holes = marks.filter(({ kind }) => kind === "cut" || kind === "hole");
  const last = holes.at(-1);
  if (last?.kind !== "cut" || holes.filter(({ kind }) => kind === "cut").length !== 1) {
    return ["not one marker with totals, in the last hole"];
  }
  const isRight = last.count === cut && last.total === total;
  return isRight ? [] : [`the marker says ${last.count} of ${last.total}, it is ${cut} of ${total}`];
}

function checkCommon(original: string, text: string, { keeps = [] }: Partial<Limit>): string[] {
  const faults = keeps.filter((keep) => !text.includes(keep)).map((keep) => `lost: ${keep}`);
  const [before, after] = [Buffer.byteLength(original), Buffer.byteLength(text)];
  if (after >= before) faults.push(`not smaller: ${after} bytes of ${before}`);
  return faults;
}

/** Lines without their ends; the end of the last one is no line. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
