// SPDX-License-Identifier: Apache-2.0
// Which items of an array are failures (C9): an object by its own members and those of the objects directly in
// it, judged by the table in failure-keys.ts, and by what is deeper if it says so in a status; a string by its lines.
// When unsure, it is one: pins are bounded.
import { isFailingLine } from "../text/failing.ts";
import { FAILURE_PARTS, FAILURE_WORDS, type FailureTest, NEGATIONS, NO_FAILURE } from "./failure-keys.ts";
import { createKeyTable, type KeyTable } from "./key-table.ts";
import { ARRAY, FALSE, type JsonIndex, NUMBER, OBJECT, STRING, TRUE } from "./scan.ts";
import { decodeString } from "./strings.ts";

/** A status is a word or a few; longer strings are prose, which is not judged by its parts. */
const STATUS_MAX_BYTES = 80;
const NEWLINE = 0x0a;
/** Objects and arrays in one another that are looked into: `status.containerStatuses[0].state.waiting.reason` is six. */
const DEPTH_MAX = 8;
/** Members of one item that are looked at. */
const MEMBERS_MAX = 2000;
/** What is deeper than the item's own objects is about parts of it: only a status there is one of the item. */
const DEEP_TESTS: ReadonlySet<FailureTest> = new Set(["status", "level", "exit", "http"]);

const sharedKeys = createKeyTable(() => false);
const decoder = new TextDecoder();

/**
 * True if the item says that something failed, members that `keys` drops apart: without them the reader would not
 * see why it was kept. Linear in the item's members, of which a bounded number is looked at.
 */
export function isFailingItem(index: JsonIndex, node: number, keys: KeyTable = sharedKeys): boolean {
  if (index.kind[node] === STRING) return hasFailingLine(index, node);
  if (index.kind[node] !== OBJECT) return false;
  const open = [node];
  let objects = 1;
  let members = 0;
  for (let at = node + 1; at < index.next[node]! && members < MEMBERS_MAX; ) {
    let parent = open.at(-1)!;
    while (at >= index.next[parent]!) {
      if (index.kind[open.pop()!] === OBJECT) objects--;
      parent = open.at(-1)!;
    }
    let value = at;
    if (index.kind[parent] === OBJECT) {
      members++;
      value = at + 1;
      const { dropped, failure } = keys(index.bytes, index.start[at]!, index.end[at]!);
      const isNear = open.length === objects && objects <= 2;
      const counts = failure !== undefined && (isNear || DEEP_TESTS.has(failure));
      if (!dropped && counts && judge(index, value, failure, keys)) return true;
      if (dropped) {
        at = index.next[value]!;
        continue;
      }
    }
    if (open.length < DEPTH_MAX && holdsObjects(index, value)) {
      open.push(value);
      if (index.kind[value] === OBJECT) objects++;
      at = value + 1;
    } else at = index.next[value]!;
  }
  return false;
}

/** True for an object that is not empty, and for an array that begins with an object or an array. */
function holdsObjects(index: JsonIndex, node: number): boolean {
  if (index.next[node] === node + 1) return false;
  if (index.kind[node] === OBJECT) return true;
  return index.kind[node] === ARRAY && (index.kind[node + 1] === OBJECT || index.kind[node + 1] === ARRAY);
}

function judge(index: JsonIndex, value: number, test: FailureTest, keys: KeyTable): boolean {
  switch (index.kind[value]) {
    case TRUE:
      return test === "present" || test === "true";
    case FALSE:
      return test === "false";
    case NUMBER:
      return judgeNumber(index, value, test);
    case STRING:
      return judgeText(index, value, test);
    case OBJECT:
      return test === "present" && keepsMember(index, value, keys);
    default:
      // An array that holds something; null has no children either.
      return test === "present" && index.next[value]! > value + 1;
  }
}

function keepsMember(index: JsonIndex, object: number, keys: KeyTable): boolean {
  for (let key = object + 1; key < index.next[object]!; key = index.next[key + 1]!) {
    if (!keys(index.bytes, index.start[key]!, index.end[key]!).dropped) return true;
  }
  return false;
}

function judgeNumber(index: JsonIndex, value: number, test: FailureTest): boolean {
  if (test === "false" || test === "true" || test === "text") return false;
  // Only its size matters here, and only for judging: what is delivered are the bytes.
  const number = Number(decoder.decode(index.bytes.subarray(index.start[value]!, index.end[value]!)));
  switch (test) {
    case "present":
    case "exit":
      return number !== 0;
    case "level":
      return number === 50 || number === 60;
    default:
      return number >= 500 && number <= 599;
  }
}

function judgeText(index: JsonIndex, value: number, test: FailureTest): boolean {
  if (test === "text") return hasFailingLine(index, value);
  const start = index.start[value]!;
  const end = index.end[value]!;
  if (end - start > STATUS_MAX_BYTES) return test === "present";
  const text = decoder
    .decode(decodeString(index.bytes, start, end).text)
    .trim()
    .toLowerCase();
  switch (test) {
    case "present":
      return !NO_FAILURE.has(text);
    case "false":
    case "true":
      return text === test;
    case "exit":
      return /^-?\d{1,10}$/.test(text) && Number(text) !== 0;
    case "http":
      return /^5\d\d$/.test(text);
    default:
      return isFailingWord(text) || (test === "status" && /^5\d\d$/.test(text));
  }
}

function isFailingWord(text: string): boolean {
  if (FAILURE_WORDS.has(text)) return true;
  return FAILURE_PARTS.some((part) => text.includes(part)) && !NEGATIONS.some((no) => text.startsWith(no));
}

function hasFailingLine(index: JsonIndex, node: number): boolean {
  const { text } = decodeString(index.bytes, index.start[node]!, index.end[node]!);
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf(NEWLINE, from);
    const to = newline < 0 ? text.length : newline;
    if (isFailingLine(text, from, to)) return true;
    from = to + 1;
  }
  return false;
}
