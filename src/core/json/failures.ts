// SPDX-License-Identifier: Apache-2.0
// Which items of an array are failures (C9): an object by its own members and those of the objects directly in
// it, judged by the table in failure-keys.ts; a string by its lines. When unsure, it is one: pins are bounded.
import { isFailingLine } from "../text/failing.ts";
import { FAILURE_PARTS, FAILURE_WORDS, type FailureTest, NEGATIONS, NO_FAILURE } from "./failure-keys.ts";
import { createKeyTable, type KeyTable } from "./key-table.ts";
import { FALSE, type JsonIndex, NUMBER, OBJECT, STRING, TRUE } from "./scan.ts";
import { decodeString } from "./strings.ts";

/** A status is a word or a few; longer strings are prose, which is not judged by its parts. */
const STATUS_MAX_BYTES = 80;
const NEWLINE = 0x0a;

const sharedKeys = createKeyTable(() => false);
const decoder = new TextDecoder();

/**
 * True if the item says that something failed, members that `keys` drops apart: without them the reader would not
 * see why it was kept. Linear in the item's own members and its child objects' members.
 */
export function isFailingItem(index: JsonIndex, node: number, keys: KeyTable = sharedKeys): boolean {
  if (index.kind[node] === STRING) return hasFailingLine(index, node);
  if (index.kind[node] !== OBJECT) return false;
  for (let key = node + 1; key < index.next[node]!; key = index.next[key + 1]!) {
    const facts = keys(index.bytes, index.start[key]!, index.end[key]!);
    if (facts.dropped) continue;
    const value = key + 1;
    if (facts.failure !== undefined && judge(index, value, facts.failure, keys)) return true;
    if (index.kind[value] !== OBJECT) continue;
    for (let inner = value + 1; inner < index.next[value]!; inner = index.next[inner + 1]!) {
      const { dropped, failure } = keys(index.bytes, index.start[inner]!, index.end[inner]!);
      if (!dropped && failure !== undefined && judge(index, inner + 1, failure, keys)) return true;
    }
  }
  return false;
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
