// SPDX-License-Identifier: Apache-2.0
// Diffs of this repository's own history, in the forms in which git gives them. Nothing is written.
import { execFileSync } from "node:child_process";
import { ROOT } from "../build/project.ts";
import type { DiffSource, RealDiff } from "./diffs.ts";

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

/** Of larger commits only the diffs of single files. */
const WHOLE_MAX_FILES = 25;

/** How a diff is asked for; all of them apply. */
const FORMS: readonly (readonly string[])[] = [
  ["diff"],
  ["diff", "-U1"],
  ["diff", "--function-context"],
  ["diff", "--patience", "--full-index", "--binary"],
  ["diff", "--minimal", "-U12"],
];

/** Diffs of single files, each commit's in turn, and one of each whole commit; none where there is no history. */
export function listHistory(wanted: number): DiffSource[] {
  const commits = git("log", "--no-merges", "--format=%H", "-n", "400")?.trim().split("\n") ?? [];
  const pairs = commits.filter(
    (commit) => git("rev-parse", "--verify", "--quiet", `${commit}^`) !== undefined,
  );
  const small = pairs.filter((commit) => namesIn(commit).length <= WHOLE_MAX_FILES);
  const sources: DiffSource[] = small.map(
    (commit) => () => makeDiff(commit, namesIn(commit), wholeCommit(commit)),
  );
  const perCommit = Math.ceil((2 * wanted) / Math.max(1, pairs.length));
  for (const commit of pairs) {
    for (const [i, name] of namesIn(commit).slice(0, perCommit).entries()) {
      const form = FORMS[i % FORMS.length] ?? ["diff"];
      sources.push(() => makeDiff(commit, [name], [...form, `${commit}^`, commit, "--", name]));
    }
  }
  return sources;
}

/** As mail, or as `git show` prints it. */
function wholeCommit(commit: string): string[] {
  return Number.parseInt(commit[0] ?? "0", 16) % 2 === 0
    ? ["format-patch", "--stdout", "-1", "--no-renames", "--binary", commit]
    : ["show", "--no-renames", "--binary", commit];
}

function namesIn(commit: string): string[] {
  return (git("diff", "--name-only", "--no-renames", `${commit}^`, commit) ?? "").split("\n").filter(Boolean);
}

function makeDiff(commit: string, names: readonly string[], args: readonly string[]): RealDiff | undefined {
  const diff = read(args);
  if (diff === undefined || diff.length === 0) return undefined;
  const files = new Map<string, Buffer>();
  for (const name of names) {
    const content = read(["cat-file", "blob", `${commit}^:${name}`]);
    if (content !== undefined) files.set(name, content);
  }
  return { name: `${commit.slice(0, 7)} ${names.length === 1 ? names[0] : "whole"}`, diff, files };
}

function git(...args: string[]): string | undefined {
  return read(args)?.toString();
}

function read(args: readonly string[]): Buffer | undefined {
  try {
    return execFileSync("git", ["-c", "core.quotePath=false", ...args], {
      cwd: ROOT,
      maxBuffer: OUTPUT_MAX_BYTES,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}
