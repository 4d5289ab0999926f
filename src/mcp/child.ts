// SPDX-License-Identifier: Apache-2.0
// Large calls go to a process of their own, so that the memory they take goes back with it. A few at once; the others
// wait, and what cannot be had in time is no answer.
import { spawn } from "node:child_process";

/** Two on the two cores that a small machine has. */
const CHILDREN_MAX = 2;
/** Calls that wait are held in memory; more than this at once is refused. */
const WAITING_MAX_BYTES = 128 * 1024 * 1024;
/** An answer is smaller than its call. */
const ANSWER_MAX_BYTES = 80 * 1024 * 1024;

/** A process that takes its input in pieces. */
export interface Child {
  write(part: Uint8Array): void;
  /** No more comes. What it printed; rejects with a ChildError, at the latest at the time-out. */
  end(): Promise<Uint8Array>;
  /** Nobody wants the answer any more. */
  kill(): void;
}

export interface Children {
  /** A process that starts now; undefined where as many run as may. */
  open(): Child | undefined;
  /** What a process prints for this input, as soon as one may start. Rejects with a ChildError. */
  run(input: Uint8Array): Promise<Uint8Array>;
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

/** `command`: program and arguments; `timeoutMs` holds for each call, waiting included. */
export function createChildren(command: readonly [string, ...string[]], timeoutMs: number): Children {
  const running = new Set<Child>();
  const waiting: (() => void)[] = [];
  let waitingBytes = 0;

  function open(signal: AbortSignal): Child {
    const child = startChild(command, signal, () => {
      running.delete(child);
      waiting.shift()?.();
    });
    running.add(child);
    return child;
  }

  return {
    open: () => (running.size < CHILDREN_MAX ? open(AbortSignal.timeout(timeoutMs)) : undefined),
    run: async (input) => {
      const signal = AbortSignal.timeout(timeoutMs);
      if (running.size >= CHILDREN_MAX) {
        if (waitingBytes + input.length > WAITING_MAX_BYTES) throw new ChildError("too many wait");
        waitingBytes += input.length;
        try {
          await waitForTurn(waiting, signal);
        } finally {
          waitingBytes -= input.length;
        }
      }
      const child = open(signal);
      child.write(input);
      return child.end();
    },
    kill: () => {
      for (const child of running) child.kill();
    },
  };
}

/** `ended` is called once, whatever way it ends. */
function startChild(
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
  ended: () => void,
): Child {
  // Its stderr is ours: the one-line voice.
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], windowsHide: true });
  const chunks: Buffer[] = [];
  let length = 0;
  let settle: (error?: ChildError) => void = () => {};
  const answer = new Promise<Uint8Array>((resolve, reject) => {
    let isSettled = false;
    settle = (error) => {
      if (isSettled) return;
      isSettled = true;
      signal.removeEventListener("abort", onAbort);
      child.kill("SIGKILL");
      if (error === undefined) resolve(Buffer.concat(chunks, length));
      else reject(error);
      ended();
    };
  });
  // Whoever waits hears of it; where nobody does, it is no error.
  answer.catch(() => {});
  const onAbort = () => settle(timedOut());
  signal.addEventListener("abort", onAbort);
  child.on("error", (error) => settle(new ChildError(error.message)));
  child.on("close", (code) => settle(code === 0 ? undefined : new ChildError(`it ended with ${code}`)));
  // A process that needs no more of its input may close its end.
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > ANSWER_MAX_BYTES) settle(new ChildError("its answer is too large"));
  });
  return {
    write: (part) => void child.stdin.write(part),
    end: () => {
      child.stdin.end();
      return answer;
    },
    kill: () => settle(new ChildError("it was ended")),
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
