// SPDX-License-Identifier: Apache-2.0
// The command tree. Each action imports its command when it is chosen; `hook` and `filter` stand here for the
// help only, the entry runs them.
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { normaliseFlags, parseDuration, parseRange } from "./argv.ts";
import type { Env } from "./env.ts";
import type { Io } from "./io.ts";
import { reportError } from "./report.ts";
import { VERSION } from "./version.ts";

const OK = 0;
const FAILED = 1;
const USAGE = 2;

/** Runs the command that `argv` (without program and script) names; answers the exit code: 0, 1 failed, 2 usage. */
export async function runProgram(argv: readonly string[], env: Env, io: Io): Promise<number> {
  let code = OK;
  const program = buildProgram(env, io, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(normaliseFlags(argv), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return reportUsage(error);
    reportError(error instanceof Error ? error.message : String(error), "run isthmos doctor");
    return FAILED;
  }
}

function buildProgram(env: Env, io: Io, done: (code: number) => void): Command {
  const program = new Command("isthmos")
    .description("Makes the tool output of coding agents smaller before the model first reads it.")
    .version(VERSION, "--version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: io.stdout, writeErr: () => {} })
    .showSuggestionAfterError(true);

  program
    .command("hook")
    .description("answer a hook event of a coding agent: event on stdin, answer on stdout");
  program
    .command("filter")
    .description("make a tool's output smaller: stdin to stdout")
    .option("--tool <name>", "the tool's name, as the rules match it");
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
      done((await import("./commands/reveal.ts")).run({ id, part, json }, env, io));
    });
  program
    .command("stats")
    .description("what was saved, per tool and in all")
    .option("--since <duration>", "only the last 168h, 7d, 30m, ...", toDuration)
    .option("--file <path>", "read this log instead")
    .option("--share", "a few lines to paste, without private names")
    .option("--json", "answer as JSON")
    .action(async (options: StatsOptions) => {
      done(await (await import("./commands/stats.ts")).run(options, env, io));
    });
  program
    .command("doctor")
    .description("check rules, store, key, log and hook wiring; exit code 1 if something is broken")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done(await (await import("./commands/doctor.ts")).run({ json }, env, io));
    });
  program
    .command("rules")
    .description("work on the rules file")
    .command("check")
    .description("report what is wrong in a rules file, with line and column")
    .argument("[file]", "default: the rules file in use")
    .option("--json", "answer as JSON")
    .action(async (file: string | undefined, { json = false }: JsonOption) => {
      done(
        await (await import("./commands/rules-check.ts")).run(
          { ...(file !== undefined && { file }), json },
          env,
          io,
        ),
      );
    });
  program
    .command("config")
    .description("every setting and where it comes from")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done((await import("./commands/config.ts")).run({ json }, env, io));
    });
  program
    .command("version")
    .description("print the version")
    .action(() => io.stdout(`${VERSION}\n`));
  return program;
}

interface JsonOption {
  readonly json?: boolean;
}

interface RevealOptions extends JsonOption {
  readonly lines?: { from: number; to: number };
  readonly bytes?: { from: number; to: number };
  readonly items?: { from: number; to: number };
  readonly field?: string;
}

interface StatsOptions extends JsonOption {
  readonly since?: number;
  readonly file?: string;
  readonly share?: boolean;
}

function toRange(text: string): { from: number; to: number } {
  const range = parseRange(text);
  if (range === undefined) throw new InvalidArgumentError("a range is A:B with A not above B.");
  return range;
}

function toDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined)
    throw new InvalidArgumentError("a duration is a number and a unit, such as 168h, 7d or 30m.");
  return ms;
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
