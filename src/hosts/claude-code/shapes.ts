// SPDX-License-Identifier: Apache-2.0
// What each tool's result looks like, and which of its texts the model reads: the regions. Observed with client
// 2.1.332. The client checks a built-in tool's answer against that tool's schema, so a result whose shape is not
// known here has no regions.
import { ARRAY, type JsonIndex, KEY, NUMBER, OBJECT, STRING, TRUE } from "../../core/json/scan.ts";
import { decodeString } from "../../core/json/strings.ts";
import type { Region } from "../host.ts";
import { findMember, isKey, itemsOf, kindOf, readText } from "../members.ts";
import type { Found, Span } from "./places.ts";
import { isTokenLimitNotice } from "./spill.ts";

type Shape = (index: JsonIndex, response: number) => Found[];

/** Strings of an unknown tool's object that are shorter stay as they are: ids, paths, states. */
const LEAF_MIN_BYTES = 1024;

/** Members of unknown tools' results that the model is not shown, or that it wrote itself. */
const UNSEEN_KEYS = ["base64", "newString", "oldString", "originalFile", "prompt"] as const;

const NEWLINE = 0x0a;

/** The regions of one tool result, in the order the model reads them. */
export function findRegions(index: JsonIndex, tool: string, response: number): Found[] {
  if (tool.startsWith("mcp__")) return findInMcp(index, response);
  return (SHAPES.get(tool) ?? findLeaves)(index, response);
}

const nothing: Shape = () => [];

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["Bash", findInBash],
  ["Read", findInRead],
  ["Grep", findInGrep],
  ["Glob", findInNames],
  ["WebFetch", (index, response) => stringAt(index, findMember(index, response, "result"))],
  ["WebSearch", findInWebSearch],
  ["Agent", findInAgent],
  ["Task", findInAgent],
  // The model reads one line about these, which is not in the result.
  ["Edit", nothing],
  ["MultiEdit", nothing],
  ["Write", nothing],
  ["NotebookEdit", nothing],
  ["TodoWrite", nothing],
  ["TaskCreate", nothing],
  ["TaskUpdate", nothing],
  ["ToolSearch", nothing],
]);

function findInBash(index: JsonIndex, response: number): Found[] {
  if (kindOf(index, findMember(index, response, "isImage")) === TRUE) return [];
  const streams = ["stdout", "stderr"].map((name) => findMember(index, response, name));
  return streams.flatMap((node) => stringAt(index, node));
}

function findInRead(index: JsonIndex, response: number): Found[] {
  if (readText(index, findMember(index, response, "type")) !== "text") return [];
  const file = findMember(index, response, "file");
  return counted(
    index,
    findMember(index, file, "numLines"),
    stringAt(index, findMember(index, file, "content"), "tail"),
  );
}

function findInGrep(index: JsonIndex, response: number): Found[] {
  const mode = readText(index, findMember(index, response, "mode"));
  if (mode === "files_with_matches") return findInNames(index, response);
  const content = findMember(index, response, "content");
  // Counts are of the whole search: numFiles and numMatches stay true when lines go.
  if (mode === "count") return stringAt(index, content, "tail");
  if (mode !== "content") return [];
  return counted(index, findMember(index, response, "numLines"), stringAt(index, content));
}

// A list of files: its names are the lines of one region.
function findInNames(index: JsonIndex, response: number): Found[] {
  const list = findMember(index, response, "filenames");
  if (kindOf(index, list) !== ARRAY) return [];
  const names: Span[] = [];
  const textEnds: number[] = [];
  const texts: Uint8Array[] = [];
  let at = 0;
  for (const item of itemsOf(index, list)) {
    if (index.kind[item] !== STRING) return [];
    const span = spanOf(index, item);
    const { text } = decodeString(index.bytes, span.start, span.end);
    // A name with a line break would read as two.
    if (text.some((c) => c < 0x20 || c === 0x7f)) return [];
    names.push(span);
    texts.push(text);
    at += text.length;
    textEnds.push(at);
    at += 1;
  }
  if (names.length === 0) return [];
  const bytes = new Uint8Array(at - 1).fill(NEWLINE);
  texts.forEach((text, i) => {
    bytes.set(text, textEnds[i]! - text.length);
  });
  const region: Region = { bytes, cut: "tail", content: "names" };
  return counted(index, findMember(index, response, "numFiles"), [
    { region, place: { kind: "names", names, textEnds } },
  ]);
}

function findInWebSearch(index: JsonIndex, response: number): Found[] {
  const results = findMember(index, response, "results");
  if (kindOf(index, results) !== ARRAY) return [];
  return [...itemsOf(index, results)].flatMap((item) => stringAt(index, item));
}

function findInAgent(index: JsonIndex, response: number): Found[] {
  return findInBlocks(index, findMember(index, response, "content"));
}

// Content blocks or a string from this client; an object elsewhere (an MCP result as it stands, or bare JSON).
function findInMcp(index: JsonIndex, response: number): Found[] {
  const kind = kindOf(index, response);
  if (kind === ARRAY) return findInBlocks(index, response);
  if (kind === STRING) {
    return stringAt(index, response).map((found) =>
      isTokenLimitNotice(found.region.bytes) ? { ...found, region: { ...found.region, cut: "none" } } : found,
    );
  }
  if (kind !== OBJECT) return [];
  const blocks = findInBlocks(index, findMember(index, response, "content"));
  if (blocks.length === 0) return [jsonAt(index, response)];
  const structured = findMember(index, response, "structuredContent");
  const isContainer = kindOf(index, structured) === OBJECT || kindOf(index, structured) === ARRAY;
  return isContainer ? [...blocks, jsonAt(index, structured)] : blocks;
}

function findInBlocks(index: JsonIndex, list: number): Found[] {
  if (kindOf(index, list) !== ARRAY) return [];
  const found: Found[] = [];
  for (const block of itemsOf(index, list)) {
    if (readText(index, findMember(index, block, "type")) !== "text") continue;
    found.push(...stringAt(index, findMember(index, block, "text")));
  }
  return found;
}

// An unknown built-in tool: long strings, wherever they are; keys, arrays and everything short stay.
function findLeaves(index: JsonIndex, response: number): Found[] {
  if (kindOf(index, response) !== OBJECT && kindOf(index, response) !== ARRAY) return [];
  const found: Found[] = [];
  const end = index.next[response]!;
  let node = response + 1;
  while (node < end) {
    if (index.kind[node] === KEY && UNSEEN_KEYS.some((name) => isKey(index, node, name))) {
      node = index.next[node + 1]!;
      continue;
    }
    if (index.kind[node] === STRING && index.end[node]! - index.start[node]! - 2 >= LEAF_MIN_BYTES) {
      for (const leaf of stringAt(index, node)) {
        const { bytes } = leaf.region;
        if (bytes.length >= LEAF_MIN_BYTES && !looksLikeBase64(bytes)) found.push(leaf);
      }
    }
    node++;
  }
  return found;
}

function stringAt(index: JsonIndex, node: number, cut: Region["cut"] = "any"): Found[] {
  if (kindOf(index, node) !== STRING) return [];
  const span = spanOf(index, node);
  const { text, toRaw } = decodeString(index.bytes, span.start, span.end);
  // An empty text says nothing that could be cut, and the client shows none.
  if (text.length === 0) return [];
  return [{ region: { bytes: text, cut, content: "text" }, place: { kind: "string", ...span, toRaw } }];
}

function jsonAt(index: JsonIndex, node: number): Found {
  const span = spanOf(index, node);
  const bytes = index.bytes.subarray(span.start, span.end);
  return { region: { bytes, cut: "any", content: "text" }, place: { kind: "json", ...span } };
}

function counted(index: JsonIndex, counter: number, found: Found[]): Found[] {
  if (kindOf(index, counter) !== NUMBER) return found;
  return found.map((one) => ({ ...one, counter: spanOf(index, counter) }));
}

function spanOf(index: JsonIndex, node: number): Span {
  return { start: index.start[node]!, end: index.end[node]! };
}

// No blank, no line end, no punctuation: an image or a file, not a text. A data: URI has such a tail.
function looksLikeBase64(bytes: Uint8Array): boolean {
  const isUri =
    bytes[0] === 0x64 && bytes[1] === 0x61 && bytes[2] === 0x74 && bytes[3] === 0x61 && bytes[4] === 0x3a;
  const body = isUri ? bytes.subarray(bytes.indexOf(0x2c) + 1) : bytes;
  return body.every((c) => {
    const isLetter = (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
    // Digits, + / = and the URL-safe - _.
    return (
      isLetter ||
      (c >= 0x30 && c <= 0x39) ||
      c === 0x2b ||
      c === 0x2f ||
      c === 0x3d ||
      c === 0x2d ||
      c === 0x5f
    );
  });
}
