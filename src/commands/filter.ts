// SPDX-License-Identifier: Apache-2.0
// `isthmos filter -tool NAME`: a tool's output on stdin, the smaller one on stdout. Whatever fails, the output is
// copied as it came, and the exit code is 0: a pipe must not break.
import { applyResult, type Context, measureResult, PAYLOAD_MAX_BYTES } from "../apply.ts";
import { normaliseFlags } from "../argv.ts";
import { applySplices } from "../core/splice.ts";
import type { Env } from "../env.ts";
import { type HealthCode, recordHealth } from "../health.ts";
import type { ToolCall } from "../hosts/host.ts";
import { isOwnTool } from "../hosts/registry.ts";
import { copyRest, readStdin, writeStdout } from "../io.ts";
import { reportError } from "../report.ts";
import { readSetup } from "../setup.ts";

/** Filters stdin to stdout. Never throws. */
export function filter(args: readonly string[], env: Env): void {
  const startedAt = performance.now();
  const { bytes, more } = readStdin(PAYLOAD_MAX_BYTES);
  if (more) {
    failOpen(env, "input_too_large", `the output is larger than ${PAYLOAD_MAX_BYTES} bytes`);
    if (writeStdout(bytes)) copyRest();
    return;
  }
  let out = bytes;
  try {
    out = filterBytes(args, bytes, env, startedAt);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    failOpen(env, "internal", `the output could not be treated (${reason})`, "run isthmos doctor");
  }
  writeStdout(out);
}

function filterBytes(args: readonly string[], bytes: Uint8Array, env: Env, startedAt: number): Uint8Array {
  const tool = parseTool(args);
  if (tool === undefined) {
    failOpen(env, "usage", `filter does not take ${args.join(" ")}`, "write isthmos filter -tool NAME");
    return bytes;
  }
  const call: ToolCall = {
    tool,
    regions: [{ bytes, cut: "any", content: "text" }],
    spilled: false,
    own: isOwnTool(tool),
  };
  const context: Context = { setup: readSetup(env), startedAt };
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

function failOpen(env: Env, code: HealthCode, reason: string, hint?: string): void {
  reportError(`${reason}; it is copied as it came`, hint);
  recordHealth(env.stateDir.value, code);
}
