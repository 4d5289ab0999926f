// SPDX-License-Identifier: Apache-2.0
// Diffs between two builds of one module in an installed package (`x.js` and `x.mjs`, `x.d.ts` and `x.d.cts`): text
// that people and tools wrote, on every machine where the project is installed, with or without a history.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../build/project.ts";
import { type DiffSource, quietGit, type RealDiff } from "./diffs.ts";
import { makeRandom } from "./random.ts";

const MODULES = join(ROOT, "node_modules");
const FILE_MIN_BYTES = 400;
const FILE_MAX_BYTES = 400_000;
const DEPTH_MAX = 6;
const ENDING = /(?:\.d)?\.[cm]?[jt]s$/;
/** Beyond it the folders are not read any further. */
const PAIRS_MAX = 6000;

/** At most `most` pairs, chosen by a seed out of all that there are. */
export function listPackageDiffs(dir: string, most: number): DiffSource[] {
  const r = makeRandom("package diffs");
  const pairs = findPairs().sort(([a], [b]) => (a < b ? -1 : 1));
  const chosen: DiffSource[] = [];
  while (chosen.length < most && pairs.length > 0) {
    const [[before, after] = ["", ""]] = pairs.splice(r.int(pairs.length), 1);
    chosen.push(() => makeDiff(before, after, dir));
  }
  return chosen;
}

function findPairs(): [before: string, after: string][] {
  const pairs: [string, string][] = [];
  const open: [folder: string, depth: number][] = [[MODULES, 0]];
  for (let next = open.pop(); next !== undefined && pairs.length < PAIRS_MAX; next = open.pop()) {
    const [folder, depth] = next;
    const last = new Map<string, string>();
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? 1 : -1,
    )) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < DEPTH_MAX && !entry.name.startsWith(".")) open.push([path, depth + 1]);
      } else if (entry.isFile() && ENDING.test(entry.name)) {
        const stem = entry.name.replace(ENDING, "");
        const before = last.get(stem);
        if (before !== undefined) pairs.push([before, path]);
        last.set(stem, path);
      }
    }
  }
  return pairs;
}

function makeDiff(before: string, after: string, dir: string): RealDiff | undefined {
  if ([before, after].some((path) => !isUsual(path))) return undefined;
  const work = join(dir, "pair");
  rmSync(work, { recursive: true, force: true });
  const name = relative(MODULES, before).replace(/[^\w.-]/g, "_");
  const content = readFileSync(before);
  for (const [side, bytes] of [
    ["a", content],
    ["b", readFileSync(after)],
  ] as const) {
    mkdirSync(join(work, side), { recursive: true });
    writeFileSync(join(work, side, name), bytes);
  }
  try {
    execFileSync("git", ["diff", "--no-index", "--no-prefix", `a/${name}`, `b/${name}`], {
      cwd: work,
      env: quietGit(dir),
      stdio: ["ignore", "pipe", "ignore"],
    });
    return undefined;
  } catch (error) {
    // 1: the files differ.
    if (!(error instanceof Error) || !("status" in error) || error.status !== 1) return undefined;
    const diff = "stdout" in error && Buffer.isBuffer(error.stdout) ? error.stdout : Buffer.alloc(0);
    return { name, diff, files: new Map([[name, content]]) };
  }
}

function isUsual(path: string): boolean {
  const { size } = statSync(path);
  return size >= FILE_MIN_BYTES && size <= FILE_MAX_BYTES;
}
