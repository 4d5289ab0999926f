// SPDX-License-Identifier: Apache-2.0
// An event of a host in, the host's answer out: the one way that the hook command and the resident server share.
import {
  applyBatch,
  applyBoundary,
  applyFailure,
  applyResult,
  type Context,
  measureResult,
  openContext,
  PAYLOAD_MAX_BYTES,
} from "./apply.ts";
import type { Env } from "./env.ts";
import { type Failure, failOpen, messageOf } from "./fail-open.ts";
import type { Host, ToolCall } from "./hosts/host.ts";
import { decodeEvent } from "./hosts/registry.ts";

/** An event holds its payload escaped, which at most doubles plain text, and other fields beside it. */
export const EVENT_MAX_BYTES = 2 * PAYLOAD_MAX_BYTES + 1024 * 1024;

/**
 * The answer to the event in `input`, whose treatment began at `startedAt` (`monotonicMs`); undefined: nothing is
 * to be changed, or nothing can be answered, which is then on record. Throws only what is unexpected.
 */
export function answerEvent(input: Uint8Array, env: Env, startedAt: number): Uint8Array | undefined {
  const decoded = decodeEvent(input);
  if (decoded === undefined) {
    return refuse(env, {
      code: "input_invalid",
      reason: "the input is no event of a known host",
      hint: "isthmos hook is for the settings of an agent",
    });
  }
  const { host, event } = decoded;
  if (event.kind === "ignored") return undefined;
  const context = openContext(env, host.name, startedAt);
  switch (event.kind) {
    case "result":
      return answerResult(event.call, host, context);
    case "failure":
      applyFailure(event, context);
      return undefined;
    case "batch":
      applyBatch(event, context);
      return undefined;
    case "boundary":
      applyBoundary(event, context);
      return undefined;
  }
}

function answerResult(call: ToolCall, host: Host, context: Context): Uint8Array | undefined {
  const outcome = applyResult(call, context);
  if (outcome.rewrites === undefined) {
    measureResult(call, outcome, context);
    return undefined;
  }
  try {
    const answer = host.encode(call, outcome.rewrites);
    measureResult(call, outcome, context);
    return answer;
  } catch (error) {
    measureResult(call, {}, context);
    const reason = `no answer could be made (${messageOf(error)})`;
    return refuse(context.setup.env, { code: "encode_failed", reason, host: host.name, tool: call.tool });
  }
}

/** Nothing is answered. */
function refuse(env: Env, failure: Failure): undefined {
  failOpen(env.stateDir.value, failure);
}
