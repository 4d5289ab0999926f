// SPDX-License-Identifier: Apache-2.0
// Where a walk through a document stands: the open containers from the root inwards, and the pointer to there.
import { POINTER_MAX_BYTES, quotablePointer } from "../marker.ts";
import type { ItemPlan } from "./items.ts";
import type { KeyTable } from "./key-table.ts";
import { pointerStep } from "./pointer.ts";
import { type JsonIndex, OBJECT } from "./scan.ts";

/** One open container. */
export interface Frame {
  readonly node: number;
  readonly isObject: boolean;
  /** The next child to visit (of an object: its KEY). */
  cursor: number;
  /** The child being visited: its KEY node, or the item's number. */
  at: number;
  /** Objects: end of the last kept value (-1: none yet), and the run of dropped members after it (-1: none). */
  keptEnd: number;
  runStart: number;
  runEnd: number;
  /** Arrays: the holes to make, the next of them, and the marker that stands beside the array. */
  plan: ItemPlan | undefined;
  hole: number;
  /** How often each name occurs in the object; made when first asked for. */
  names: Map<string, number> | undefined;
  /** What the object says of bytes it carries (values.ts); found out when first asked for. */
  binary: "typed" | "encoded" | "none" | undefined;
}

export function openFrame(index: JsonIndex, node: number): Frame {
  return {
    node,
    isObject: index.kind[node] === OBJECT,
    cursor: node + 1,
    at: -1,
    keptEnd: -1,
    runStart: -1,
    runEnd: -1,
    plan: undefined,
    hole: 0,
    names: undefined,
    binary: undefined,
  };
}

/** How often each decoded name occurs among the members of the frame's object. */
export function memberNames(index: JsonIndex, frame: Frame, keys: KeyTable): Map<string, number> {
  if (frame.names !== undefined) return frame.names;
  const names = new Map<string, number>();
  for (let key = frame.node + 1; key < index.next[frame.node]!; key = index.next[key + 1]!) {
    const { name } = keys(index.bytes, index.start[key]!, index.end[key]!);
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  frame.names = names;
  return names;
}

/**
 * The pointer of the child being visited, behind `prefix`; undefined where a marker cannot quote it, or where
 * two members of one name make it ambiguous.
 */
export function pathPointer(
  index: JsonIndex,
  path: readonly Frame[],
  prefix: string | undefined,
  keys: KeyTable,
): string | undefined {
  // Each step takes a byte and more, so a deeper path cannot be quoted anyway.
  if (prefix === undefined || path.length > POINTER_MAX_BYTES) return undefined;
  let pointer = prefix;
  for (const frame of path) {
    if (frame.isObject) {
      const start = index.start[frame.at]!;
      const end = index.end[frame.at]!;
      // An escape stands for a byte with up to six.
      if (end - start > 6 * POINTER_MAX_BYTES + 2) return undefined;
      const { name } = keys(index.bytes, start, end);
      if ((memberNames(index, frame, keys).get(name) ?? 0) > 1) return undefined;
      pointer += pointerStep(name);
    } else pointer += pointerStep(frame.at);
    if (pointer.length > POINTER_MAX_BYTES) return undefined;
  }
  return pointer === "" ? "" : quotablePointer(pointer);
}
