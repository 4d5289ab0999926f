// SPDX-License-Identifier: Apache-2.0
// Every field of a rules file, once: the parser, the schema's test and the suggestions read these tables.
import { KEY_KINDS } from "./settings.ts";

/** What a field may hold. A glob is a pattern that `checkGlob` accepts; a count is a whole number. */
export type Field = { readonly name: string; readonly meaning: string } & (
  | { readonly kind: "glob" | "globs" | "flag" | "text" | "rules" | "store" }
  | { readonly kind: "count"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
);

/** Larger limits cut nothing: a payload is at most 32 MiB. */
const LIMIT_MAX = 2 ** 31;

const limit = { kind: "count", min: 0, max: LIMIT_MAX } as const;
const quota = { kind: "count", min: 1, max: LIMIT_MAX } as const;

export const RULE_FIELDS = [
  {
    name: "tool",
    kind: "glob",
    meaning: "Pattern of the tool's name: *, ?, [...] and {a,b}; case-sensitive. Required.",
  },
  {
    name: "drop_keys",
    kind: "globs",
    meaning: "Object keys to drop at any depth of a JSON result, exact or as patterns.",
  },
  {
    name: "max_items",
    ...limit,
    meaning: "Longer arrays keep this many items; failing items come on top. 0: no limit.",
  },
  {
    name: "max_lines",
    ...limit,
    meaning: "Longer text keeps this many lines; failing lines come on top. 0: no limit.",
  },
  {
    name: "keep_last",
    ...limit,
    meaning:
      "How many of the kept items or lines go to the end. Absent: a quarter of the lines, none of the items.",
  },
  {
    name: "max_str",
    ...limit,
    meaning:
      "Longer strings and single lines keep about this many bytes: head and a quarter as tail. 0: no limit.",
  },
  {
    name: "max_bytes",
    ...limit,
    meaning:
      "Of a larger result so many bytes are left, markers included, after the other limits. 0: no limit.",
  },
  {
    name: "head_bytes",
    ...quota,
    meaning: "How much of max_bytes goes to the start. Absent: half.",
  },
  {
    name: "tail_bytes",
    ...quota,
    meaning: "How much of max_bytes goes to the end. Absent: a quarter.",
  },
  {
    name: "profile",
    kind: "choice",
    choices: ["sutra"],
    meaning:
      "A preset: sutra is max_bytes 24576, head_bytes 12288, tail_bytes 6144 (of a traceback 4096 and 6144) and strip_ansi.",
  },
  {
    name: "dedup",
    kind: "flag",
    meaning: "Runs of three or more identical lines become one line and a count.",
  },
  {
    name: "min_bytes",
    ...limit,
    meaning: "The rule does nothing on results of fewer bytes.",
  },
  {
    name: "compact",
    kind: "flag",
    meaning: "Drops insignificant white space of a JSON result.",
  },
  {
    name: "strip_ansi",
    kind: "flag",
    meaning: "Drops colours, cursor movements and other escape sequences of a terminal.",
  },
  {
    name: "collapse_cr",
    kind: "flag",
    meaning: "Leaves what a terminal would show after carriage returns and backspaces.",
  },
  {
    name: "spilled",
    kind: "choice",
    choices: ["pass", "excerpt"],
    meaning:
      "A result that the host replaces by a preview and a file: left to the host, or given as an excerpt.",
  },
  { name: "pass", kind: "flag", meaning: "Nothing is changed for this tool, whatever other rules say." },
  { name: "why", kind: "text", meaning: "For people: the evidence for the rule." },
] as const satisfies readonly Field[];

export const STORE_FIELDS = [
  {
    name: "enabled",
    kind: "flag",
    meaning: "false: no original is kept, and so nothing is cut that could not be given back.",
  },
  { name: "ttl_hours", ...quota, meaning: "Hours that an original is kept. Default: 168." },
  {
    name: "max_bytes",
    kind: "count",
    min: 1,
    // A disk may hold more than 2 GiB of originals.
    max: Number.MAX_SAFE_INTEGER,
    meaning: "Bytes of all originals together. Default: 128 MiB.",
  },
  { name: "max_entries", ...quota, meaning: "Originals at a time. Default: 2000." },
  { name: "max_entry_bytes", ...quota, meaning: "Bytes of one original. Default: 32 MiB." },
  {
    name: "key",
    kind: "choice",
    choices: KEY_KINDS,
    meaning:
      "Where a new key is kept: in its file, in the keychain of the system, or sealed under ISTHMOS_PASSPHRASE.",
  },
] as const satisfies readonly Field[];

export const FILE_FIELDS = [
  { name: "$schema", kind: "text", meaning: "Where an editor finds the schema of this file." },
  {
    name: "mode",
    kind: "choice",
    choices: ["live", "shadow", "off"],
    meaning: "live: results are changed. shadow: only measured, nothing is changed or stored. off: neither.",
  },
  { name: "rules", kind: "rules", meaning: "What to make smaller, and how." },
  { name: "store", kind: "store", meaning: "How long and how much of the originals is kept." },
] as const satisfies readonly Field[];

export type RuleFieldName = (typeof RULE_FIELDS)[number]["name"];
export type StoreFieldName = (typeof STORE_FIELDS)[number]["name"];

/** What the field must be, in words that follow its name. */
export function describeExpected(field: Field): string {
  switch (field.kind) {
    case "glob":
    case "text":
      return "must be a string";
    case "globs":
      return "must be a list of strings";
    case "flag":
      return "must be true or false";
    case "rules":
      return "must be a list";
    case "store":
      return "must be an object";
    case "count":
      return `must be a whole number from ${field.min} to ${field.max}`;
    case "choice": {
      const quoted = field.choices.map((choice) => `"${choice}"`);
      const [only] = quoted;
      if (quoted.length === 1) return `must be ${only}`;
      return `must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
    }
  }
}
