// SPDX-License-Identifier: Apache-2.0

/** What a word on the command line stands for: an option's value, or an argument. */
export interface ValueInfo {
  /** As the help names it, such as `path`. */
  readonly placeholder: string;
  /** Where the values are found. */
  readonly kind: "files" | "folders" | "tools" | "choices";
  /** The values there are; empty where any text will do. */
  readonly choices: readonly string[];
}

export interface OptionInfo {
  /** `--since`, or the short form where there is no long one. */
  readonly name: string;
  readonly description: string;
  /** Undefined: a flag. */
  readonly value: ValueInfo | undefined;
}

export interface ArgumentInfo extends ValueInfo {
  readonly description: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

/** A command of the tree as data: for completion and the manual page. Hidden ones are left out. */
export interface CommandInfo {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionInfo[];
  readonly args: readonly ArgumentInfo[];
  readonly commands: readonly CommandInfo[];
}
