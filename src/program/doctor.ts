// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import type { JsonOption, Shell } from "./shell.ts";

export function addDoctor(program: Command, { env, io, done }: Shell): void {
  program
    .command("doctor")
    .description("check rules, store, key, log and hook wiring; exit code 1 if something is broken")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done(await (await import("../commands/doctor.ts")).run({ json }, env, io));
    });
}
