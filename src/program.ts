// SPDX-License-Identifier: Apache-2.0
// The command tree, and its exit codes. One file a command in program/; each action imports its command when it is
// chosen.
import { Command, CommanderError } from "commander";
import { normaliseFlags } from "./argv.ts";
import type { Env } from "./env.ts";
import type { Io } from "./io.ts";
import { addCompletion } from "./program/completion.ts";
import { addDoctor } from "./program/doctor.ts";
import { addInit } from "./program/init.ts";
import { addMcp } from "./program/mcp.ts";
import { addPayloadCommands } from "./program/payload.ts";
import { addReveal } from "./program/reveal.ts";
import { addSettingsCommands } from "./program/settings.ts";
import type { Shell } from "./program/shell.ts";
import { addStats } from "./program/stats.ts";
import { addStore } from "./program/store.ts";
import { reportError } from "./report.ts";
import { VERSION } from "./version.ts";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Runs the command that `argv` (without program and script) names; answers the exit code: 0, 1 failed, 2 usage. */
export async function runProgram(argv: readonly string[], env: Env, io: Io): Promise<number> {
  let code = OK;
  const done = (result: number) => {
    code = result;
  };
  try {
    await buildProgram({ env, io, done }).parseAsync(normaliseFlags(argv), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error);
    reportError(error instanceof Error ? error.message : String(error), "run isthmos doctor");
    return FAILED;
  }
}

/** The whole tree, in the order of the help. */
function buildProgram(shell: Shell): Command {
  const { io } = shell;
  const program = new Command("isthmos")
    .description("Makes the tool output of coding agents smaller before the model first reads it.")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: () => {} })
    .showSuggestionAfterError(true);
  addInit(program, shell);
  addPayloadCommands(program);
  addReveal(program, shell);
  addStats(program, shell);
  addStore(program, shell);
  addDoctor(program, shell);
  addMcp(program, shell);
  addSettingsCommands(program, shell);
  addCompletion(program, shell);
  program
    .command("version")
    .description("print the version")
    .action(() => io.stdout(`${VERSION}\n`));
  return program;
}

// Help and version are no errors; commander has printed them already.
function reportUsage(error: CommanderError): number {
  if (error.exitCode === 0) return OK;
  const message = error.code === "commander.help" ? "a command is missing" : error.message;
  reportError(
    message
      .replace(/^error: /, "")
      .replace(/\n/g, " ")
      .replace(/\.$/, ""),
    "run isthmos --help",
  );
  return USAGE;
}
