// SPDX-License-Identifier: Apache-2.0
// A tool result on its way to the model: policy, engine, store, log, in this order; and the host's report of what
// arrived. The one place where core meets store and measure. Whatever fails, the answer is the original, and the
// reason is on record.
import { type Context, fail, isOverBudget, totalBytes } from "./context.ts";
import { addCuts, type Cuts } from "./core/cuts.ts";
import { type Considered, type Decision, decide, decideSpilled } from "./decide.ts";
import { recordHealth } from "./health.ts";
import type { BatchEvent, BoundaryEvent, FailureEvent, Rewrite, ToolCall } from "./hosts/host.ts";
import { monotonicMs } from "./io.ts";
import { appendRow } from "./measure/log.ts";
import { hashCall, type Row } from "./measure/row.ts";
import { openSeen } from "./store/seen.ts";
import { StoreError } from "./store/store-error.ts";
import { openStore, type Store } from "./store/vault.ts";

export { type Context, openContext, PAYLOAD_MAX_BYTES } from "./context.ts";

/** `rewrites[i]` belongs to `call.regions[i]`; undefined: that region stays. */
export type Rewrites = readonly (Rewrite | undefined)[];

/** What becomes of a result: nothing where `rewrites` is absent. `decision` is what was computed, for the log. */
export interface Outcome extends Considered {
  readonly rewrites?: Rewrites;
}

/** Decides about a result and stores what its markers cite. Throws nothing that is expected. */
export function applyResult(call: ToolCall, context: Context): Outcome {
  const { setup } = context;
  if (setup.mode === "off" || call.own) return {};
  const store = openStore(setup.store);
  const considered: Considered = call.spilled
    ? { decision: decideSpilled(call, store, context) }
    : decide(call, store, context);
  const { decision } = considered;
  if (decision === undefined || setup.mode === "shadow") return considered;
  const rewrites = storeOriginals(call, decision, store, context);
  return rewrites === undefined ? {} : { ...considered, rewrites };
}

/** Stores what markers will cite (C6). Undefined, with the reason on record, if one original cannot be stored. */
function storeOriginals(
  call: ToolCall,
  { compressions, excerpt }: Decision,
  store: Store,
  context: Context,
): Rewrites | undefined {
  const rewrites: (Rewrite | undefined)[] = [];
  try {
    for (const [i, { splices, citesId }] of compressions.entries()) {
      const region = call.regions[i];
      const of = i === 0 ? excerpt?.text : undefined;
      const own = of !== undefined && { of };
      if (region === undefined || splices.length === 0) rewrites.push(undefined);
      else if (!citesId) rewrites.push({ splices, ...own });
      else {
        const id = store.save(of ?? region.bytes, { tool: call.tool, kind: region.content });
        rewrites.push({ splices, id, ...own });
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    fail(call, context, { code: error.code, reason: error.message, hint: error.hint });
    return undefined;
  }
  return isOverBudget(call, context) ? undefined : rewrites;
}

/** Writes the row of a result; without a decision, or where it was not answered, nothing is claimed (C14). */
export function measureResult(call: ToolCall, { decision, kept }: Outcome, context: Context): void {
  if (context.setup.mode === "off") return;
  const inBytes = decision?.excerpt?.previewBytes ?? totalBytes(call);
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
      excerpt: decision?.excerpt !== undefined,
      kept,
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
  const seen = promotes
    ? openSeen(setup.store.stateDir, setup.store.keyFile, setup.store.keyKind)
    : undefined;
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
  openSeen(setup.store.stateDir, setup.store.keyFile, setup.store.keyKind).beginGeneration(session, {
    starts,
  });
}

// A lost row must not cost the user the result, nor the agent a word on stderr at every call.
function measure(row: Row, { setup, host }: Context): void {
  try {
    appendRow(setup.store.stateDir, row);
  } catch {
    recordHealth(setup.store.stateDir, "log_failed", { ...(host !== undefined && { host }), tool: row.tool });
  }
}
