// SPDX-License-Identifier: Apache-2.0
// The library: the engine, the rules, the store and the figures, for hosts and tools that import isthmos.
import { compress as compressBytes } from "./core/compress.ts";
import type { Cuts } from "./core/cuts.ts";
import { findCitedIds } from "./core/references.ts";
import type { Region } from "./core/region.ts";
import { resolvePolicy } from "./core/rules/policy.ts";
import { applySplices } from "./core/splice.ts";
import { type LoadedRules, loadRulesFile } from "./rules-file.ts";
import { openStore as openStoreWith, STORE_DEFAULTS, type Store, type StoreOptions } from "./store/vault.ts";

export type { Cuts } from "./core/cuts.ts";
export { type ParsedMarker, parseMarker } from "./core/marker.ts";
export { type Part, type Range, type Recovered, recoverPart } from "./core/recover.ts";
export { type ParsedRules, type Problem, parseRules } from "./core/rules/parse.ts";
export type { CompiledRule, Rule } from "./core/rules/policy.ts";
export type { Settings } from "./core/rules/settings.ts";
export type { Section } from "./measure/aggregate.ts";
export { type Aggregate, aggregate } from "./measure/aggregate.ts";
export { readRows } from "./measure/log.ts";
export type { CallRow, DeliveredRow, RevealRow, Row } from "./measure/row.ts";
export { estimateTokens } from "./measure/tokens.ts";
export type { LoadedRules } from "./rules-file.ts";
export type { Loaded } from "./store/load.ts";
export { StoreError } from "./store/store-error.ts";
export type { Store, StoreOptions } from "./store/vault.ts";
export { VERSION } from "./version.ts";

export interface CompressOptions {
  /** The tool's name, as the rules match it. */
  readonly tool: string;
  /** From `loadRules` or `parseRules`. */
  readonly rules: LoadedRules["settings"];
  /** Where originals go before a marker cites them. Without one nothing is lost: only `drop_keys`, `compact` and `dedup` act. */
  readonly store?: Store;
  /** What may be taken: anything (default), or only the end, as for a file that is shown with line numbers. */
  readonly cut?: Region["cut"];
}

export interface Compressed {
  /** The text for the model; the payload itself where nothing changed. */
  readonly output: Uint8Array;
  readonly changed: boolean;
  /** UTF-8 bytes. `outBytes` is smaller than `inBytes`, or equal where nothing changed. */
  readonly inBytes: number;
  readonly outBytes: number;
  readonly cuts: Readonly<Cuts>;
  /** What `store.load` and `isthmos reveal` take; absent where no marker cites it. */
  readonly id?: string;
}

/**
 * Applies the rules that match `tool` to one text (UTF-8; a string is encoded). Strictly smaller, or unchanged.
 * Throws StoreError where the original cannot be stored; deliver the payload as it is then.
 */
export function compress(payload: Uint8Array | string, options: CompressOptions): Compressed {
  const { tool, rules, store, cut = "any" } = options;
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const unchanged = {
    output: bytes,
    changed: false,
    inBytes: bytes.length,
    outBytes: bytes.length,
    cuts: {},
  };
  const policy = rules.mode === "live" ? resolvePolicy(rules.rules, tool, bytes.length) : undefined;
  if (policy === undefined) return unchanged;

  const stored = new Set(findCitedIds(bytes).filter((id) => store?.has(id)));
  const facts = { tool, seen: false, stored, lossy: store !== undefined && rules.store.enabled };
  const { splices, outBytes, citesId, cuts } = compressBytes({ bytes, cut, content: "text" }, policy, facts);
  if (splices.length === 0 || store?.revealedWithinHour(bytes)) return unchanged;
  const id = citesId ? store?.save(bytes, { tool, kind: "text" }) : undefined;
  return {
    output: applySplices(bytes, splices, id),
    changed: true,
    inBytes: bytes.length,
    outBytes,
    cuts,
    ...(id !== undefined && { id }),
  };
}

/** The rules of a file (JSON with comments), with what is wrong in it. Never throws: a file that cannot be used has no rules. */
export function loadRules(path: string): LoadedRules {
  return loadRulesFile(path);
}

/** A store in a folder of yours; limits that are left out are the defaults (168 h, 128 MiB, 2,000 entries). */
export function openStore(
  options: Pick<StoreOptions, "stateDir" | "keyFile"> & Partial<StoreOptions>,
): Store {
  return openStoreWith({ ...STORE_DEFAULTS, ...options });
}
