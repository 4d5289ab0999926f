// SPDX-License-Identifier: Apache-2.0
// `isthmos filter -tool NAME`: a tool's output on stdin, the smaller one on stdout. Whatever fails, the output is
// copied as it came, and the exit code is 0: a pipe must not break.
import { applyResult, measureResult, openContext, PAYLOAD_MAX_BYTES } from "../apply.ts";
import { normaliseFlags } from "../argv.ts";
import { applySplices } from "../core/splice.ts";
import type { Env } from "../env.ts";
import { failOpen, messageOf } from "../fail-open.ts";
import type { ToolCall } from "../hosts/host.ts";
import { isOwnTool } from "../hosts/registry.ts";
import { copyRest, monotonicMs, readStdin, writeStdout } from "../io.ts";

/** Filters stdin to stdout. Never throws. */
export function filter(args: readonly string[], env: Env): void {
  const { bytes, more, problem } = readStdin(PAYLOAD_MAX_BYTES);
  // The time that the tool takes to write is not ours.
  const startedAt = monotonicMs();
  if (more) {
    const reason = `the output is larger than ${PAYLOAD_MAX_BYTES} bytes`;
    failOpen(env.stateDir.value, { code: "input_too_large", reason });
    deliver(env, () => {
      if (writeStdout(bytes)) reportUnread(env, copyRest());
    });
    return;
  }
  if (problem !== undefined) {
    reportUnread(env, problem);
    // What came is no whole output: nothing is cut.
    deliver(env, () => void writeStdout(bytes));
    return;
  }
  let out = bytes;
  try {
    out = filterBytes(args, bytes, env, startedAt);
  } catch (error) {
    const reason = `the output could not be treated (${messageOf(error)})`;
    failOpen(env.stateDir.value, { code: "internal", reason, hint: "run isthmos doctor" });
  }
  deliver(env, () => void writeStdout(out));
}

function reportUnread(env: Env, problem: string | undefined): void {
  if (problem === undefined) return;
  failOpen(env.stateDir.value, {
    code: "input_unreadable",
    reason: `the output could not be read from stdin (${problem})`,
  });
}

/** Nothing can be done for an output that has nowhere to go, but to say so. */
function deliver(env: Env, write: () => void): void {
  try {
    write();
  } catch (error) {
    const reason = `the output could not be written (${messageOf(error)})`;
    failOpen(env.stateDir.value, { code: "output_failed", reason });
  }
}

function filterBytes(args: readonly string[], bytes: Uint8Array, env: Env, startedAt: number): Uint8Array {
  if (env.disabled.value) return bytes;
  const tool = parseTool(args);
  if (tool === undefined) {
    const reason = `filter does not take ${args.join(" ")}`;
    failOpen(env.stateDir.value, { code: "usage", reason, hint: "write isthmos filter -tool NAME" });
    return bytes;
  }
  const call: ToolCall = {
    tool,
    regions: [{ bytes, cut: "any", content: "text" }],
    spilled: false,
    own: isOwnTool(tool),
  };
  const context = openContext(env, undefined, startedAt);
  const outcome = applyResult(call, context);
  measureResult(call, outcome, context);
  const rewrite = outcome.rewrites?.[0];
  return rewrite === undefined ? bytes : applySplices(bytes, rewrite.splices, rewrite.id);
}

/** The tool's name, empty where no flag is given, undefined where the flags are none of ours. */
function parseTool(args: readonly string[]): string | undefined {
  const [flag, value, ...rest] = normaliseFlags(args);
  if (flag === undefined) return "";
  if (flag === "--tool" && value !== undefined && rest.length === 0) return value;
  if (flag.startsWith("--tool=") && value === undefined) return flag.slice("--tool=".length);
  return undefined;
}
