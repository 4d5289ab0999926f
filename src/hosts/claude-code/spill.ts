// SPDX-License-Identifier: Apache-2.0
// Results that the client itself replaces by a 2 KB preview and a file. Observed with client 2.1.332; the
// client can change its thresholds, so what was delivered (PostToolBatch) is the truth.
import type { Region } from "../host.ts";

/** Characters (UTF-16 units) of the result's text from which the client spills it. */
const BASH_SPILLS_FROM = 30_000;
const MCP_SPILLS_FROM = 50_001;
const GREP_SPILLS_FROM = 20_001;

/** True if the client would spill a result of `tool` with these texts. Other tools, Read among them, go inline. */
export function isSpilled(tool: string, regions: readonly Region[]): boolean {
  const from = spillsFrom(tool);
  let bytes = 0;
  for (const region of regions) bytes += region.bytes.length + 1;
  // A character takes at least one byte, so most results need no count.
  if (bytes - 1 < from) return false;
  let units = regions.length - 1;
  for (const region of regions) units += countUnits(region.bytes);
  return units >= from;
}

function spillsFrom(tool: string): number {
  if (tool === "Bash") return BASH_SPILLS_FROM;
  if (tool === "Grep") return GREP_SPILLS_FROM;
  return tool.startsWith("mcp__") ? MCP_SPILLS_FROM : Number.POSITIVE_INFINITY;
}

function countUnits(utf8: Uint8Array): number {
  let units = 0;
  for (const c of utf8) {
    if ((c & 0xc0) !== 0x80) units++;
    // Outside the basic plane: a surrogate pair.
    if (c >= 0xf0) units++;
  }
  return units;
}

/** True if the path lies in a folder where the client keeps what it spills; nothing else is read for an excerpt. */
export function isSpillPath(path: string): boolean {
  return /[\\/]tool-results[\\/][^\\/]+$/.test(path) && !/[\\/]\.\.[\\/]/.test(path);
}

/** The file that the client's notice of a result above its token limit names. */
export function pathInNotice(text: Uint8Array): string | undefined {
  const start = new TextDecoder().decode(text.subarray(0, 4096));
  // The sentence ends with a full stop, as may the name's ending.
  return / saved to (.+?)\.?(?:\n|$)/.exec(start)?.[1];
}

/** True for the notice that stands in for an MCP result above the client's token limit; the text is in a file. */
export function isTokenLimitNotice(text: Uint8Array): boolean {
  const start = new TextDecoder().decode(text.subarray(0, 256));
  return start.startsWith("Error: result (") && start.includes("exceeds maximum allowed tokens");
}
