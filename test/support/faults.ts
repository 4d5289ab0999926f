// SPDX-License-Identifier: Apache-2.0
import { type FileOperation, setFaultPoint } from "../../src/files.ts";

/** An error as the file system throws it. */
export function makeErrno(code: string): Error {
  return Object.assign(new Error(`${code}: made to fail`), { code });
}

/** Runs with the k-th file operation failing, or all from the k-th on; answers the one that failed, if it came so far. */
export function runWithFault(k: number, mode: "one" | "rest", run: () => void): FileOperation | undefined {
  let failed: FileOperation | undefined;
  setFaultPoint((operation, count) => {
    if (mode === "one" ? count !== k : count < k) return;
    failed ??= operation;
    throw makeErrno("EIO");
  });
  try {
    run();
  } finally {
    setFaultPoint(undefined);
  }
  return failed;
}

/** The file operations that `run` makes, in order. */
export function recordOperations(run: () => void): FileOperation[] {
  const seen: FileOperation[] = [];
  setFaultPoint((operation) => seen.push(operation));
  try {
    run();
  } finally {
    setFaultPoint(undefined);
  }
  return seen;
}
