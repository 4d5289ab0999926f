// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901): their text, and the node they name.
import { ARRAY, type JsonIndex, OBJECT, STRING, scan } from "./scan.ts";
import { decodeString } from "./strings.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** One step of a pointer, its slash first: "a/b" → "/a~1b". */
export function pointerStep(name: string | number): string {
  return `/${String(name).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/** The names a pointer steps through, or undefined if the text is no pointer. The root is "". */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/**
 * The node that `pointer` names, or undefined; of members of one name the last, as parsers have it. The pointer
 * may go on through a string whose value is JSON, one level: the node belongs to the index given with it.
 */
export function findField(
  index: JsonIndex,
  pointer: string,
): { readonly index: JsonIndex; readonly node: number } | undefined {
  const steps = parsePointer(pointer);
  if (steps === undefined) return undefined;
  let document = index;
  let node = 0;
  for (const step of steps) {
    if (document.kind[node] === STRING && document === index) {
      const inner = scan(decodeString(index.bytes, index.start[node]!, index.end[node]!).text);
      if (inner === undefined) return undefined;
      document = inner;
      node = 0;
    }
    const child =
      document.kind[node] === OBJECT ? findMember(document, node, step) : findItem(document, node, step);
    if (child === undefined) return undefined;
    node = child;
  }
  return { index: document, node };
}

function findMember(index: JsonIndex, object: number, name: string): number | undefined {
  let found: number | undefined;
  for (let key = object + 1; key < index.next[object]!; key = index.next[key + 1]!) {
    if (decoder.decode(decodeString(index.bytes, index.start[key]!, index.end[key]!).text) === name)
      found = key + 1;
  }
  return found;
}

function findItem(index: JsonIndex, array: number, step: string): number | undefined {
  if (index.kind[array] !== ARRAY || !/^(0|[1-9]\d{0,9})$/.test(step)) return undefined;
  let item = array + 1;
  for (let left = Number(step); left > 0 && item < index.next[array]!; left--) item = index.next[item]!;
  return item < index.next[array]! ? item : undefined;
}
