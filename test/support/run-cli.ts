// SPDX-License-Identifier: Apache-2.0
// Runs the executable, $ISTHMOS_BIN or dist/isthmos, in a home of its own.
import { type SpawnSyncOptionsWithBufferEncoding, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The executable under test, absolute. */
export const EXECUTABLE = resolve(process.env.ISTHMOS_BIN ?? join(import.meta.dirname, "../../dist/isthmos"));

/** Without it end-to-end tests are skipped, except in CI, where that is a failure. */
export const EXECUTABLE_MISSING = !existsSync(EXECUTABLE) && !process.env.CI;

export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly input?: string | Uint8Array;
  /** The whole environment; default: HOME and nothing else. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly executable?: string;
}

export interface Home {
  readonly path: string;
  readonly stateDir: string;
  /** Runs the executable here; `hook` if no arguments are given. */
  run(options?: RunOptions): Run;
  /** Runs a shell script here, with the executable as `$0`: for what `spawn` cannot say, such as a closed stdin. */
  runShell(script: string, input?: string): Run;
  remove(): void;
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** A temporary home whose rules file holds `rules`. */
export function makeHome(rules: readonly object[] = []): Home {
  const path = mkdtempSync(join(tmpdir(), "isthmos home "));
  mkdirSync(join(path, ".config/isthmos"), { recursive: true });
  writeFileSync(join(path, ".config/isthmos/rules.json"), JSON.stringify({ rules }));
  const run: Home["run"] = ({ args = ["hook"], input = "", env, cwd = path, executable = EXECUTABLE } = {}) =>
    spawn(executable, args, { input, env: env ?? { HOME: path }, cwd });
  return {
    path,
    stateDir: join(path, ".local/state/isthmos"),
    run,
    runShell: (script, input = "") =>
      spawn("/bin/sh", ["-c", script, EXECUTABLE], {
        input,
        env: { HOME: path, PATH: "/usr/bin:/bin" },
        cwd: path,
      }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function spawn(file: string, args: readonly string[], options: SpawnSyncOptionsWithBufferEncoding): Run {
  const limits = { timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
  const { error, status, signal, stdout, stderr } = spawnSync(file, args, { ...options, ...limits });
  // The program need not read what it does not want.
  if (error !== undefined && !("code" in error && error.code === "EPIPE")) throw error;
  return { code: status, signal, stdout, stderr: stderr.toString() };
}
