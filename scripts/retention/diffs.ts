// SPDX-License-Identifier: Apache-2.0
// Real diffs: of this repository's history where there is one, and between the builds of one module in installed
// packages. After compression, alone and inside a longer log, `git apply --check` must still take each.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compress, type LoadedRules, parseRules, type Store } from "../../src/index.ts";
import { listHistory } from "./history.ts";
import { listPackageDiffs } from "./package-diffs.ts";
import { makeRandom } from "./random.ts";
import { isoTime, moduleName } from "./shape.ts";

export interface RealDiff {
  readonly name: string;
  readonly diff: Buffer;
  /** The files it applies to, by their path in it. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** One that is made when it is its turn; undefined where there is no difference, or none that applies as it is. */
export type DiffSource = () => RealDiff | undefined;

export interface DiffReport {
  readonly count: number;
  readonly sources: string;
  readonly alone: number;
  readonly inside: number;
  readonly problems: readonly string[];
}

/** Far stricter than any rule in use: nothing but what a diff is keeps it whole. */
const STRICT = {
  tool: "*",
  max_lines: 12,
  max_str: 80,
  max_bytes: 2048,
  dedup: true,
  strip_ansi: true,
  collapse_cr: true,
};
const LOG_LINES = 600;
const HEADER = Buffer.from("diff ");
const NEWLINE = 0x0a;

/** Checks `wanted` diffs in a folder of their own, half of them from the history where there is one. */
export function checkDiffs(
  wanted: number,
  dir: string,
  rules: LoadedRules["settings"],
  store: Store,
  { usesHistory = true } = {},
): DiffReport {
  const strict = parseRules(JSON.stringify({ rules: [STRICT] })).settings;
  mkdirSync(dir, { recursive: true });
  const history = take(usesHistory ? listHistory(wanted) : [], wanted >> 1, dir);
  const packages = take(listPackageDiffs(dir, wanted * 3), wanted - history.length, dir);
  const diffs = [...history, ...packages];
  const problems: string[] = [];
  let alone = 0;
  let inside = 0;
  for (const real of diffs) {
    // Git is asked once about the same bytes; it has taken the diff as it was made.
    const known: [diff: Uint8Array, applies: boolean][] = [[real.diff, true]];
    const stillApplies = (diff: Uint8Array | undefined): boolean => {
      if (diff === undefined) return false;
      const [, answer] = known.find(([other]) => Buffer.from(other).equals(diff)) ?? [];
      if (answer === undefined) known.push([diff, applies(diff, real, dir)]);
      return answer ?? known.at(-1)?.[1] === true;
    };
    const places = [rules, strict].map((limits) => ({
      alone: stillApplies(compress(real.diff, { tool: "Bash", rules: limits, store }).output),
      inside: stillApplies(extract(compressLog(real, limits, store), real)),
    }));
    if (places.every((place) => place.alone)) alone++;
    else problems.push(`the diff ${real.name} does not apply`);
    if (places.every((place) => place.inside)) inside++;
    else problems.push(`the diff ${real.name} does not apply out of a log`);
  }
  if (diffs.length < wanted) problems.push(`only ${diffs.length} of ${wanted} diffs could be made`);
  const sources = `${history.length} of this history, ${packages.length} of packages`;
  return { count: diffs.length, sources, alone, inside, problems };
}

/** Diffs that `git apply --check` takes as they are, until there are enough. */
function take(sources: readonly DiffSource[], wanted: number, dir: string): RealDiff[] {
  const diffs: RealDiff[] = [];
  for (const source of sources) {
    if (diffs.length >= wanted) break;
    const real = source();
    if (real !== undefined && applies(real.diff, real, dir)) diffs.push(real);
  }
  return diffs;
}

function applies(diff: Uint8Array, { files }: RealDiff, dir: string): boolean {
  const work = join(dir, "work");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  try {
    execFileSync("git", ["apply", "--check", "-"], {
      cwd: work,
      input: diff,
      stdio: ["pipe", "pipe", "pipe"],
      env: quietGit(dir),
    });
    return true;
  } catch {
    return false;
  }
}

/** Git without the settings of the machine or of a repository around the folder. */
export function quietGit(dir: string): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return { PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", GIT_CEILING_DIRECTORIES: dir };
}

/** The diff in the middle of a log, after compression. */
function compressLog({ name, diff }: RealDiff, rules: LoadedRules["settings"], store: Store): Buffer {
  const r = makeRandom(name);
  const log = (from: number): string =>
    Array.from(
      { length: LOG_LINES },
      (_, i) => `${isoTime(from + i)} INFO ${moduleName(r)} took ${r.int(900)} ms\n`,
    ).join("");
  const text = Buffer.concat([Buffer.from(log(0)), diff, Buffer.from(log(LOG_LINES))]);
  const { output, changed } = compress(text, { tool: "Bash", rules, store });
  if (!changed) throw new Error(`the log around the diff ${name} was not cut: nothing is shown by it`);
  return Buffer.from(output);
}

/** As many lines from the first `diff` line on as the diff has, mail and commit message aside; undefined where it is gone. */
function extract(output: Buffer, { diff }: RealDiff): Buffer | undefined {
  const from = diff.subarray(0, 5).equals(HEADER) ? 0 : diff.indexOf(`\n${HEADER}`) + 1;
  const signature = diff.lastIndexOf("\n-- \n");
  const body = diff.subarray(from, isMail(diff) && signature > 0 ? signature + 1 : undefined);
  const start = output.indexOf(body.subarray(0, body.indexOf("\n") + 1));
  if (start < 0) return undefined;
  let lines = 0;
  for (const byte of body) if (byte === NEWLINE) lines++;
  let end = start;
  for (let line = 0; line < lines && end >= 0; line++) end = output.indexOf("\n", end) + 1 || output.length;
  return output.subarray(start, end);
}

function isMail(diff: Buffer): boolean {
  return diff.subarray(0, 5).toString() === "From ";
}
