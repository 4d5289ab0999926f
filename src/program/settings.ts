// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import type { JsonOption, Shell } from "./shell.ts";

/** `rules check` and `config`: what is set, and whether it is right. */
export function addSettingsCommands(program: Command, { env, io, done }: Shell): void {
  program
    .command("rules")
    .description("work on the rules file")
    .command("check")
    .description("report what is wrong in a rules file, with line and column")
    .argument("[file]", "default: the rules file in use")
    .option("--json", "answer as JSON")
    .action(async (file: string | undefined, { json = false }: JsonOption) => {
      const args = { ...(file !== undefined && { file }), json };
      done(await (await import("../commands/rules-check.ts")).run(args, env, io));
    });
  program
    .command("config")
    .description("every setting and where it comes from")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done((await import("../commands/config.ts")).run({ json }, env, io));
    });
}
