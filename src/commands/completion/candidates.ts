// SPDX-License-Identifier: Apache-2.0
// What may stand where the cursor is. Walks the command line along the tree as commander would; words that fit
// nothing are taken for arguments.
import { normaliseFlags } from "../../argv.ts";
import type { CommandInfo, OptionInfo, ValueInfo } from "./tree.ts";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface Candidates {
  readonly words: readonly Candidate[];
  /** What the shell itself can list. */
  readonly paths: "files" | "folders" | undefined;
  /** What of the current word stands before the candidates, as in `--file=`. */
  readonly before: string;
}

/** Where the words before the cursor lead. */
interface Place {
  readonly command: CommandInfo;
  /** Arguments of it that are there already. */
  readonly args: number;
  /** The option whose value comes next. */
  readonly pending: OptionInfo | undefined;
  /** True after `--`: no more options. */
  readonly ended: boolean;
}

/**
 * The candidates for the last of `words`, which is empty where nothing is typed yet; the words before it are those
 * after the program's name. `listTools` names tools, asked only where one is wanted.
 */
export function findCandidates(
  root: CommandInfo,
  words: readonly string[],
  listTools: () => readonly string[],
): Candidates {
  const place = findPlace(root, words.slice(0, -1));
  const current = words.at(-1) ?? "";
  if (place.pending?.value !== undefined) return listValues(place.pending.value, current, "", listTools);
  if (current.startsWith("-") && !place.ended) {
    const equals = current.indexOf("=");
    if (equals < 0) return listOptions(place.command, current);
    const value = findOption(place.command, current.slice(0, equals))?.value;
    const before = current.slice(0, equals + 1);
    if (value === undefined) return { words: [], paths: undefined, before };
    return listValues(value, current.slice(equals + 1), before, listTools);
  }
  const { args, commands } = place.command;
  if (place.args === 0 && commands.length > 0) {
    return select(
      commands.map(({ name, description }) => ({ value: name, description })),
      current,
    );
  }
  const last = args.at(-1);
  const argument = args[place.args] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return select([], current);
  return listValues(argument, current, "", listTools);
}

function findPlace(root: CommandInfo, words: readonly string[]): Place {
  let place: Place = { command: root, args: 0, pending: undefined, ended: false };
  for (const word of words) {
    if (place.pending !== undefined) {
      place = { ...place, pending: undefined };
    } else if (word === "--" && !place.ended) {
      place = { ...place, ended: true };
    } else if (word.startsWith("-") && !place.ended) {
      const option = word.includes("=") ? undefined : findOption(place.command, word);
      place = { ...place, pending: option?.value === undefined ? undefined : option };
    } else {
      const { command, args } = place;
      const next = args === 0 ? command.commands.find(({ name }) => name === word) : undefined;
      place = next === undefined ? { ...place, args: args + 1 } : { ...place, command: next };
    }
  }
  return place;
}

function findOption(command: CommandInfo, word: string): OptionInfo | undefined {
  const [name] = normaliseFlags([word]);
  return command.options.find((option) => option.name === name);
}

// Offered with as many dashes as were typed: Go's way of one dash works everywhere.
function listOptions(command: CommandInfo, current: string): Candidates {
  const dashes = /^-[a-z]/.test(current) ? 1 : 0;
  const options = command.options.map(({ name, description }) => ({
    value: name.slice(dashes),
    description,
  }));
  return select(options, current);
}

function listValues(
  value: ValueInfo,
  current: string,
  before: string,
  listTools: () => readonly string[],
): Candidates {
  if (value.kind === "files" || value.kind === "folders") return { words: [], paths: value.kind, before };
  const values = value.kind === "tools" ? listTools() : value.choices;
  return {
    ...select(
      values.map((text) => ({ value: text, description: "" })),
      current,
    ),
    before,
  };
}

function select(candidates: readonly Candidate[], current: string): Candidates {
  const words = candidates.filter(({ value }) => value.startsWith(current));
  return { words, paths: undefined, before: "" };
}
