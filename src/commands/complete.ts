// SPDX-License-Identifier: Apache-2.0
// `isthmos complete`: what the scripts of `isthmos completion` ask at every Tab. Wrong input gives no candidates.
import { parseGlob, STAR } from "../core/rules/glob-parse.ts";
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { cleanName } from "../report.ts";
import { loadRulesFile } from "../rules-file.ts";
import { type Candidate, findCandidates } from "./completion/candidates.ts";
import type { Shell } from "./completion/scripts.ts";
import type { CommandInfo } from "./completion/tree.ts";

export interface CompleteArgs {
  readonly shell: Shell;
  /** The words after the program's name, up to the cursor; the last is the one to complete. */
  readonly words: readonly string[];
  readonly tree: CommandInfo;
}

/** Prints one candidate a line. Answers 0. */
export function run({ shell, words, tree }: CompleteArgs, env: Env, io: Io): number {
  const typed = shell === "bash" ? joinAssignments(words) : words;
  const found = findCandidates(tree, typed, () => listTools(env));
  // Only fish replaces the whole word, what stands before the `=` included.
  const before = shell === "fish" ? found.before : "";
  const lines = found.words.map(({ value, description }: Candidate) => `${before}${value}\t${description}\n`);
  io.stdout([...lines, ...(found.paths === undefined ? [] : [`:${found.paths}\n`])].join(""));
  return 0;
}

/** `--file`, `=`, `x`, as bash splits it, → `--file=x`. */
function joinAssignments(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [i, word] of words.entries()) {
    const previous = joined.at(-1);
    const follows = word === "=" || words[i - 1] === "=";
    if (follows && previous?.startsWith("-")) joined[joined.length - 1] = previous + word;
    else joined.push(word);
  }
  return joined;
}

/** Names that the rules' patterns spell: those without wildcards, and what stands before a last star. */
function listTools(env: Env): string[] {
  const names = loadRulesFile(env.rulesFile.value).settings.rules.flatMap(({ tool }) => {
    const glob = parseGlob(tool);
    return "problem" in glob ? [] : glob.alternatives.map(spellOut);
  });
  return [...new Set(names)].filter((name) => name !== "" && cleanName(name) === name).sort();
}

function spellOut(tokens: readonly { readonly literal: string | undefined }[]): string {
  const fixed = tokens.at(-1) === STAR ? tokens.slice(0, -1) : tokens;
  return fixed.every(({ literal }) => literal !== undefined)
    ? fixed.map(({ literal }) => literal).join("")
    : "";
}
