// SPDX-License-Identifier: Apache-2.0
// Documents and JSON lines that a cut made before (C10, idempotence): a marker in them cites a stored id, and its
// pointer and totals fit where it stands. They are not cut again; a marker that does not fit is a quote.
import { type ParsedMarker, parseTotals } from "../marker.ts";
import type { Policy } from "../rules/policy.ts";
import { type Lines, splitLines } from "../text/lines.ts";
import { citesStored, type Found, findMarkers, isOwnLineCut } from "../text/own.ts";
import { pointerStep } from "./pointer.ts";
import { ARRAY, type JsonIndex, OBJECT, STRING, scan } from "./scan.ts";

/** Markers that are looked at. */
const MARKERS_MAX = 64;
/** Of the member that stands beside a cut array, what follows the array's name. */
const BESIDE = " (isthmos)";
const WRAP = ['{"isthmos":"', '"}'] as const;

const decoder = new TextDecoder();

/** One step from a container to a child: a member's name as a pointer's step, or an item's number. */
interface Step {
  readonly container: number;
  readonly step: string;
  readonly item: number;
}

/** True if the document is what a cut left; `line`: of a record of JSON lines, its number from 0. */
export function isOwnDocument(index: JsonIndex, stored: ReadonlySet<string>, line?: number): boolean {
  if (stored.size === 0) return false;
  return citing(findMarkers(index.bytes, index.start[0]!, index.end[0]!), stored).some((found) =>
    fits(index, found, line),
  );
}

/** True if the JSON lines are what a cut left: of whole lines, or within one of them. */
export function isOwnLines(bytes: Uint8Array, stored: ReadonlySet<string>): boolean {
  if (stored.size === 0) return false;
  const markers = findMarkers(bytes, 0, bytes.length);
  if (!citesStored(markers, stored)) return false;
  const lines = splitLines(bytes);
  if (isOwnLineCut(lines, markers, stored, WRAP)) return true;
  let line = -1;
  let index: JsonIndex | undefined;
  return citing(markers, stored).some((found) => {
    const holder = lineAt(lines, found.from);
    if (holder !== line) index = scan(bytes, lines.starts[holder]!, lines.starts[holder + 1]!);
    line = holder;
    return index !== undefined && fits(index, found, line);
  });
}

/** What of a policy acts on what was cut before: keys to drop, and white space. */
export function uncut(policy: Policy): Policy {
  return {
    ...policy,
    maxItems: 0,
    maxLines: 0,
    maxStr: 0,
    budget: undefined,
    dedup: false,
    stripAnsi: false,
    collapseCr: false,
  };
}

function citing(markers: readonly Found[], stored: ReadonlySet<string>): readonly Found[] {
  return markers
    .filter(({ marker }) => marker.id !== undefined && stored.has(marker.id))
    .slice(0, MARKERS_MAX);
}

function lineAt({ starts, count }: Lines, offset: number): number {
  let [low, high] = [0, count];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}

function fits(index: JsonIndex, found: Found, line: number | undefined): boolean {
  const { marker } = found;
  const path = pathTo(index, found.from);
  if (path === undefined) return false;
  if (marker.unit === "items" && fitsItems(index, path, found, line)) return true;
  // Of an array in a document that is a string, too.
  return marker.field !== undefined && fitsPointer(index, path, marker, line);
}

/** The steps from the root to the string that holds byte `at`. */
function pathTo(index: JsonIndex, at: number): Step[] | undefined {
  const path: Step[] = [];
  let node = 0;
  while (index.kind[node] !== STRING) {
    const container = node;
    const isObject = index.kind[node] === OBJECT;
    if (!isObject && index.kind[node] !== ARRAY) return undefined;
    let child = node + 1;
    let item = 0;
    const valueAt = (first: number): number => (isObject ? first + 1 : first);
    while (child < index.next[container]! && index.end[valueAt(child)]! <= at) {
      child = index.next[valueAt(child)]!;
      item++;
    }
    node = valueAt(child);
    if (child >= index.next[container]! || index.start[node]! > at) return undefined;
    path.push({ container, item, step: isObject ? nameStep(index, child) : "" });
  }
  return path;
}

function nameStep(index: JsonIndex, key: number): string {
  const raw = decoder.decode(index.bytes.subarray(index.start[key]!, index.end[key]!));
  return pointerStep(String(JSON.parse(raw)));
}

/** True if the marker stands in the array, or beside it, from which it says that items are missing. */
function fitsItems(
  index: JsonIndex,
  path: readonly Step[],
  { from, to, marker }: Found,
  line: number | undefined,
): boolean {
  const totals = parseTotals(decoder.decode(index.bytes.subarray(from, to)));
  const last = path.at(-1);
  if (totals === undefined || last === undefined || marker.to === undefined) return false;
  if (last.step.endsWith(BESIDE)) {
    const array = { ...last, step: last.step.slice(0, -BESIDE.length) };
    return marker.field === undefined || fitsPointer(index, [...path.slice(0, -1), array], marker, line);
  }
  const isWrapped = index.kind[last.container] === OBJECT;
  const place = isWrapped ? path.at(-2) : last;
  if (place === undefined || index.kind[place.container] !== ARRAY) return false;
  let after = -1;
  let number = 0;
  for (let item = place.container + 1; item < index.next[place.container]!; item = index.next[item]!) {
    if (number++ >= place.item) after++;
  }
  if (after !== totals.total - 1 - marker.to) return false;
  return marker.field === undefined || fitsPointer(index, path.slice(0, isWrapped ? -2 : -1), marker, line);
}

/**
 * True if the path is the marker's pointer, or leads to a document in a string that the rest of the pointer is of.
 * Numbers of items are those before the cut: not smaller than here.
 */
function fitsPointer(
  index: JsonIndex,
  path: readonly Step[],
  { field = "" }: ParsedMarker,
  line: number | undefined,
): boolean {
  const steps = field.split("/").slice(1);
  if (line !== undefined && !isFrom(steps.shift(), line)) return false;
  return (
    steps.length >= path.length &&
    path.every(({ container, item, step }, i) =>
      index.kind[container] === OBJECT ? `/${steps[i]}` === step : isFrom(steps[i], item),
    )
  );
}

/** True if the step is a number that is not smaller than `least`. */
function isFrom(step: string | undefined, least: number): boolean {
  return step !== undefined && /^\d{1,15}$/.test(step) && Number(step) >= least;
}
