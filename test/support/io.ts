// SPDX-License-Identifier: Apache-2.0
import type { Io } from "../../src/io.ts";

export interface CapturedIo extends Io {
  /** What was written so far. */
  readonly written: () => string;
}

/** An Io that keeps what a command answers. */
export function captureIo(options: { isTerminal?: boolean; now?: Date } = {}): CapturedIo {
  const parts: Uint8Array[] = [];
  return {
    stdout: (data) => parts.push(typeof data === "string" ? Buffer.from(data) : data),
    isTerminal: options.isTerminal ?? false,
    now: options.now ?? new Date("2026-11-30T12:00:00Z"),
    written: () => Buffer.concat(parts).toString("utf8"),
  };
}
