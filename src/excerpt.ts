// SPDX-License-Identifier: Apache-2.0
// A result that the host replaces by a preview, decided as an excerpt: from the host's file where it names one, else
// from the texts of the event, brought below the size from which the host spills.
import { type Compression, compress, type Facts } from "./core/compress.ts";
import { EXCERPT_MAX_BYTES, excerptFile } from "./core/excerpt.ts";
import { budgetOf, strictestBudget } from "./core/rules/budget.ts";
import type { Policy } from "./core/rules/policy.ts";
import { levelOf } from "./core/share.ts";
import { errorCode, readFile } from "./files.ts";
import type { ToolCall } from "./hosts/host.ts";

/** What an excerpt is made of. */
export interface ExcerptSource {
  /** The whole text of the call's only or first region, from the host's file; undefined: the regions are whole. */
  readonly text?: Uint8Array;
  /** Bytes of the whole result. */
  readonly size: number;
}

/** The source of a spilled call, or why it cannot be had, in words. At most `maxBytes` are read. */
export function readExcerptSource(
  call: ToolCall,
  maxBytes: number,
): ExcerptSource | { readonly problem: string } {
  const size = call.regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const { spillFile } = call;
  if (spillFile === undefined) {
    return { size };
  }
  try {
    const bytes = readFile(spillFile, { maxBytes });
    if (bytes === undefined) return { problem: "the host's file of the result is not there" };
    return { text: toUtf8(bytes), size: bytes.length };
  } catch (error) {
    return {
      problem: `the host's file of the result cannot be read (${errorCode(error) ?? "unknown error"})`,
    };
  }
}

/** One compression for each region, or undefined where no excerpt can be made that the host shows whole. */
export function excerptCall(
  { regions, spillFile = "" }: ToolCall,
  { text }: ExcerptSource,
  policy: Policy,
  factsOf: (bytes: Uint8Array) => Facts,
): readonly Compression[] | undefined {
  if (text === undefined) {
    const level = levelOf(
      regions.map(({ bytes }) => bytes.length),
      EXCERPT_MAX_BYTES - regions.length,
    );
    const budget = strictestBudget([policy.budget, budgetOf(Math.min(level, EXCERPT_MAX_BYTES))]);
    const compressions = regions.map((region) =>
      compress(region, { ...policy, budget }, { ...factsOf(region.bytes), seen: false }),
    );
    const length = compressions.reduce((sum, { outBytes }) => sum + outBytes + 1, -1);
    return length <= EXCERPT_MAX_BYTES ? compressions : undefined;
  }
  const others = regions.slice(1);
  const room = EXCERPT_MAX_BYTES - others.reduce((sum, { bytes }) => sum + bytes.length + 1, 0);
  const excerpt = room > 0 ? excerptFile(text, spillFile, room, policy, factsOf(text)) : undefined;
  if (excerpt === undefined) return undefined;
  return [
    excerpt,
    ...others.map(({ bytes }) => ({ splices: [], outBytes: bytes.length, citesId: false, cuts: {} })),
  ];
}

// As the host reads it: what is no UTF-8 becomes U+FFFD, so that marker ranges fit what was shown.
function toUtf8(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(text);
  return encoded.length === bytes.length && encoded.every((byte, i) => byte === bytes[i]) ? bytes : encoded;
}
