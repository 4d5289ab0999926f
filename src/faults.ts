// SPDX-License-Identifier: Apache-2.0
// The seam of files.ts: a test makes the k-th file operation fail, or kills the process just before it.

export type FileOperation =
  | "mkdir"
  | "open"
  | "read"
  | "write"
  | "sync"
  | "link"
  | "rename"
  | "chmod"
  | "touch"
  | "list"
  | "stat"
  | "remove";

/** Called before each operation with its name and its number since the fault point was set, from 1. */
export type FaultPoint = (operation: FileOperation, count: number) => void;

let faultPoint: FaultPoint | undefined;
let operations = 0;

/** For tests only: sets or clears the fault point and starts counting anew. */
export function setFaultPoint(point: FaultPoint | undefined): void {
  faultPoint = point;
  operations = 0;
}

/** Marks the place just before an operation. */
export function at(operation: FileOperation): void {
  if (faultPoint !== undefined) faultPoint(operation, ++operations);
}

/** The errno code of a thrown value ("ENOSPC"), or undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** What `run` answers, or `missing` where it failed because there is no such file. */
export function orMissing<T, M>(missing: M, run: () => T): T | M {
  try {
    return run();
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

/** False where something of that name exists. */
export function createNew(create: () => void): boolean {
  try {
    create();
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
