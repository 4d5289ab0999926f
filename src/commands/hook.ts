// SPDX-License-Identifier: Apache-2.0
// `isthmos hook`: an event of the host on stdin, an answer or nothing on stdout, exit code 0 whatever happens.
import {
  applyBatch,
  applyBoundary,
  applyFailure,
  applyResult,
  type Context,
  measureResult,
  PAYLOAD_MAX_BYTES,
} from "../apply.ts";
import type { Env } from "../env.ts";
import { type HealthCode, recordHealth } from "../health.ts";
import type { Host, ToolCall } from "../hosts/host.ts";
import { decodeEvent } from "../hosts/registry.ts";
import { readStdin, writeStdout } from "../io.ts";
import { reportError } from "../report.ts";
import { readSetup } from "../setup.ts";

/** An event holds its payload escaped, which at most doubles plain text, and other fields beside it. */
const EVENT_MAX_BYTES = 2 * PAYLOAD_MAX_BYTES + 1024 * 1024;

/** Answers one event. Takes no arguments; a wrong one is reported and the result left alone. Never throws. */
export function hook(args: readonly string[], env: Env): void {
  try {
    const answer = answerEvent(args, env);
    if (answer !== undefined) writeStdout(answer);
  } catch (error) {
    failOpen(env, "internal", `the event could not be treated (${messageOf(error)})`, "run isthmos doctor");
  }
}

function answerEvent(args: readonly string[], env: Env): Uint8Array | undefined {
  const startedAt = performance.now();
  const { bytes, more } = readStdin(EVENT_MAX_BYTES);
  if (args.length > 0) {
    return failOpen(env, "usage", `hook takes no argument ${args[0]}`, "write isthmos hook in the settings");
  }
  if (more) return failOpen(env, "input_too_large", `the event is larger than ${EVENT_MAX_BYTES} bytes`);
  const decoded = decodeEvent(bytes);
  if (decoded === undefined) {
    return failOpen(env, "input_invalid", "stdin is no event of a known host", "see docs/integrations.md");
  }
  const { host, event } = decoded;
  const setup = readSetup(env);
  const context: Context = { setup, host: host.name, startedAt };
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
    case "ignored":
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
    return failOpen(context.setup.env, "encode_failed", `no answer could be made (${messageOf(error)})`);
  }
}

/** Says on stderr and in the health record why the result stays as it was. */
function failOpen(env: Env, code: HealthCode, reason: string, hint?: string): undefined {
  reportError(`${reason}; the result is left as it was`, hint);
  recordHealth(env.stateDir.value, code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
