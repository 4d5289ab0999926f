// SPDX-License-Identifier: Apache-2.0
import { InvalidArgumentError } from "commander";
import { parseDuration, parseRange } from "../argv.ts";
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";

/** What every action of the tree works with. */
export interface Shell {
  readonly env: Env;
  readonly io: Io;
  /** Takes the exit code of the command that ran. */
  done(code: number): void;
}

export interface JsonOption {
  readonly json?: boolean;
}

/** For `--lines`, `--bytes` and `--items`. Throws commander's error for what is no range. */
export function toRange(text: string): { from: number; to: number } {
  const range = parseRange(text);
  if (range === undefined) throw new InvalidArgumentError("a range is A:B with A not above B.");
  return range;
}

/** A duration in ms. Throws commander's error for what is none. */
export function toDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError("a duration is a number and a unit, such as 168h, 7d or 30m.");
  return ms;
}
