// SPDX-License-Identifier: Apache-2.0
// A result that the host would replace by a preview and a file, as an excerpt: so small that the host shows it whole,
// with head, tail and failures instead of the first lines alone.
import { type Compression, compress, type Facts } from "./compress.ts";
import { type ExcerptMarker, markerBytes, quotablePath } from "./marker.ts";
import { budgetOf, strictestBudget } from "./rules/budget.ts";
import type { Policy } from "./rules/policy.ts";
import { countLines } from "./text/lines.ts";

/** UTF-8 bytes, so at most as many characters: below every size from which a host spills. */
export const EXCERPT_MAX_BYTES = 20_000;

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
  const named = quotablePath(path);
  const marker: ExcerptMarker = {
    kind: "excerpt",
    bytes: bytes.length,
    lines: countLines(bytes),
    ...(named !== undefined && { path: named }),
  };
  const header = markerBytes(marker) + 1;
  const budget = strictestBudget([policy.budget, budgetOf(Math.max(1, room - header))]);
  const region = { bytes, cut: "any", content: "text" } as const;
  const compression = compress(region, { ...policy, budget }, { ...facts, seen: false });
  const outBytes = compression.outBytes + header;
  if (compression.splices.length === 0 || outBytes > room) return undefined;
  const first = { start: 0, end: 0, insert: [marker, "\n"] };
  return { ...compression, splices: [first, ...compression.splices], outBytes, citesId: true };
}
