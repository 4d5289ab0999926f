// SPDX-License-Identifier: Apache-2.0
// What the rules make of a result, before anything is stored: a compression for each of its texts, or an excerpt in
// place of the host's preview.

import { type Context, fail, isOverBudget, PAYLOAD_MAX_BYTES, totalBytes } from "./context.ts";
import { type Compression, compress, type Facts } from "./core/compress.ts";
import type { Kept } from "./core/cuts.ts";
import { findCitedIds } from "./core/references.ts";
import { type Policy, resolvePolicy } from "./core/rules/policy.ts";
import { levelOf, scaleBudget } from "./core/share.ts";
import { excerptCall, readExcerptSource } from "./excerpt.ts";
import type { Region, ToolCall } from "./hosts/host.ts";
import type { Setup } from "./setup.ts";
import { openSeen, type Seen } from "./store/seen.ts";
import type { Store } from "./store/vault.ts";

/** What the rules make of a call, before anything is stored. */
export interface Decision {
  readonly policy: Policy;
  /** One for each region; at least one has splices. */
  readonly compressions: readonly Compression[];
  /** An excerpt in place of the host's preview. */
  readonly excerpt?: {
    /** What the model would get without us. */
    readonly previewBytes: number;
    /** The text that the first compression is of, where it is not the region's. */
    readonly text?: Uint8Array | undefined;
  };
}

/** Nothing is to be changed where there is no decision. */
export interface Considered {
  readonly decision?: Decision | undefined;
  /** What stayed whole although it is larger than the budget. */
  readonly kept?: Kept;
}

/** The decision about a result that the host shows as it is. */
export function decide(call: ToolCall, store: Store, context: Context): Considered {
  const { setup } = context;
  const size = totalBytes(call);
  const policy = resolvePolicy(setup.loaded.settings.rules, call.tool, size);
  if (policy === undefined) return {};
  if (size > PAYLOAD_MAX_BYTES) {
    failAsTooLarge(call, context);
    return {};
  }
  const seen = openSeenFor(call, setup);
  const factsOf = (region: Region): Facts => ({
    ...readFacts(call, region.bytes, store, context),
    seen: seen !== undefined && isSeen(region, call, seen),
  });
  const compressions = compressRegions(call, policy, factsOf, context);
  if (compressions === undefined) return {};
  const isChanged = compressions.some(({ splices }) => splices.length > 0);
  // What was just given back must not be cut again, whatever way it came (C10).
  if (isChanged && call.regions.some(({ bytes }) => store.revealedWithinHour(bytes))) return {};
  if (seen !== undefined) notePending(call, compressions, seen);
  const kept = compressions.find((compression) => compression.kept !== undefined)?.kept;
  return { ...(isChanged && { decision: { policy, compressions } }), ...(kept && { kept }) };
}

/** One for each region; where there are more, they share the budget. Undefined: the time ran out. */
function compressRegions(
  call: ToolCall,
  policy: Policy,
  factsOf: (region: Region) => Facts,
  context: Context,
): Compression[] | undefined {
  const { regions } = call;
  const { budget } = policy;
  const isShared = budget !== undefined && regions.length > 1;
  const first = isShared ? { ...policy, budget: undefined } : policy;
  const compressions: Compression[] = [];
  for (const region of regions) {
    compressions.push(compress(region, first, factsOf(region)));
    if (isOverBudget(call, context)) return undefined;
  }
  if (!isShared) return compressions;
  const level = levelOf(
    compressions.map(({ outBytes }) => outBytes),
    budget.maxBytes,
  );
  for (const [i, region] of regions.entries()) {
    if (compressions[i]!.outBytes <= level) continue;
    compressions[i] = compress(region, { ...policy, budget: scaleBudget(budget, level) }, factsOf(region));
    if (isOverBudget(call, context)) return undefined;
  }
  return compressions;
}

/** An excerpt of a result that the host spills, if a rule wants one. It is never said to be identical to another. */
export function decideSpilled(call: ToolCall, store: Store, context: Context): Decision | undefined {
  const { setup } = context;
  const { rules } = setup.loaded.settings;
  const { previewBytes } = call;
  // Nothing is read unless a rule can want it, whatever the size.
  const isWanted = resolvePolicy(rules, call.tool, PAYLOAD_MAX_BYTES)?.spilled === "excerpt";
  if (!isWanted || previewBytes === undefined || !setup.storeEnabled) return undefined;
  const source = readExcerptSource(call, PAYLOAD_MAX_BYTES);
  if ("problem" in source) {
    fail(call, context, { code: "spill_unreadable", reason: source.problem });
    return undefined;
  }
  const { text, size } = source;
  if (size > PAYLOAD_MAX_BYTES) {
    failAsTooLarge(call, context);
    return undefined;
  }
  const policy = resolvePolicy(rules, call.tool, size);
  if (policy === undefined || policy.spilled !== "excerpt") return undefined;
  const compressions = excerptCall(call, source, policy, (bytes) => readFacts(call, bytes, store, context));
  if (compressions === undefined || isOverBudget(call, context)) return undefined;
  const texts = text === undefined ? call.regions.map(({ bytes }) => bytes) : [text];
  if (texts.some((bytes) => store.revealedWithinHour(bytes))) return undefined;
  return { policy, compressions, excerpt: { previewBytes, text } };
}

function readFacts(call: ToolCall, bytes: Uint8Array, store: Store, { setup }: Context): Facts {
  return {
    tool: call.tool,
    seen: false,
    stored: new Set(findCitedIds(bytes).filter((id) => store.has(id))),
    lossy: setup.storeEnabled,
  };
}

function failAsTooLarge(call: ToolCall, context: Context): void {
  const reason = `the result is larger than ${PAYLOAD_MAX_BYTES} bytes`;
  fail(call, context, { code: "input_too_large", reason });
}

/** References need a session, a store, and a host that reports what it delivered. */
function openSeenFor(call: ToolCall, { env, mode, store, storeEnabled }: Setup): Seen | undefined {
  if (call.referable === false) return undefined;
  if (call.session === undefined || env.noDedup.value || mode !== "live" || !storeEnabled) return undefined;
  return openSeen(store.stateDir, store.keyFile, store.keyKind);
}

function isSeen(region: Region, call: ToolCall, seen: Seen): boolean {
  if (call.session === undefined || region.content !== "text" || region.cut === "none") return false;
  return (
    seen.find({ session: call.session, agent: call.agent, tool: call.tool, bytes: region.bytes }) !==
    undefined
  );
}

/** Marks what goes out whole; the host's report makes it known as delivered. */
function notePending(call: ToolCall, compressions: readonly Compression[], seen: Seen): void {
  const { session, agent, useId, regions } = call;
  const [region, second] = regions;
  // The host reports a call's text as one, so only a single region can be told from it.
  if (session === undefined || useId === undefined || region === undefined || second !== undefined) return;
  if (region.content !== "text" || compressions[0]?.splices.length !== 0) return;
  seen.pend({ session, agent, useId, bytes: region.bytes });
}
