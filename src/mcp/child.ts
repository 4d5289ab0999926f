// SPDX-License-Identifier: Apache-2.0
// Large events go to a process of their own, `isthmos hook`, so that the memory they take goes back with it. A few
// at once; the others wait, and what cannot be had in time is no answer.
import { spawn } from "node:child_process";

/** Two on the two cores that a small machine has. */
const CHILDREN_MAX = 2;
/** Events that wait are held in memory; more than this at once is refused. */
const WAITING_MAX_BYTES = 128 * 1024 * 1024;
/** An answer is smaller than its event. */
const ANSWER_MAX_BYTES = 80 * 1024 * 1024;

export interface Children {
  /**
   * What `command` prints for an event of about `size` bytes on its stdin. The event is made while the process starts.
   * Rejects with a ChildError, at the latest at the time-out.
   */
  run(size: number, makeEvent: () => Uint8Array): Promise<Uint8Array>;
  /** Ends those that run. */
  kill(): void;
}

export class ChildError extends Error {
  readonly timedOut: boolean;

  constructor(message: string, timedOut = false) {
    super(message);
    this.timedOut = timedOut;
  }
}

/** `command`: program and arguments; `timeoutMs` holds for each event, waiting included. */
export function createChildren(command: readonly [string, ...string[]], timeoutMs: number): Children {
  const running = new Set<{ kill(): void }>();
  const waiting: (() => void)[] = [];
  let waitingBytes = 0;

  const next = () => {
    if (running.size < CHILDREN_MAX) waiting.shift()?.();
  };

  function start(makeEvent: () => Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const [program, ...args] = command;
      // Its stderr is ours: the one-line voice.
      const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
      const entry = { kill: () => void child.kill("SIGKILL") };
      const chunks: Buffer[] = [];
      let length = 0;
      const settle = (error?: unknown) => {
        signal.removeEventListener("abort", onAbort);
        entry.kill();
        running.delete(entry);
        if (error === undefined) resolve(Buffer.concat(chunks, length));
        else reject(error);
        next();
      };
      const onAbort = () => settle(timedOut());
      running.add(entry);
      signal.addEventListener("abort", onAbort);
      child.on("error", (error) => settle(new ChildError(error.message)));
      child.on("close", (code) => settle(code === 0 ? undefined : new ChildError(`it ended with ${code}`)));
      // A child that needs no more of the event may close its end.
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > ANSWER_MAX_BYTES) settle(new ChildError("its answer is too large"));
      });
      try {
        child.stdin.end(makeEvent());
      } catch (error) {
        settle(error);
      }
    });
  }

  return {
    run: async (size, makeEvent) => {
      const signal = AbortSignal.timeout(timeoutMs);
      if (running.size >= CHILDREN_MAX) {
        if (waitingBytes + size > WAITING_MAX_BYTES) throw new ChildError("too many wait");
        waitingBytes += size;
        try {
          await waitForTurn(waiting, signal);
        } finally {
          waitingBytes -= size;
        }
      }
      return start(makeEvent, signal);
    },
    kill: () => {
      for (const child of running) child.kill();
    },
  };
}

function waitForTurn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const onAbort = () => {
      waiting.splice(waiting.indexOf(turn), 1);
      reject(timedOut());
    };
    signal.addEventListener("abort", onAbort);
    waiting.push(turn);
  });
}

function timedOut(): ChildError {
  return new ChildError("it took too long", true);
}
