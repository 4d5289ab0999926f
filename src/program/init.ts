// SPDX-License-Identifier: Apache-2.0
import { type Command, InvalidArgumentError } from "commander";
import type { Mode } from "../core/rules/settings.ts";
import { ROUTES, SCOPES } from "../hosts/installer.ts";
import { findInstaller, installers } from "../install/installers.ts";
import type { Shell } from "./shell.ts";

interface InitOptions {
  readonly shadow?: boolean;
  readonly live?: boolean;
  readonly scope?: (typeof SCOPES)[number];
  readonly route?: (typeof ROUTES)[number];
  readonly agent?: string;
  readonly matcher?: string;
  readonly dryRun?: boolean;
  readonly print?: boolean;
}

interface UninstallOptions {
  readonly scope?: (typeof SCOPES)[number];
  readonly agent?: string;
  readonly dryRun?: boolean;
  readonly purge?: boolean;
}

/** `init` and `uninstall`. */
export function addInit(program: Command, { env, io, done }: Shell): void {
  program
    .command("init")
    .description("wire isthmos into a coding agent; twice changes nothing")
    .option("--shadow", "measure only: set the mode in the rules file (on first use)")
    .option("--live", "change results: set the mode in the rules file")
    .option("--scope <scope>", `${SCOPES.join(", ")}; default: user`, toOneOf(SCOPES))
    .option(
      "--route <route>",
      `${ROUTES.join(", ")}: how hooks reach isthmos; default: auto`,
      toOneOf(ROUTES),
    )
    .option("--matcher <expression>", "for which tools, as the agent writes it")
    .option("--agent <name>", "the agent; default: claude-code", toAgent)
    .option("--dry-run", "show the differences, change nothing")
    .option("--print", "print the entry for another MCP client, change nothing")
    .action(async ({ shadow, live, agent, ...rest }: InitOptions, command: Command) => {
      if (shadow && live) command.error("error: give one of --shadow and --live");
      const mode: Mode | undefined = live ? "live" : shadow ? "shadow" : undefined;
      const installer = agent === undefined ? undefined : findInstaller(agent);
      const args = { ...rest, ...(mode && { mode }), ...(installer && { installer }) };
      done(await (await import("../commands/init.ts")).run(args, env, io));
    });
  program
    .command("uninstall")
    .description("take isthmos out again; files that nobody touched since are as before, byte for byte")
    .option("--scope <scope>", `only there: ${SCOPES.join(", ")}; default: everywhere`, toOneOf(SCOPES))
    .option("--agent <name>", "only this agent", toAgent)
    .option("--dry-run", "show the differences, change nothing")
    .option("--purge", "remove originals, key, log and all else that isthmos keeps, too")
    .action(async (options: UninstallOptions) => {
      done(await (await import("../commands/uninstall.ts")).run(options, env, io));
    });
}

function toOneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const found = names.find((name) => name === text);
    if (found === undefined) throw new InvalidArgumentError(`it is one of ${names.join(", ")}.`);
    return found;
  };
}

function toAgent(text: string): string {
  const names = installers.map(({ name }) => name);
  return toOneOf(names)(text);
}
