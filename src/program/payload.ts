// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";

/** `hook` and `filter`: for the help only, the entry runs them. */
export function addPayloadCommands(program: Command): void {
  program
    .command("hook")
    .description("answer a hook event of a coding agent: event on stdin, answer on stdout");
  program
    .command("filter")
    .description("make a tool's output smaller: stdin to stdout")
    .option("--tool <name>", "the tool's name, as the rules match it");
}
