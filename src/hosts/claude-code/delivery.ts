// SPDX-License-Identifier: Apache-2.0
// PostToolBatch: what reached the model, after all hooks and spills. The client's decoration (line numbers, a
// header) is taken off, so that an unchanged Bash, Read, Grep or MCP result equals its regions joined. Where
// that cannot be (images, agents' reports), the size is what counts.
import { ARRAY, type JsonIndex, STRING } from "../../core/json/scan.ts";
import { type Delivery, joinTexts } from "../host.ts";
import { findMember, itemsOf, kindOf, readBytes, readText } from "../members.ts";

const NEWLINE = 0x0a;

/** The calls of the array at `calls` with what was delivered for each; a call without a name or result is left out. */
export function readDeliveries(index: JsonIndex, calls: number): Delivery[] {
  if (kindOf(index, calls) !== ARRAY) return [];
  const deliveries: Delivery[] = [];
  for (const call of itemsOf(index, calls)) {
    const tool = readText(index, findMember(index, call, "tool_name"));
    const delivered = readDelivered(index, findMember(index, call, "tool_response"));
    if (tool === undefined || delivered === undefined) continue;
    const useId = readText(index, findMember(index, call, "tool_use_id"));
    const bytes = undecorate(index, call, tool, delivered);
    deliveries.push({ tool, bytes, ...(useId ? { useId } : {}) });
  }
  return deliveries;
}

function readDelivered(index: JsonIndex, response: number): Uint8Array | undefined {
  if (kindOf(index, response) === STRING) return readBytes(index, response)?.text;
  if (kindOf(index, response) !== ARRAY) return undefined;
  const texts: Uint8Array[] = [];
  for (const block of itemsOf(index, response)) {
    const text = readBytes(index, findMember(index, block, "text"))?.text;
    if (text !== undefined && text.length > 0) texts.push(text);
  }
  return joinTexts(texts);
}

function undecorate(index: JsonIndex, call: number, tool: string, text: Uint8Array): Uint8Array {
  if (tool === "Read") return stripLineNumbers(text);
  if (tool !== "Grep") return text;
  const input = findMember(index, call, "tool_input");
  const mode = readText(index, findMember(index, input, "output_mode")) ?? "files_with_matches";
  return mode === "files_with_matches" ? stripFoundLine(text) : text;
}

/** Takes `N<tab>` (or `N→`, older clients, padded) off each line, as long as the numbers go up by one. */
export function stripLineNumbers(text: Uint8Array): Uint8Array {
  const out = new Uint8Array(text.length);
  let length = 0;
  let expected: number | undefined;
  let at = 0;
  while (at < text.length) {
    const feed = text.indexOf(NEWLINE, at);
    const end = feed < 0 ? text.length : feed + 1;
    const number = readLineNumber(text, at, end);
    const isNext = number !== undefined && (expected === undefined || number.value === expected);
    // Text that does not begin with a number (a preview, a notice) is not numbered.
    if (!isNext && expected === undefined) return text;
    if (isNext) expected = number.value + 1;
    const line = text.subarray(isNext ? number.end : at, end);
    out.set(line, length);
    length += line.length;
    at = end;
  }
  return out.subarray(0, length);
}

function readLineNumber(
  text: Uint8Array,
  from: number,
  end: number,
): { value: number; end: number } | undefined {
  let at = from;
  while (at < end && text[at] === 0x20) at++;
  const first = at;
  let value = 0;
  while (at < end && text[at]! >= 0x30 && text[at]! <= 0x39) value = value * 10 + text[at++]! - 0x30;
  if (at === first) return undefined;
  if (text[at] === 0x09) return { value, end: at + 1 };
  const isArrow = text[at] === 0xe2 && text[at + 1] === 0x86 && text[at + 2] === 0x92;
  return isArrow ? { value, end: at + 3 } : undefined;
}

function stripFoundLine(text: Uint8Array): Uint8Array {
  const feed = text.indexOf(NEWLINE);
  const line = new TextDecoder().decode(text.subarray(0, feed < 0 ? 0 : Math.min(feed, 200)));
  return /^Found \d+ files?\b/.test(line) ? text.subarray(feed + 1) : text;
}
