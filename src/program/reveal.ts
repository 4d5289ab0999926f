// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import { type JsonOption, type Shell, toRange } from "./shell.ts";

interface RevealOptions extends JsonOption {
  readonly lines?: { from: number; to: number };
  readonly bytes?: { from: number; to: number };
  readonly items?: { from: number; to: number };
  readonly field?: string;
}

export function addReveal(program: Command, { env, io, done }: Shell): void {
  program
    .command("reveal")
    .description("give an original back, or the part of it that a marker names")
    .argument("<id>", "the 16 hex digits of the marker")
    .option("--lines <range>", "lines A:B, counted from 1, both included", toRange)
    .option("--bytes <range>", "bytes A:B, counted from 0, B not included", toRange)
    .option("--items <range>", "items A:B of an array, counted from 0, both included", toRange)
    .option("--field <pointer>", "JSON pointer of the field that lines, bytes or items are of")
    .option("--json", "answer as JSON, with a status")
    .action(async (id: string, { json = false, ...part }: RevealOptions, command: Command) => {
      if ([part.lines, part.bytes, part.items].filter(Boolean).length > 1) {
        command.error("error: give one of --lines, --bytes and --items");
      }
      done((await import("../commands/reveal.ts")).run({ id, part, json }, env, io));
    });
}
