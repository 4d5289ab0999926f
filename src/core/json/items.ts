// SPDX-License-Identifier: Apache-2.0
// max_items: which items of one array go, and what stands in their place. An array keeps the kind of its items:
// objects get an object as marker, strings a string; any other array keeps its items only, and its marker is a
// member beside it.
import { choosePins, gapsOf, type Hole, markHoles, type Site } from "../holes.ts";
import { type ParsedMarker, parseMarker } from "../marker.ts";
import type { Insert, Splice } from "../splice.ts";
import { lineKey, RECORD_KEY_MAX_BYTES } from "../text/cluster.ts";
import { isFailingItem } from "./failures.ts";
import type { KeyTable } from "./key-table.ts";
import { type JsonIndex, OBJECT, STRING } from "./scan.ts";
import { decodeString } from "./strings.ts";

/** What the array is cut to, and where it stands. */
export interface ItemSite {
  readonly limit: number;
  /** Of `limit`, how many items stay at the end. */
  readonly tail: number;
  readonly stored: ReadonlySet<string>;
  readonly keys: KeyTable;
  /** Bytes that a hole must save beyond its marker. */
  readonly margin: number;
  /** Bytes that an inserted text takes where it is finally written (more inside a string, where it is escaped). */
  bytesOf(text: string): number;
  /** Quotable pointer of the array; asked for only if something may be cut. */
  field(): string | undefined;
  /** What comes before and after a marker beside the array, or undefined where none can stand. */
  sibling(): readonly [before: string, after: string] | undefined;
}

/** Items `first` to `last` (0-based, inclusive) that give way to a splice; `node` is what follows them. */
export interface ItemHole {
  readonly first: number;
  readonly last: number;
  readonly node: number;
  readonly splice: Splice;
}

export interface ItemPlan {
  readonly holes: readonly ItemHole[];
  /** The marker as a member beside the array, to be inserted at the array's end. */
  readonly beside: readonly Insert[];
}

const OBJECT_WRAP = ['{"isthmos":"', '"}'] as const;
const STRING_WRAP = ['"', '"'] as const;
/** A marker's key inside the object that stands for a hole. */
const MARKER_KEY = '"isthmos"';

const decoder = new TextDecoder();

/** True if the array has more than `limit` items. */
export function hasMoreItems(index: JsonIndex, array: number, limit: number): boolean {
  let left = limit;
  for (let item = array + 1; item < index.next[array]!; item = index.next[item]!)
    if (left-- === 0) return true;
  return false;
}

/** The holes of an array of more than `limit` items, or undefined where it stays whole. Linear in the array's bytes. */
export function planItems(index: JsonIndex, array: number, site: ItemSite): ItemPlan | undefined {
  const items = itemNodes(index, array);
  const keep = new Uint8Array(items.length);
  const from = site.limit - site.tail;
  const to = items.length - site.tail;
  keep.fill(1, 0, from);
  keep.fill(1, to);
  // A cut leaves at most N pins, and so N + 1 markers.
  const markers =
    site.stored.size === 0 ? [] : ownMarkers(index, items, site.stored).slice(0, site.limit + 1);
  for (const item of markers) keep[item] = 1;
  pinFailures(index, items, keep, { from, to, room: site.limit, keys: site.keys });

  const gaps = gapsOf(keep);
  const wrap = wrapOf(index, items);
  if (wrap === undefined) return planBeside(index, items, gaps, site);
  return planWithin(index, items, gaps, wrap, site);
}

function itemNodes(index: JsonIndex, array: number): Int32Array {
  let count = 0;
  for (let item = array + 1; item < index.next[array]!; item = index.next[item]!) count++;
  const nodes = new Int32Array(count);
  for (let i = 0, item = array + 1; i < count; item = index.next[item]!) nodes[i++] = item;
  return nodes;
}

/** Numbers of the items that are markers: those that cite a stored original, and if there is one, the short ones. */
function ownMarkers(index: JsonIndex, items: Int32Array, stored: ReadonlySet<string>): number[] {
  const found: number[] = [];
  let cites = false;
  items.forEach((node, item) => {
    const text = index.kind[node] === OBJECT ? markerMember(index, node) : node;
    const marker = text === undefined ? undefined : readMarker(index, text);
    if (marker === undefined || (marker.id !== undefined && !stored.has(marker.id))) return;
    found.push(item);
    cites ||= marker.id !== undefined;
  });
  return cites ? found : [];
}

/** The marker that an object of one member stands for, or undefined. */
export function readMarkerItem(index: JsonIndex, object: number): ParsedMarker | undefined {
  const text = index.kind[object] === OBJECT ? markerMember(index, object) : undefined;
  return text === undefined ? undefined : readMarker(index, text);
}

/** The value of an object whose one member is named as a marker's. */
function markerMember(index: JsonIndex, object: number): number | undefined {
  const key = object + 1;
  const length = MARKER_KEY.length;
  if (index.next[object] !== key + 2 || index.end[key]! - index.start[key]! !== length) return undefined;
  for (let i = 0; i < length; i++) {
    if (index.bytes[index.start[key]! + i] !== MARKER_KEY.charCodeAt(i)) return undefined;
  }
  return key + 1;
}

/** What a string says if it is a marker, whole. */
export function readMarker(index: JsonIndex, node: number): ParsedMarker | undefined {
  // Markers begin with "[" and are shorter than 1 KiB.
  const start = index.start[node]!;
  const end = index.end[node]!;
  if (index.kind[node] !== STRING || end - start > 1024 || index.bytes[start + 1] !== 0x5b) return undefined;
  return parseMarker(decoder.decode(decodeString(index.bytes, start, end).text));
}

/** Keeps failing items between `from` and `to`, at most `room`. */
function pinFailures(
  index: JsonIndex,
  items: Int32Array,
  keep: Uint8Array,
  bounds: { from: number; to: number; room: number; keys: KeyTable },
): void {
  const { from, to, room, keys } = bounds;
  const failing: number[] = [];
  for (let item = from; item < to; item++) {
    if (keep[item] === 0 && isFailingItem(index, items[item]!, keys)) failing.push(item);
  }
  const keyOf = (item: number): number => {
    const node = items[item]!;
    return lineKey(index.bytes, index.start[node]!, index.end[node]!, RECORD_KEY_MAX_BYTES);
  };
  for (const item of choosePins(failing, room, keyOf)) keep[item] = 1;
}

/** What a marker is wrapped in to be an item of this array; undefined if no item may be added to it. */
function wrapOf(index: JsonIndex, items: Int32Array): readonly [string, string] | undefined {
  const kind = index.kind[items[0]!];
  if ((kind !== OBJECT && kind !== STRING) || items.some((node) => index.kind[node] !== kind))
    return undefined;
  return kind === OBJECT ? OBJECT_WRAP : STRING_WRAP;
}

function planWithin(
  index: JsonIndex,
  items: Int32Array,
  gaps: readonly Hole[],
  wrap: readonly [string, string],
  site: ItemSite,
): ItemPlan | undefined {
  const wrapBytes = site.bytesOf(wrap[0]) + site.bytesOf(wrap[1]);
  const marked = markHoles(gaps, siteOf(index, items, site, wrapBytes));
  const holes = marked.map(({ from, to, marker }) =>
    holeOf(index, items, from, to, {
      start: index.start[items[from]!]!,
      end: index.end[items[to - 1]!]!,
      insert: [wrap[0], marker, wrap[1]],
    }),
  );
  return holes.length === 0 ? undefined : { holes, beside: [] };
}

function planBeside(
  index: JsonIndex,
  items: Int32Array,
  gaps: readonly Hole[],
  site: ItemSite,
): ItemPlan | undefined {
  const sibling = gaps.length === 0 ? undefined : site.sibling();
  if (sibling === undefined) return undefined;
  // The hole takes one comma with it: the one after it, or at the end the one before it.
  const cut = ({ from, to }: Hole): Splice => ({
    start: to < items.length ? index.start[items[from]!]! : index.end[items[from - 1]!]!,
    end: to < items.length ? index.start[items[to]!]! : index.end[items[to - 1]!]!,
    insert: [],
  });
  const size = (hole: Hole): number => {
    const { start, end } = cut(hole);
    return end - start;
  };
  const largest = gaps.reduce((most, gap) => (size(gap) > size(most) ? gap : most));
  const wrapBytes = site.bytesOf(sibling[0]) + site.bytesOf(sibling[1]);
  const [marked] = markHoles([largest], { ...siteOf(index, items, site, wrapBytes), bytesOf: size });
  if (marked === undefined) return undefined;
  return {
    holes: [holeOf(index, items, marked.from, marked.to, cut(marked))],
    beside: [sibling[0], marked.marker, sibling[1]],
  };
}

function siteOf(index: JsonIndex, items: Int32Array, site: ItemSite, wrapBytes: number): Site {
  return {
    unit: "items",
    total: items.length,
    base: 0,
    field: site.field(),
    wrapBytes: wrapBytes + site.margin,
    bytesOf: ({ from, to }) => index.end[items[to - 1]!]! - index.start[items[from]!]!,
  };
}

function holeOf(index: JsonIndex, items: Int32Array, from: number, to: number, splice: Splice): ItemHole {
  return { first: from, last: to - 1, node: index.next[items[to - 1]!]!, splice };
}
