// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import type { JsonOption, Shell } from "./shell.ts";

interface DoctorOptions extends JsonOption {
  readonly fix?: boolean;
}

export function addDoctor(program: Command, { env, io, done }: Shell): void {
  program
    .command("doctor")
    .description(
      "try what is wired, and check rules, store, log and hooks; exit code 1 if something is broken",
    )
    .option("--json", "answer as JSON")
    .option("--fix", "mend what is safe to mend, and say what was done")
    .action(async ({ json = false, fix = false }: DoctorOptions) => {
      done(await (await import("../commands/doctor.ts")).run({ json, fix }, env, io));
    });
}
