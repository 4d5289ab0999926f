// SPDX-License-Identifier: Apache-2.0
// The files a user writes beside the transcripts: which run is of which task, how runs ended, what was planned.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { isRecord, type Json } from "../e2e-claude-code/json.ts";
import { PROTOCOL } from "./protocol.ts";

/** Session or folder → task; null: that run is left out, and the report says so. */
export type Tasks = ReadonlyMap<string, string | null>;

/** For each set: session, folder or task → whether the task was done. */
export interface Outcomes {
  readonly off: ReadonlyMap<string, boolean>;
  readonly on: ReadonlyMap<string, boolean>;
}

export interface Plan {
  readonly tasks: readonly string[];
  /** Of each task in each set. */
  readonly runs: number;
  /** Of the file's bytes: two reports with the same have the same plan. */
  readonly sha256: string;
}

export function readTasks(path: string): Tasks {
  const entries = Object.entries(readObject(path).value).map(([key, task]) => {
    if (task !== null && (typeof task !== "string" || task === ""))
      throw new Error(`${path}: "${key}" must be the name of a task, or null`);
    return [key, task] as const;
  });
  return new Map(entries);
}

export function readOutcomes(path: string): Outcomes {
  const { value } = readObject(path);
  const readSet = (set: "off" | "on") => {
    const runs = value[set];
    if (!isRecord(runs)) throw new Error(`${path}: "${set}" must be an object of "pass" and "fail"`);
    const entries = Object.entries(runs).map(([key, outcome]) => {
      if (outcome !== "pass" && outcome !== "fail")
        throw new Error(`${path}: "${key}" in "${set}" must be "pass" or "fail"`);
      return [key, outcome === "pass"] as const;
    });
    return new Map(entries);
  };
  return { off: readSet("off"), on: readSet("on") };
}

export function readPlan(path: string): Plan {
  const { value, bytes } = readObject(path);
  const { protocol, tasks, runs } = value;
  if (protocol !== PROTOCOL.version)
    throw new Error(`${path}: "protocol" must be ${PROTOCOL.version}, the one that this scorer has`);
  if (!isTextList(tasks) || tasks.length === 0 || new Set(tasks).size < tasks.length)
    throw new Error(`${path}: "tasks" must be a list of names, each once`);
  if (typeof runs !== "number" || !Number.isSafeInteger(runs) || runs < 1)
    throw new Error(`${path}: "runs" must be a whole number from 1`);
  return { tasks, runs, sha256: createHash("sha256").update(bytes).digest("hex") };
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string" && entry !== "");
}

function readObject(path: string): { value: Json; bytes: Buffer } {
  const bytes = readFileSync(path);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isRecord(value)) throw new Error(`${path} must be a JSON object`);
  return { value, bytes };
}
