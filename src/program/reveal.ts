// SPDX-License-Identifier: Apache-2.0
import { type Command, InvalidArgumentError } from "commander";
import { checkRequest } from "../reveal/request.ts";
import { type JsonOption, type Shell, toRange } from "./shell.ts";

interface RevealOptions extends JsonOption {
  readonly lines?: { from: number; to: number };
  readonly bytes?: { from: number; to: number };
  readonly items?: { from: number; to: number };
  readonly field?: string;
  readonly search?: string;
  readonly regex?: boolean;
  readonly errors?: boolean;
  readonly context?: number;
  readonly maxBytes?: number;
  readonly maxMatches?: number;
}

export function addReveal(program: Command, { env, io, done }: Shell): void {
  program
    .command("reveal")
    .description("give an original back, the part of it that a marker names, or what a search finds in it")
    .argument("<id>", "the 16 hex digits of the marker, or the first 8 or more")
    .option("--lines <range>", "lines A:B, counted from 1, both included", toRange)
    .option("--bytes <range>", "bytes A:B, counted from 0, B not included", toRange)
    .option("--items <range>", "items A:B of an array, counted from 0, both included", toRange)
    .option("--field <pointer>", "JSON pointer of the field that all the others are of")
    .option("--search <text>", "only lines that hold this text, with their numbers")
    .option("--regex", "the search is a regular expression")
    .option("--errors", "only lines (of an array: items) that tell of a failure")
    .option("--context <n>", "lines around each; 0 for --search, 2 for --errors", toCount)
    .option("--max-matches <n>", "show so many; with --json 5, at most 20", toCount)
    .option("--max-bytes <n>", "with --json: bytes of a page; 8192, at most 65536", toCount)
    .option("--json", "answer as JSON, in pages, with a status")
    .action(async (id: string, { json = false, ...part }: RevealOptions, command: Command) => {
      const request = { id, ...part };
      const wrong = checkRequest(request);
      if (wrong?.status === "error") command.error(`error: ${wrong.reason}`);
      done((await import("../commands/reveal.ts")).run({ request, json }, env, io));
    });
}

/** A whole number. Throws commander's error for what is none. */
function toCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("it is a whole number.");
  return Number(text);
}
