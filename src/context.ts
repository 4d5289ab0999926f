// SPDX-License-Identifier: Apache-2.0
// What one event is worked on with, its bounds, and where a failure goes.
import type { Env } from "./env.ts";
import { type Failure, failOpen } from "./fail-open.ts";
import type { ToolCall } from "./hosts/host.ts";
import { monotonicMs } from "./io.ts";
import { readSetup, type Setup } from "./setup.ts";

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

/** Bytes of the call's texts. */
export function totalBytes(call: ToolCall): number {
  return call.regions.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** True, and on record, if the time for the event ran out. */
export function isOverBudget(call: ToolCall, context: Context): boolean {
  const budget = context.setup.env.budgetMs.value;
  if (monotonicMs() - context.startedAt <= budget) return false;
  fail(call, context, { code: "budget", reason: `the time budget of ${budget} ms ran out` });
  return true;
}

/** Puts on record why a call's result stays as it is. */
export function fail(call: ToolCall, { setup, host }: Context, failure: Failure): void {
  failOpen(setup.store.stateDir, { ...failure, ...(host !== undefined && { host }), tool: call.tool });
}
