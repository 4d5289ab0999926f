// SPDX-License-Identifier: Apache-2.0
import { Argument, type Command, type Option } from "commander";
import { SHELLS, type Shell as ShellName } from "../commands/completion/scripts.ts";
import type { ArgumentInfo, CommandInfo, OptionInfo, ValueInfo } from "../commands/completion/tree.ts";
import { ROUTES, SCOPES } from "../hosts/installer.ts";
import { installers } from "../install/installers.ts";
import type { Shell } from "./shell.ts";

/** Values that an option checks by itself, so that the tree does not tell them. */
const CHECKED_VALUES: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["--scope", SCOPES],
  ["--route", ROUTES],
  ["--agent", installers.map(({ name }) => name)],
]);

/** `completion` and `man`, both made of the tree that they are part of, and what the completion scripts ask. */
export function addCompletion(program: Command, { env, io, done }: Shell): void {
  const shell = () => new Argument("<shell>", "whose script").choices(SHELLS);
  program
    .command("completion")
    .description("print the completion script of a shell")
    .addArgument(shell())
    .action(async (name: ShellName) => {
      done((await import("../commands/completion.ts")).run({ shell: name }, io));
    });
  program
    .command("man")
    .description("print the manual page, in roff")
    .action(async () => done((await import("../commands/man.ts")).run({ tree: describeTree(program) }, io)));
  program
    .command("complete", { hidden: true })
    .description("print what may stand at the cursor")
    .addArgument(shell())
    .argument("[words...]", "the command line up to the cursor, without the program")
    .action(async (name: ShellName, words: string[]) => {
      const args = { shell: name, words, tree: describeTree(program) };
      done((await import("../commands/complete.ts")).run(args, env, io));
    });
}

function describeTree(command: Command): CommandInfo {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    options: help.visibleOptions(command).map(describeOption),
    args: command.registeredArguments.map(describeArgument),
    commands: help.visibleCommands(command).map(describeTree),
  };
}

function describeOption(option: Option): OptionInfo {
  const { flags, long, short, description, required, optional, argChoices = [] } = option;
  const name = long ?? short ?? "";
  const [, placeholder = ""] = /[<[]([^>\]]*)[>\]]/.exec(flags) ?? [];
  const kind = name === "--tool" ? "tools" : kindOf(placeholder);
  const choices = CHECKED_VALUES.get(name) ?? listChoices(placeholder, argChoices);
  const value = { placeholder, kind, choices } as const;
  return { name, description, value: required || optional ? value : undefined };
}

function describeArgument(argument: Argument): ArgumentInfo {
  const { description, required, variadic, argChoices = [] } = argument;
  const placeholder = argument.name();
  const choices = listChoices(placeholder, argChoices);
  return { placeholder, kind: kindOf(placeholder), choices, description, required, variadic };
}

function kindOf(placeholder: string): ValueInfo["kind"] {
  if (placeholder === "path" || placeholder === "file") return "files";
  return placeholder === "folder" || placeholder === "dir" ? "folders" : "choices";
}

// `<user|project>` names its values, too.
function listChoices(placeholder: string, choices: readonly string[]): readonly string[] {
  return choices.length > 0 || !placeholder.includes("|") ? choices : placeholder.split("|");
}
