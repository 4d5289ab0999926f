// SPDX-License-Identifier: Apache-2.0
// What a server needs of its process: the two streams, its end, and an ear for what nobody caught.
import type { Readable, Writable } from "node:stream";

export interface ServerProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly pid: number;
  /** Resident memory, bytes. */
  rss(): number;
  /** Keeps what was allocated last in the few megabytes it has at the start: a server lives long and works little. */
  limitMemory(): void;
  /** Errors that nobody caught and rejections that nobody handled go to `hear`; the process lives on. */
  onUncaught(hear: (error: unknown) => void): void;
  /** Someone wants the process to end. */
  onSignal(end: () => void): void;
  exit(code: number): never;
}

const END_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** This process as a server. */
export function serverProcess(): ServerProcess {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    pid: process.pid,
    rss: () => process.memoryUsage.rss(),
    // Its young generation would grow eightfold, and never shrink, in bursts of work.
    limitMemory: () => process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1"),
    onUncaught: (hear) => {
      process.on("uncaughtException", hear);
      process.on("unhandledRejection", hear);
    },
    onSignal: (end) => {
      for (const signal of END_SIGNALS) process.on(signal, end);
    },
    exit: (code) => process.exit(code),
  };
}
