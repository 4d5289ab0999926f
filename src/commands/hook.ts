// SPDX-License-Identifier: Apache-2.0
// `isthmos hook`: an event of the host on stdin, an answer or nothing on stdout, exit code 0 whatever happens.
import {
  applyBatch,
  applyBoundary,
  applyFailure,
  applyResult,
  type Context,
  measureResult,
  openContext,
  PAYLOAD_MAX_BYTES,
} from "../apply.ts";
import type { Env } from "../env.ts";
import { type Failure, failOpen, messageOf } from "../fail-open.ts";
import type { Host, ToolCall } from "../hosts/host.ts";
import { decodeEvent } from "../hosts/registry.ts";
import { monotonicMs, readStdin, writeStdout } from "../io.ts";

/** An event holds its payload escaped, which at most doubles plain text, and other fields beside it. */
const EVENT_MAX_BYTES = 2 * PAYLOAD_MAX_BYTES + 1024 * 1024;

/** Answers one event. Takes no arguments; a wrong one is reported and the result left alone. Never throws. */
export function hook(args: readonly string[], env: Env): void {
  let answer: Uint8Array | undefined;
  try {
    answer = answerEvent(args, env);
  } catch (error) {
    const reason = `the event could not be treated (${messageOf(error)})`;
    refuse(env, { code: "internal", reason, hint: "run isthmos doctor" });
  }
  if (answer === undefined) return;
  try {
    writeStdout(answer);
  } catch (error) {
    refuse(env, { code: "output_failed", reason: `the answer could not be written (${messageOf(error)})` });
  }
}

function answerEvent(args: readonly string[], env: Env): Uint8Array | undefined {
  const { bytes, more } = readStdin(EVENT_MAX_BYTES);
  // The time that the host takes to write is not ours.
  const startedAt = monotonicMs();
  if (env.disabled.value) return undefined;
  if (args.length > 0) {
    const reason = `hook takes no argument ${args[0]}`;
    return refuse(env, { code: "usage", reason, hint: "write isthmos hook in the settings" });
  }
  if (more) {
    return refuse(env, {
      code: "input_too_large",
      reason: `the event is larger than ${EVENT_MAX_BYTES} bytes`,
    });
  }
  const decoded = decodeEvent(bytes);
  if (decoded === undefined) {
    const reason = "stdin is no event of a known host";
    return refuse(env, {
      code: "input_invalid",
      reason,
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
