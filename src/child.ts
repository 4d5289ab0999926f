// SPDX-License-Identifier: Apache-2.0
// Other programs: run with an input to their end, within a time and a size, and never left behind. For commands that
// a person waits for; the hook starts nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { errorCode } from "./faults.ts";
import { monotonicMs } from "./io.ts";

export interface ChildOptions {
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
}

/** How a program ended. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** Of the program; undefined where it did not start or a signal ended it. */
  readonly exitCode?: number;
  /** From its start to the end of its output. */
  readonly ms: number;
  /** Why it did not come to an end of its own: an errno code, `timeout`, or `signal`. */
  readonly failure?: string;
  /** It ended, but something that it started keeps its output open. */
  readonly isHeld: boolean;
}

/** What is kept of each output. */
const OUTPUT_MAX_BYTES = 1024 * 1024;
/** How long an output may stay open after the program's end: its last bytes are on their way. */
const HELD_MS = 250;

/** Runs `words` without a shell. Never throws and never rejects: what goes wrong is in the answer. */
export function runChild(
  words: readonly [string, ...string[]],
  { cwd, env, input = "", timeoutMs }: ChildOptions,
): Promise<Ran> {
  const startedAt = monotonicMs();
  const stdout = new Output();
  const stderr = new Output();
  return new Promise((resolve) => {
    let isHeld = false;
    let timer: NodeJS.Timeout | undefined;
    const done = (how: { readonly exitCode?: number; readonly failure?: string }) => {
      clearTimeout(timer);
      resolve({
        stdout: stdout.text(),
        stderr: stderr.text(),
        ms: monotonicMs() - startedAt,
        isHeld,
        ...how,
      });
    };
    const child = startChild(words, { cwd, env }, (error) =>
      done({ failure: errorCode(error) ?? "cannot be started" }),
    );
    if (child === undefined) return;
    child.stdout?.on("data", (chunk: Uint8Array) => stdout.add(chunk));
    child.stderr?.on("data", (chunk: Uint8Array) => stderr.add(chunk));
    timer = setTimeout(() => {
      killGroup(child);
      done({ failure: "timeout" });
    }, timeoutMs);
    child.on("exit", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isHeld = true;
        killGroup(child);
        finish();
      }, HELD_MS);
    });
    const finish = () => done(child.exitCode === null ? { failure: "signal" } : { exitCode: child.exitCode });
    child.on("close", finish);
    child.stdin?.end(input);
  });
}

/**
 * Starts `words` in a process group of their own, all three streams as pipes; undefined, and `onError` called, where
 * that fails at once. `onError` is also called when it fails later.
 */
export function startChild(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env }: Pick<ChildOptions, "cwd" | "env">,
  onError: (error: unknown) => void,
): ChildProcess | undefined {
  try {
    // Not `...(cwd)`: an undefined one means the folder of this process.
    const child = spawn(file, args, { cwd, env, stdio: "pipe", detached: true, windowsHide: true });
    child.on("error", onError);
    // A program that ends without reading its input is no fault of the pipe.
    child.stdin?.on("error", () => {});
    return child;
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** Ends a program of `startChild` with all that it started. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // No such group any more, or a platform without groups.
    child.kill("SIGKILL");
  }
  for (const stream of [child.stdout, child.stderr, child.stdin]) stream?.destroy();
}

class Output {
  #chunks: Uint8Array[] = [];
  #length = 0;

  add(chunk: Uint8Array): void {
    if (this.#length < OUTPUT_MAX_BYTES) this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
