// SPDX-License-Identifier: Apache-2.0
// Is this result one that the client replaces, where does the whole of it lie, and how much would the model get?
import { ARRAY, type JsonIndex, NUMBER } from "../../core/json/scan.ts";
import { findMember, kindOf, readText } from "../members.ts";
import type { Found } from "./places.ts";
import { previewBytes } from "./preview.ts";
import { isSpilled, isSpillPath, isTokenLimitNotice, pathInNotice } from "./spill.ts";

/** Members of a Bash result that make the client show a preview of its file instead of `stdout`. */
export const SPILL_KEYS = ["persistedOutputPath", "persistedOutputSize"] as const;

/** As in `ToolCall`. */
export interface Spill {
  readonly spilled: boolean;
  readonly spillFile?: string;
  readonly previewBytes?: number;
}

/** Characters of a result that the preview can show, and some more. */
const HEAD_UNITS = 2100;

/** What becomes of the result at `response`, whose texts are `found`. */
export function readSpill(index: JsonIndex, tool: string, response: number, found: readonly Found[]): Spill {
  const regions = found.map((one) => one.region);
  const [first] = regions;
  const file = tool === "Bash" ? readText(index, findMember(index, response, SPILL_KEYS[0])) : undefined;
  if (file !== undefined) {
    // The text is the beginning only: without its file there is nothing to make more of.
    if (!isSpillPath(file)) return { spilled: true };
    const size = readNumber(index, findMember(index, response, SPILL_KEYS[1]));
    const head = first?.bytes ?? new Uint8Array(0);
    return {
      spilled: true,
      spillFile: file,
      previewBytes: previewBytes(head, size ?? head.length, file),
    };
  }
  if (regions.some(({ cut }) => cut === "none")) {
    const path = first && isTokenLimitNotice(first.bytes) ? pathInNotice(first.bytes) : undefined;
    if (path === undefined || !isSpillPath(path) || first === undefined) return { spilled: true };
    return { spilled: true, spillFile: path, previewBytes: first.bytes.length };
  }
  if (!isSpilled(tool, regions)) return { spilled: false };
  const isBlocks = kindOf(index, response) === ARRAY;
  const { head, size } = isBlocks ? blocksText(found) : plainText(found);
  return { spilled: true, previewBytes: previewBytes(head, size, fileOf(index, isBlocks ? "json" : "txt")) };
}

function readNumber(index: JsonIndex, node: number): number | undefined {
  if (kindOf(index, node) !== NUMBER) return undefined;
  return Number(String.fromCharCode(...index.bytes.subarray(index.start[node]!, index.end[node]!)));
}

function plainText(found: readonly Found[]): { head: Uint8Array; size: number } {
  const size = found.reduce((sum, { region }) => sum + region.bytes.length + 1, -1);
  return { head: found[0]?.region.bytes ?? new Uint8Array(0), size };
}

// Content blocks lie in the file as JSON, two spaces a level.
function blocksText(found: readonly Found[]): { head: Uint8Array; size: number } {
  let head = "[\n";
  let size = 4;
  for (const [i, { region, place }] of found.entries()) {
    const [before, after] = [
      '  {\n    "type": "text",\n    "text": ',
      i + 1 < found.length ? "\n  },\n" : "\n  }\n",
    ];
    const raw = place.kind === "string" ? place.end - place.start : region.bytes.length;
    size += before.length + raw + after.length;
    if (head.length >= HEAD_UNITS) continue;
    const text = new TextDecoder().decode(region.bytes.subarray(0, 3 * HEAD_UNITS));
    head += before + JSON.stringify(text) + after;
  }
  return { head: new TextEncoder().encode(head), size };
}

// Beside the transcript, in a folder of the session; the name is the use id.
function fileOf(index: JsonIndex, ending: "json" | "txt"): string {
  const transcript = readText(index, findMember(index, 0, "transcript_path")) ?? "";
  const useId = readText(index, findMember(index, 0, "tool_use_id")) ?? "";
  return `${transcript.replace(/\.jsonl$/, "")}/tool-results/${useId}.${ending}`;
}
