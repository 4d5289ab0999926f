// SPDX-License-Identifier: Apache-2.0
// A result that the host would replace by a preview and a file, as an excerpt: so small that the host shows it whole,
// with head, tail and failures instead of the first lines alone.
import { type Compression, compress, type Facts } from "./compress.ts";
import { type ExcerptMarker, markerBytes, quotablePath } from "./marker.ts";
import { type Budget, budgetOf, type Shares, strictestBudget } from "./rules/budget.ts";
import type { Policy } from "./rules/policy.ts";
import { countLines } from "./text/lines.ts";
import { utf8Length } from "./utf8.ts";

/** UTF-8 bytes, so at most as many characters: below every size from which a host spills. */
export const EXCERPT_MAX_BYTES = 20_000;
/** Less leaves no room for a failing line between the first line and the markers; a smaller budget counts as this. */
const EXCERPT_MIN_BYTES = 512;

/**
 * The whole text that a file of the host holds, cut by the policy and to `room` bytes, behind a line that names the
 * file. Undefined where that does not fit, nothing is to be cut, or nothing can be stored.
 */
export function excerptFile(
  bytes: Uint8Array,
  path: string,
  room: number,
  policy: Policy,
  facts: Facts,
): Compression | undefined {
  if (!facts.lossy) return undefined;
  const whole = strictestBudget([policy.budget, budgetOf(room)]) ?? budgetOf(room);
  const most = Math.max(whole.maxBytes, EXCERPT_MIN_BYTES);
  const marker = headerOf(bytes, path, most);
  const header = markerBytes(marker) + 1;
  const budget = shrink(whole, most - header);
  const region = { bytes, cut: "any", content: "text" } as const;
  const compression = compress(region, { ...policy, budget }, { ...facts, seen: false });
  const outBytes = compression.outBytes + header;
  if (compression.splices.length === 0 || outBytes > room) return undefined;
  const first = { start: 0, end: 0, insert: [marker, "\n"] };
  return { ...compression, splices: [first, ...compression.splices], outBytes, citesId: true };
}

/** The first line; it names the file unless that takes more than a quarter of what there is room for. */
function headerOf(bytes: Uint8Array, path: string, room: number): ExcerptMarker {
  const marker: ExcerptMarker = { kind: "excerpt", bytes: bytes.length, lines: countLines(bytes) };
  const named = quotablePath(path);
  if (named === undefined || utf8Length(named) > room / 4) return marker;
  return { ...marker, path: named };
}

/** The budget brought to `room` bytes, its shares with it. */
function shrink({ maxBytes, headBytes, tailBytes, trace }: Budget, room: number): Budget {
  const scaled = (shares: Shares): Shares => ({
    headBytes: Math.floor((shares.headBytes * room) / maxBytes),
    tailBytes: Math.floor((shares.tailBytes * room) / maxBytes),
  });
  return { maxBytes: room, ...scaled({ headBytes, tailBytes }), trace: trace && scaled(trace) };
}
