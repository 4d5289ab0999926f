// SPDX-License-Identifier: Apache-2.0
// What the rules take out of a JSON document: one walk over its index, from the outside inwards, no recursion but
// for the one level of documents inside strings. What is cut is not descended into, so cuts never overlap, and
// they come out in the order of the bytes.
import { addCuts, type Cuts } from "../cuts.ts";
import { quotablePointer } from "../marker.ts";
import { compileGlobs } from "../rules/glob.ts";
import { type Policy, tailCount } from "../rules/policy.ts";
import { liftSplices, type Splice, splicedLength } from "../splice.ts";
import { compressText, type TextLimits } from "../text/text.ts";
import { utf8Length } from "../utf8.ts";
import { addCompaction } from "./compact.ts";
import { type Elision, elideLimits } from "./elision.ts";
import { canPrune } from "./gate.ts";
import { hasMoreItems, planItems, readMarker } from "./items.ts";
import { createKeyTable, type KeyTable } from "./key-table.ts";
import { isOwnDocument, uncut } from "./own.ts";
import { type Frame, openFrame, pathPointer } from "./path.ts";
import { ARRAY, type JsonIndex, OBJECT, STRING, scan } from "./scan.ts";
import { siblingOf } from "./sibling.ts";
import { decodeString } from "./strings.ts";
import { isBinaryValue, mayBeDocument, mayCutText } from "./values.ts";

export { canPrune } from "./gate.ts";

export interface JsonContext {
  /** Ids known to the store: markers that cite one are kept. */
  readonly stored: ReadonlySet<string>;
  /** Pointer of the document: "" at the root, "/12" of an NDJSON record; undefined if it cannot be quoted. */
  readonly pointerPrefix: string | undefined;
  /** The document is itself the value of a string: strings in it are text. */
  readonly nested: boolean;
  /** False (nothing can be stored): only what loses nothing, and the keys to drop. True if left out. */
  readonly lossy?: boolean;
  /** Strings that a marker can point to are cut to this size, as a budget needs it. */
  readonly elide?: Elision;
  /** Number of the record that the document is, from 0. */
  readonly line?: number;
}

/** Splices in offsets of the index's bytes. */
export interface Pruned {
  readonly splices: Splice[];
  readonly cuts: Cuts;
}

interface Walk {
  readonly index: JsonIndex;
  readonly policy: Policy;
  /** The policy for documents inside strings: their white space stays. */
  readonly innerPolicy: Policy;
  readonly context: JsonContext;
  readonly limits: TextLimits;
  readonly maxItems: number;
  readonly keys: KeyTable;
  readonly path: Frame[];
  readonly splices: Splice[];
  readonly cuts: Cuts;
}

/**
 * What a cut must save more in a text that was cut before: its numbers and pointers are shorter now, so that a hole
 * that did not pay for its marker then would pay by a few digits.
 */
const CUT_BEFORE_MARGIN_BYTES = 32;
const keyTables = new WeakMap<readonly string[], KeyTable>();

/** What the policy takes out of the document. Each single cut is larger than its marker. Linear in its bytes. */
export function pruneJson(index: JsonIndex, given: Policy, context: JsonContext): Pruned {
  const isOwn = !context.nested && isOwnDocument(index, context.stored, context.line);
  const policy = isOwn ? uncut(given) : given;
  return pruneWith(index, policy, isOwn ? withoutElision(context) : context);
}

function withoutElision({ elide: _, ...context }: JsonContext): JsonContext {
  return context;
}

function pruneWith(index: JsonIndex, policy: Policy, context: JsonContext): Pruned {
  const lossy = context.lossy !== false;
  const walk: Walk = {
    index,
    policy,
    innerPolicy: policy.compact ? { ...policy, compact: false } : policy,
    context,
    limits: {
      maxLines: lossy ? policy.maxLines : 0,
      keepLast: policy.keepLast,
      maxStr: lossy ? policy.maxStr : 0,
      dedup: policy.dedup,
      stripAnsi: policy.stripAnsi,
      collapseCr: policy.collapseCr,
    },
    maxItems: lossy ? policy.maxItems : 0,
    keys: keyTable(policy.dropKeys),
    path: [],
    splices: [],
    cuts: {},
  };
  visit(walk, 0);
  for (let frame = walk.path.at(-1); frame !== undefined; frame = walk.path.at(-1)) {
    if (frame.cursor >= index.next[frame.node]!) closeFrame(walk, frame);
    else if (frame.isObject) stepMember(walk, frame);
    else stepItem(walk, frame);
  }
  if (!policy.compact) return { splices: walk.splices, cuts: walk.cuts };
  const { splices, bytes } = addCompaction(index, walk.splices);
  return { splices, cuts: bytes === 0 ? walk.cuts : { ...walk.cuts, space: bytes } };
}

/** Keys repeat from call to call under the same rules, so their table is kept as long as the policy's list. */
export function keyTable(dropKeys: readonly string[]): KeyTable {
  let table = keyTables.get(dropKeys);
  if (table === undefined) {
    table = createKeyTable(dropKeys.length === 0 ? () => false : compileGlobs(dropKeys));
    keyTables.set(dropKeys, table);
  }
  return table;
}

function visit(walk: Walk, node: number): void {
  const kind = walk.index.kind[node];
  if (kind === STRING) visitString(walk, node);
  else if (kind === OBJECT || kind === ARRAY) {
    if (walk.index.next[node] === node + 1) return;
    const frame = openFrame(walk.index, node);
    if (kind === ARRAY) frame.plan = planArray(walk, node);
    walk.path.push(frame);
  }
}

function stepMember(walk: Walk, frame: Frame): void {
  const { index, policy, splices, keys } = walk;
  const key = frame.cursor;
  const value = key + 1;
  frame.cursor = index.next[value]!;
  if (policy.dropKeys.length > 0 && keys(index.bytes, index.start[key]!, index.end[key]!).dropped) {
    if (frame.runStart < 0) frame.runStart = index.start[key]!;
    frame.runEnd = index.end[value]!;
    walk.cuts.keys = (walk.cuts.keys ?? 0) + 1;
    return;
  }
  if (frame.runStart >= 0) {
    splices.push({ start: frame.runStart, end: index.start[key]!, insert: [] });
    frame.runStart = -1;
  }
  frame.keptEnd = index.end[value]!;
  frame.at = key;
  visit(walk, value);
}

function stepItem(walk: Walk, frame: Frame): void {
  const { index, splices } = walk;
  const hole = frame.plan?.holes[frame.hole];
  frame.at++;
  if (hole?.first === frame.at) {
    splices.push(hole.splice);
    addCuts(walk.cuts, { items: hole.last - hole.first + 1 });
    frame.at = hole.last;
    frame.cursor = hole.node;
    frame.hole++;
    return;
  }
  const item = frame.cursor;
  frame.cursor = index.next[item]!;
  visit(walk, item);
}

function closeFrame(walk: Walk, frame: Frame): void {
  const { index, splices } = walk;
  const end = index.end[frame.node]!;
  if (frame.runStart >= 0) {
    // The run is the object's last: the comma before it goes too, or if nothing was kept, all between the braces.
    if (frame.keptEnd >= 0) splices.push({ start: frame.keptEnd, end: frame.runEnd, insert: [] });
    else splices.push({ start: index.start[frame.node]! + 1, end: end - 1, insert: [] });
  }
  const beside = frame.plan?.beside ?? [];
  if (beside.length > 0) splices.push({ start: end, end, insert: beside });
  walk.path.pop();
}

function planArray(walk: Walk, array: number): Frame["plan"] {
  const { index, policy, context, maxItems, keys, path } = walk;
  if (maxItems === 0 || !hasMoreItems(index, array, maxItems)) return undefined;
  const pointer = pathPointer(index, path, context.pointerPrefix, keys);
  // Without the pointer the marker's range would name items of another array.
  if (pointer === undefined) return undefined;
  return planItems(index, array, {
    limit: maxItems,
    tail: tailCount(maxItems, policy.keepLast, "items"),
    stored: context.stored,
    keys,
    margin: marginOf(context),
    bytesOf: (text) => (context.nested ? utf8Length(JSON.stringify(text)) - 2 : utf8Length(text)),
    field: () => quotablePointer(pointer),
    sibling: () => siblingOf(index, keys, policy.compact, path.at(-1)),
  });
}

/** The pointer of the child being visited, where a marker can quote it. */
function fieldOf({ index, path, context, keys }: Walk): string | undefined {
  return quotablePointer(pathPointer(index, path, context.pointerPrefix, keys));
}

function visitString(walk: Walk, node: number): void {
  const { index, innerPolicy, context, limits, keys, path } = walk;
  const rawBytes = index.end[node]! - index.start[node]!;
  const mayElide = context.elide !== undefined && rawBytes > context.elide.leafBytes;
  if (!context.nested && mayBeDocument(index, node)) {
    const { text, toRaw } = decodeString(index.bytes, index.start[node]!, index.end[node]!);
    const inner =
      mayElide || canPrune(text, innerPolicy) || mayCutText(index, node, limits) ? scan(text) : undefined;
    if (inner !== undefined) {
      const pointerPrefix = pathPointer(index, path, context.pointerPrefix, keys);
      const { splices, cuts } = pruneJson(inner, innerPolicy, { ...context, pointerPrefix, nested: true });
      accept(walk, liftSplices(splices, toRaw), cuts);
      return;
    }
  }
  if (!mayElide && !mayCutText(index, node, limits)) return;
  if (isBinaryValue(index, node, path.at(-1), keys)) return;
  const id = context.stored.size > 0 ? readMarker(index, node)?.id : undefined;
  if (id !== undefined && context.stored.has(id)) return;
  const { text, toRaw } = decodeString(index.bytes, index.start[node]!, index.end[node]!);
  const field = fieldOf(walk);
  // A range in a string that no marker can point to cannot be given back: only repeated lines go.
  const elided =
    field === undefined
      ? { ...limits, maxLines: 0, maxStr: 0 }
      : elideLimits(limits, context.elide, text.length / rawBytes);
  const { splices, cuts } = compressText(text, elided, {
    cut: "any",
    content: "text",
    unit: "whole",
    stored: context.stored,
    ...(field !== undefined && { field }),
  });
  accept(walk, liftSplices(splices, toRaw), cuts);
}

/** Takes over the cuts of a string, unless escaping has eaten what they save. */
function accept(walk: Walk, splices: readonly Splice[], cuts: Cuts): void {
  if (splices.length === 0 || splicedLength(0, splices) + marginOf(walk.context) >= 0) return;
  for (const splice of splices) walk.splices.push(splice);
  addCuts(walk.cuts, cuts);
}

function marginOf({ stored }: JsonContext): number {
  return stored.size > 0 ? CUT_BEFORE_MARGIN_BYTES : 0;
}
