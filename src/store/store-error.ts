// SPDX-License-Identifier: Apache-2.0
import { errorCode } from "../files.ts";
import type { HealthCode } from "../health.ts";

/** Why something could not be stored, with the next step for the user. No payload, no name of a tool. */
export class StoreError extends Error {
  readonly code: HealthCode;
  readonly hint: string;

  constructor(code: HealthCode, message: string, hint: string) {
    super(message);
    this.name = "StoreError";
    this.code = code;
    this.hint = hint;
  }
}

/** The errno code of a failed file operation, or its message: what a reason says in brackets. */
export function describeError(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}
