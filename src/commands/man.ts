// SPDX-License-Identifier: Apache-2.0
// `isthmos man`: the manual page, made of the command tree, in the macros that every `man` reads. No date, so that
// equal versions give equal pages.
import type { Io } from "../io.ts";
import { VERSION } from "../version.ts";
import type { ArgumentInfo, CommandInfo, OptionInfo } from "./completion/tree.ts";

const DESCRIPTION = [
  "isthmos makes the results of a coding agent's tools smaller before the model first reads them, by rules that you write. " +
    "It keeps each original, encrypted, on this machine, and leaves a marker that says how to get it back.",
  "Long options may have one dash. Without a command it reads a hook event, or shows the help on a terminal.",
];

const EXIT_STATUS: readonly (readonly [code: string, meaning: string])[] = [
  ["0", "Done. hook and filter always exit with 0: where anything fails, the original passes."],
  ["1", "It failed: something is broken, an id gives nothing back, a file cannot be read."],
  ["2", "Wrong use."],
];

const FILES: readonly (readonly [path: string, meaning: string])[] = [
  ["~/.config/isthmos/rules.json", "The rules."],
  ["~/.local/state/isthmos/", "The originals, the measurement log, the health record."],
  ["~/.local/share/isthmos/store.key", "The key of the originals."],
];

/** Prints the page as roff. Answers 0. */
export function run({ tree }: { readonly tree: CommandInfo }, io: Io): number {
  const lines = [
    `.TH ISTHMOS 1 "" "isthmos ${toRoff(VERSION)}" "User Commands"`,
    ".SH NAME",
    `isthmos \\- ${toRoff(trimStop(tree.description))}`,
    ".SH SYNOPSIS",
    ".B isthmos",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    ...DESCRIPTION.flatMap((paragraph, i) => [...(i === 0 ? [] : [".PP"]), toRoff(paragraph)]),
    ".SH OPTIONS",
    ...tree.options.flatMap(formatOption),
    ".SH COMMANDS",
    ...listLeaves(tree, ["isthmos"]).flatMap(({ path, command }) => formatCommand(path, command)),
    ".SH EXIT STATUS",
    ...EXIT_STATUS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, toRoff(meaning)]),
    ".SH FILES",
    ...FILES.flatMap(([path, meaning]) => [".TP", `.I ${toRoff(path)}`, toRoff(meaning)]),
    ".PP",
    "Every setting, with the variable that changes it:",
    ".B isthmos config",
  ];
  io.stdout(`${lines.join("\n")}\n`);
  return 0;
}

/** Commands that do something, with the words that call them. */
function listLeaves(
  command: CommandInfo,
  path: readonly string[],
): { path: string[]; command: CommandInfo }[] {
  return command.commands.flatMap((child) => {
    if (child.name === "help") return [];
    const words = [...path, child.name];
    return child.commands.length > 0 ? listLeaves(child, words) : [{ path: words, command: child }];
  });
}

function formatCommand(path: readonly string[], { description, args, options }: CommandInfo): string[] {
  const named = args.map(formatArgument).join(" ");
  const explained = args.filter((argument) => argument.description !== "");
  return [
    `.SS ${toRoff(path.join(" "))} ${named}`.trimEnd(),
    `${toRoff(capitalise(description))}.`,
    ...explained.flatMap((argument) => [".TP", formatArgument(argument), toRoff(argument.description)]),
    // Every command has the option --help.
    ...options.filter(({ name }) => name !== "--help").flatMap(formatOption),
  ];
}

function formatArgument({ placeholder, required, variadic }: ArgumentInfo): string {
  const name = `\\fI${toRoff(placeholder)}\\fR${variadic ? " ..." : ""}`;
  return required ? name : `[${name}]`;
}

function formatOption({ name, description, value }: OptionInfo): string[] {
  const argument = value === undefined ? "" : ` \\fI${toRoff(value.placeholder)}\\fR`;
  return [".TP", `\\fB${toRoff(name)}\\fR${argument}`, toRoff(description)];
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function trimStop(text: string): string {
  return text.replace(/\.$/, "");
}

// A hyphen that people may copy is written \-; a line that begins with a dot or an apostrophe would be a macro.
function toRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");
}
