// SPDX-License-Identifier: Apache-2.0
// `isthmos hook`: an event of the host on stdin, an answer or nothing on stdout, exit code 0 whatever happens.
import { answerEvent, EVENT_MAX_BYTES } from "../answer.ts";
import type { Env } from "../env.ts";
import { type Failure, failOpen, messageOf } from "../fail-open.ts";
import { monotonicMs, readStdin, writeStdout } from "../io.ts";
import { readCall } from "../mcp/event.ts";

/** What the resident server starts for a large call: stdin is its MCP message as it came. */
const MCP_CALL = "--mcp-call";

/** Answers one event. Takes no arguments of people; a wrong one is reported and the result left alone. Never throws. */
export function hook(args: readonly string[], env: Env): void {
  let answer: Uint8Array | undefined;
  try {
    answer = answerStdin(args, env);
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

function answerStdin(args: readonly string[], env: Env): Uint8Array | undefined {
  const { bytes, more, problem } = readStdin(EVENT_MAX_BYTES);
  // The time that the host takes to write is not ours.
  const startedAt = monotonicMs();
  if (env.disabled.value) return undefined;
  const isCall = args.length === 1 && args[0] === MCP_CALL;
  if (args.length > 0 && !isCall) {
    const reason = `hook takes no argument ${args[0]}`;
    return refuse(env, { code: "usage", reason, hint: "write isthmos hook in the settings" });
  }
  if (more) {
    return refuse(env, {
      code: "input_too_large",
      reason: `the event is larger than ${EVENT_MAX_BYTES} bytes`,
    });
  }
  if (problem !== undefined) {
    const reason = `the event could not be read from stdin (${problem})`;
    return refuse(env, { code: "input_unreadable", reason });
  }
  return answerEvent(isCall ? (readCall(bytes) ?? bytes) : bytes, env, startedAt);
}

/** Nothing is answered. */
function refuse(env: Env, failure: Failure): undefined {
  failOpen(env.stateDir.value, failure);
}
