// SPDX-License-Identifier: Apache-2.0
import { errorCode } from "../faults.ts";

/** What stopped `init` or `uninstall`: what failed and where, and the next step. */
export class InstallError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Another program wrote the file in the meantime. */
export class ChangedError extends InstallError {
  constructor(path: string) {
    super(`${path} was changed by another program at the same time`, "end that program, then try again");
  }
}

/** An error for people of what the file system said. */
export function explain(error: unknown, what: string): Error {
  // What is neither ours nor the file system's is a fault of the program.
  if (error instanceof Error && (error instanceof InstallError || errorCode(error) === undefined))
    return error;
  return new InstallError(`${what} (${errorCode(error) ?? String(error)})`, "mend that, then try again");
}
