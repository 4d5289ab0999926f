// SPDX-License-Identifier: Apache-2.0
// A tool result on its way to the model: policy, engine, store, log, in this order; and the host's report of what
// arrived. The one place where core meets store and measure. Whatever fails, the answer is the original, and the
// reason is on record.
import { type Compression, compress } from "./core/compress.ts";
import { addCuts, type Cuts } from "./core/cuts.ts";
import { findCitedIds } from "./core/references.ts";
import { type Policy, resolvePolicy } from "./core/rules/policy.ts";
import type { Env } from "./env.ts";
import { type Failure, failOpen } from "./fail-open.ts";
import { recordHealth } from "./health.ts";
import type { BatchEvent, BoundaryEvent, FailureEvent, Region, Rewrite, ToolCall } from "./hosts/host.ts";
import { monotonicMs } from "./io.ts";
import { appendRow } from "./measure/log.ts";
import { hashCall, type Row } from "./measure/row.ts";
import { readSetup, type Setup } from "./setup.ts";
import { openSeen, type Seen } from "./store/seen.ts";
import { StoreError } from "./store/store-error.ts";
import { openStore, type Store } from "./store/vault.ts";

/** Regions of one call together; DESIGN 1, C15. */
export const PAYLOAD_MAX_BYTES = 32 * 1024 * 1024;

/** What one event is worked on with. */
export interface Context {
  readonly setup: Setup;
  /** The adapter's name for log and health; undefined for a pipe. */
  readonly host?: string;
  /** When work on the event began, on the clock of `monotonicMs`. */
  readonly startedAt: number;
}

/** Reads the rules for an event that began at `startedAt`; a file that cannot be used is on record, and has no rules. */
export function openContext(env: Env, host: string | undefined, startedAt: number): Context {
  const setup = readSetup(env);
  const { status, reason, path } = setup.loaded;
  if (status === "unreadable" || status === "invalid") {
    failOpen(env.stateDir.value, {
      code: `rules_${status}`,
      reason: `the rules file ${path} cannot be used: ${reason}`,
      hint: "run isthmos rules check",
      ...(host !== undefined && { host }),
    });
  }
  return { setup, startedAt, ...(host !== undefined && { host }) };
}

/** `rewrites[i]` belongs to `call.regions[i]`; undefined: that region stays. */
export type Rewrites = readonly (Rewrite | undefined)[];

/** What the rules make of a call, before anything is stored. */
export interface Decision {
  readonly policy: Policy;
  /** One for each region. */
  readonly compressions: readonly Compression[];
}

/** What becomes of a result: nothing where `rewrites` is absent. `decision` is what was computed, for the log. */
export interface Outcome {
  readonly rewrites?: Rewrites;
  readonly decision?: Decision;
}

/** Decides about a result and stores what its markers cite. Throws nothing that is expected. */
export function applyResult(call: ToolCall, context: Context): Outcome {
  const { setup } = context;
  if (setup.mode === "off") return {};
  const store = openStore(setup.store);
  const decision = decide(call, store, context);
  if (decision === undefined || setup.mode === "shadow") return { ...(decision && { decision }) };
  const rewrites = storeOriginals(call, decision, store, context);
  return rewrites === undefined ? {} : { decision, rewrites };
}

function decide(call: ToolCall, store: Store, context: Context): Decision | undefined {
  const { setup } = context;
  const size = totalBytes(call);
  const policy = resolvePolicy(setup.loaded.settings.rules, call.tool, size);
  if (policy === undefined || call.own || call.spilled) return undefined;
  if (size > PAYLOAD_MAX_BYTES) {
    const reason = `the result is larger than ${PAYLOAD_MAX_BYTES} bytes`;
    fail(call, context, { code: "input_too_large", reason });
    return undefined;
  }
  const seen = openSeenFor(call, setup);
  const compressions: Compression[] = [];
  for (const region of call.regions) {
    compressions.push(
      compress(region, policy, {
        tool: call.tool,
        seen: seen !== undefined && isSeen(region, call, seen),
        stored: new Set(findCitedIds(region.bytes).filter((id) => store.has(id))),
        lossy: setup.storeEnabled,
      }),
    );
    if (isOverBudget(call, context)) return undefined;
  }
  const isChanged = compressions.some(({ splices }) => splices.length > 0);
  // What was just given back must not be cut again, whatever way it came (C10).
  if (isChanged && call.regions.some(({ bytes }) => store.revealedWithinHour(bytes))) return undefined;
  if (seen !== undefined) notePending(call, compressions, seen);
  return isChanged ? { policy, compressions } : undefined;
}

/** Stores what markers will cite (C6). Undefined, with the reason on record, if one original cannot be stored. */
function storeOriginals(
  call: ToolCall,
  { compressions }: Decision,
  store: Store,
  context: Context,
): Rewrites | undefined {
  const rewrites: (Rewrite | undefined)[] = [];
  try {
    for (const [i, { splices, citesId }] of compressions.entries()) {
      const region = call.regions[i];
      if (region === undefined || splices.length === 0) rewrites.push(undefined);
      else if (!citesId) rewrites.push({ splices });
      else
        rewrites.push({ splices, id: store.save(region.bytes, { tool: call.tool, kind: region.content }) });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    fail(call, context, { code: error.code, reason: error.message, hint: error.hint });
    return undefined;
  }
  return isOverBudget(call, context) ? undefined : rewrites;
}

/** References need a session, a store, and a host that reports what it delivered. */
function openSeenFor(call: ToolCall, { env, mode, store, storeEnabled }: Setup): Seen | undefined {
  if (call.referable === false) return undefined;
  if (call.session === undefined || env.noDedup.value || mode !== "live" || !storeEnabled) return undefined;
  return openSeen(store.stateDir, store.keyFile);
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

/** Writes the row of a result; without a decision, or where it was not answered, nothing is claimed (C14). */
export function measureResult(call: ToolCall, { decision }: Outcome, context: Context): void {
  if (context.setup.mode === "off") return;
  const inBytes = totalBytes(call);
  const cuts: Cuts = {};
  for (const compression of decision?.compressions ?? []) addCuts(cuts, compression.cuts);
  measure(
    {
      kind: "call",
      ts: Date.now(),
      tool: call.tool,
      inBytes,
      outBytes: decision?.compressions.reduce((sum, { outBytes }) => sum + outBytes, 0) ?? inBytes,
      host: context.host,
      call: call.useId && hashCall(call.useId),
      shadow: context.setup.mode === "shadow",
      ms: monotonicMs() - context.startedAt,
      cuts,
      rules: decision?.policy.rules,
    },
    context,
  );
}

/** A failed call: counted, never answered, since the host takes no rewrite of it. */
export function applyFailure(event: FailureEvent, context: Context): void {
  if (context.setup.mode === "off") return;
  const { tool, useId, bytes } = event;
  measure(
    {
      kind: "call",
      ts: Date.now(),
      tool,
      inBytes: bytes,
      outBytes: bytes,
      host: context.host,
      call: useId && hashCall(useId),
      shadow: context.setup.mode === "shadow",
      failure: true,
    },
    context,
  );
}

/** What reached the model: a row a call, and the texts that may be referred to from now on (C12). */
export function applyBatch(event: BatchEvent, context: Context): void {
  const { setup, host } = context;
  if (setup.mode === "off") return;
  const { session, agent } = event;
  const promotes = session !== undefined && setup.mode === "live" && !setup.env.noDedup.value;
  const seen = promotes ? openSeen(setup.store.stateDir, setup.store.keyFile) : undefined;
  for (const { tool, useId, bytes } of event.deliveries) {
    if (useId === undefined) continue;
    measure(
      { kind: "delivered", ts: Date.now(), tool, host, call: hashCall(useId), delivered: bytes.length },
      context,
    );
    if (session !== undefined) seen?.promote({ session, agent, tool, useId, bytes });
  }
}

/** The reader's context was begun anew or cut: nothing said before may be referred to (C12). */
export function applyBoundary({ session, starts }: BoundaryEvent, { setup }: Context): void {
  openSeen(setup.store.stateDir, setup.store.keyFile).beginGeneration(session, { starts });
}

function totalBytes(call: ToolCall): number {
  return call.regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function isOverBudget(call: ToolCall, context: Context): boolean {
  const budget = context.setup.env.budgetMs.value;
  if (monotonicMs() - context.startedAt <= budget) return false;
  fail(call, context, { code: "budget", reason: `the time budget of ${budget} ms ran out` });
  return true;
}

// A lost row must not cost the user the result, nor the agent a word on stderr at every call.
function measure(row: Row, { setup, host }: Context): void {
  try {
    appendRow(setup.store.stateDir, row);
  } catch {
    recordHealth(setup.store.stateDir, "log_failed", { ...(host !== undefined && { host }), tool: row.tool });
  }
}

function fail(call: ToolCall, { setup, host }: Context, failure: Failure): void {
  failOpen(setup.store.stateDir, { ...failure, ...(host !== undefined && { host }), tool: call.tool });
}
