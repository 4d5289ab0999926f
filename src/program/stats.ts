// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import { type JsonOption, type Shell, toDuration } from "./shell.ts";

interface StatsOptions extends JsonOption {
  readonly since?: number;
  readonly file?: string;
  readonly share?: boolean;
}

export function addStats(program: Command, { env, io, done }: Shell): void {
  program
    .command("stats")
    .description("what was saved, per tool and in all")
    .option("--since <duration>", "only the last 168h, 7d, 30m, ...", toDuration)
    .option("--file <path>", "read this log instead")
    .option("--share", "a few lines to paste, without private names")
    .option("--json", "answer as JSON")
    .action(async (options: StatsOptions) => {
      done(await (await import("../commands/stats.ts")).run(options, env, io));
    });
}
