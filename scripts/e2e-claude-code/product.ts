// SPDX-License-Identifier: Apache-2.0
// The product's own commands, run in the home of a run.
import { spawnSync } from "node:child_process";

export interface Command {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder it is run in; left out: this process's. */
  readonly cwd?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const TIMEOUT_MS = 20_000;
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

/** Runs `isthmos` with `args`, in the home's environment. */
export function runIsthmos({ program, env, cwd }: Command, args: readonly string[], input = ""): Ran {
  const options = { env, cwd, input, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_MAX_BYTES };
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: "utf8" });
  return { code: status, stdout: stdout ?? "", stderr: error === undefined ? stderr : String(error) };
}
