// SPDX-License-Identifier: Apache-2.0
import { type HealthCode, type HealthContext, recordHealth } from "./health.ts";
import { reportError } from "./report.ts";

/** Why an output stays as it came. */
export interface Failure extends HealthContext {
  readonly code: HealthCode;
  /** In words, without what happens next. */
  readonly reason: string;
  readonly hint?: string;
}

let failures = 0;

/** Fail open, never silent (C1): one line on stderr, one code in the health record. Never throws. */
export function failOpen(stateDir: string, { code, reason, hint, ...context }: Failure): void {
  failures++;
  reportError(`${reason}; the output is left as it came`, hint);
  recordHealth(stateDir, code, context);
}

/** How often this process failed open so far. */
export function countFailures(): number {
  return failures;
}

/** What a thrown value says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
