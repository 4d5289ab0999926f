// SPDX-License-Identifier: Apache-2.0
// What is this text, and which of the policy's limits act on it. Pure: the same bytes, policy and facts give the
// same splices in every process.
import type { Cuts, Kept } from "./cuts.ts";
import { fitDocument } from "./json/elide.ts";
import { pruneLines } from "./json/ndjson.ts";
import { canPrune, type JsonContext, type Pruned, pruneJson } from "./json/prune.ts";
import { ARRAY, type JsonIndex, scan } from "./json/scan.ts";
import { citesId, type SeenMarker } from "./marker.ts";
import type { Region } from "./region.ts";
import type { Policy } from "./rules/policy.ts";
import { checkSplices, type Insert, type Splice, splicedLength } from "./splice.ts";
import { mayClean } from "./text/clean.ts";
import { countLines } from "./text/lines.ts";
import { compressText } from "./text/text.ts";

/** What the engine needs and may not look up itself. */
export interface Facts {
  readonly tool: string;
  /** The same tool gave the same bytes before, and they reached this reader whole. */
  readonly seen: boolean;
  /** Ids that occur in the text and are in the store. */
  readonly stored: ReadonlySet<string>;
  /** False: nothing may be lost, since nothing can be stored. */
  readonly lossy: boolean;
}

export interface Compression {
  /** Of the text's bytes; empty where nothing changes. */
  readonly splices: readonly Splice[];
  /** UTF-8 bytes the model would see. */
  readonly outBytes: number;
  /** True if a marker cites the stored original. */
  readonly citesId: boolean;
  readonly cuts: Readonly<Cuts>;
  /** What stays whole, whatever `max_bytes` says: the text is larger than it. */
  readonly kept?: Kept;
}

type Edits = Pick<Compression, "splices" | "cuts" | "kept">;

const NO_EDITS: Edits = { splices: [], cuts: {} };
/** Shorter results are said again in full: a reference costs the reader a look back. */
const SEEN_MIN_BYTES = 4096;

/** The policy applied to one text: strictly smaller, or unchanged. Throws for an error of the engine only. */
export function compress(input: Region, policy: Policy, facts: Facts): Compression {
  const { splices, cuts, kept } = chooseEdits(input, policy, facts);
  const whole = kept !== undefined && { kept };
  // Should one part of the engine err, the caller fails open (C1): a spoilt text must never get out.
  checkSplices(input.bytes.length, splices);
  const outBytes = splicedLength(input.bytes.length, splices);
  if (outBytes >= input.bytes.length) {
    return { splices: [], outBytes: input.bytes.length, citesId: false, cuts: {}, ...whole };
  }
  const cites = splices.some(({ insert }) =>
    insert.some((part) => typeof part !== "string" && citesId(part)),
  );
  return { splices, outBytes, citesId: cites, cuts, ...whole };
}

function chooseEdits(input: Region, policy: Policy, facts: Facts): Edits {
  const { bytes, cut, content } = input;
  if (cut === "none" || bytes.length === 0) return NO_EDITS;
  if (facts.seen && facts.lossy && content === "text" && bytes.length >= SEEN_MIN_BYTES) {
    return sayAgain(input, facts.tool);
  }
  const limits = facts.lossy ? policy : { ...policy, maxItems: 0, maxLines: 0, maxStr: 0, budget: undefined };
  if (cut === "any" && content === "text" && isJsonString(bytes)) return cleanString(bytes, limits, facts);
  if (cut === "any" && content === "text" && opensJson(bytes)) {
    const isLarge = limits.budget !== undefined && bytes.length > limits.budget.maxBytes;
    if (!isLarge && !canPrune(bytes, limits) && !mayCutLines(bytes, limits)) return NO_EDITS;
    const context = { stored: facts.stored, pointerPrefix: "", nested: false };
    const index = scan(bytes);
    const edits =
      index === undefined ? pruneLines(bytes, limits, context) : pruneJson(index, limits, context);
    if (edits !== undefined) return isLarge ? fitEdits(edits, bytes, index, limits, context) : edits;
  }
  return compressText(bytes, limits, { cut, content, unit: "line", stored: facts.stored });
}

/** The edits with what the budget takes besides; `index`: of a document, undefined for JSON lines. */
function fitEdits(
  edits: Pruned,
  bytes: Uint8Array,
  index: JsonIndex | undefined,
  policy: Policy,
  context: JsonContext,
): Edits {
  const { budget } = policy;
  if (budget === undefined || splicedLength(bytes.length, edits.splices) <= budget.maxBytes) return edits;
  const fitted = index && fitDocument(index, policy, context, budget, edits);
  return fitted ?? { ...edits, kept: "json" };
}

/** True if the text has lines that a limit acts on: JSON lines, or a log that begins with a bracket. */
function mayCutLines(bytes: Uint8Array, { maxLines, dedup }: Policy): boolean {
  if (maxLines === 0 && !dedup) return false;
  const count = countLines(bytes);
  return (maxLines > 0 && count > maxLines) || (dedup && count > 2);
}

/** True if the text is one JSON string: a marker could not say where in its value a hole is, so it stays whole. */
function isJsonString(bytes: Uint8Array): boolean {
  return bytes[0] === 0x22 && scan(bytes) !== undefined;
}

/** What loses nothing: the clean-ups. */
function cleanString(bytes: Uint8Array, policy: Policy, { stored }: Facts): Edits {
  const index = mayClean(bytes, policy, true) ? scan(bytes) : undefined;
  if (index === undefined) return NO_EDITS;
  const gentle = { ...policy, maxItems: 0, maxLines: 0, maxStr: 0, dedup: false, compact: false };
  return pruneJson(index, gentle, { stored, pointerPrefix: "", nested: true });
}

/** True if the first byte that is no white space opens an object or an array. */
function opensJson(bytes: Uint8Array): boolean {
  let i = 0;
  while (i < bytes.length && isSpace(bytes[i]!)) i++;
  return bytes[i] === 0x7b || bytes[i] === 0x5b;
}

function isSpace(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** The whole text gives way to a reference; a JSON document stays one of the same kind. */
function sayAgain({ bytes, cut }: Region, tool: string): Edits {
  const marker: SeenMarker = { kind: "seen", tool: quotableName(tool), ...sizeOf(bytes) };
  const index = cut === "any" && opensJson(bytes) ? scan(bytes) : undefined;
  let insert: Insert[] = [marker];
  if (index !== undefined) {
    insert = index.kind[0] === ARRAY ? ['[{"isthmos":"', marker, '"}]'] : ['{"isthmos":"', marker, '"}'];
  }
  return { splices: [{ start: 0, end: bytes.length, insert }], cuts: { seen: 1 } };
}

function sizeOf(bytes: Uint8Array): Pick<SeenMarker, "count" | "unit"> {
  let lines = bytes.at(-1) === 0x0a ? 0 : 1;
  for (const c of bytes) if (c === 0x0a) lines++;
  return lines > 1 ? { count: lines, unit: "lines" } : { count: bytes.length, unit: "bytes" };
}

/** A tool's name inside a marker: nothing that JSON escapes, that ends the marker, or that a terminal obeys. */
function quotableName(tool: string): string {
  return tool.replace(/[^\w.:/-]/g, "_").slice(0, 100);
}
