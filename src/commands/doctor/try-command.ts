// SPDX-License-Identifier: Apache-2.0
// Runs the commands that the client's settings wire, as the client runs them, on the sample. Not run is what a
// settings file makes write elsewhere than in the trial's own folder.
import { realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { type Ran, runChild } from "../../child.ts";
import type { Env } from "../../env.ts";
import { findHookProgram, isIsthmos } from "../../hosts/claude-code/hook-command.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { explainProgram } from "./access.ts";
import type { Facts } from "./facts.ts";
import { explainHookProgram } from "./hook-program.ts";
import { judgeAnswer, median, SAMPLE_EVENT, type TrialHome, type Verdict } from "./sample.ts";

export interface CommandTrial {
  readonly hook: WiredHook;
  /** `skipped`: not run. */
  readonly verdict: Verdict | "timeout" | "failed" | "skipped";
  /** Variables of ours that the command line sets itself. */
  readonly sets: readonly string[];
  readonly ran?: Ran;
  /** Medians, ms: of an answer, and of the same program with nothing to do. */
  readonly ms?: number;
  readonly floorMs?: number;
  /** What the wired program says is its version; absent where it was not asked or says none. */
  readonly version?: string;
}

/** Answers of a program that works take milliseconds; a person waits here. */
const TIMEOUT_MS = 5000;
const RUNS = 3;
/** So many different commands are tried. */
const COMMANDS_MAX = 4;

/** Tries each command that is wired for any event, and times the first: that on results, if there is one. */
export async function tryCommands(facts: Facts, home: TrialHome): Promise<CommandTrial[]> {
  const commands = facts.wired.ours
    .filter(({ type }) => type === "command")
    // Said elsewhere, with the next step.
    .filter((hook) => explainHookProgram(hook, facts) === undefined)
    .sort((a, b) => Number(b.event === "PostToolUse") - Number(a.event === "PostToolUse"));
  const byTarget = new Map<string, WiredHook>();
  for (const hook of commands) if (!byTarget.has(hook.target)) byTarget.set(hook.target, hook);
  const trials: CommandTrial[] = [];
  const asked = new Set<string | undefined>();
  // One after the other, as one is timed.
  for (const hook of [...byTarget.values()].slice(0, COMMANDS_MAX)) {
    const words = versionWords(hook, facts.env);
    const asking = asked.has(words?.join(" ")) ? undefined : askVersion(words, facts.env, home);
    asked.add(words?.join(" "));
    const trial = await tryCommand(hook, facts.env, home, trials.length === 0);
    const version = await asking;
    trials.push({ ...trial, ...(version !== undefined && { version }) });
  }
  return trials;
}

async function tryCommand(
  hook: WiredHook,
  env: Env,
  home: TrialHome,
  isTimed: boolean,
): Promise<CommandTrial> {
  const sets = findVariables(hook);
  if (sets.includes("ISTHMOS_STATE_DIR") || sets.includes("ISTHMOS_KEY_FILE") || isForeignShell(hook)) {
    return { hook, verdict: "skipped", sets };
  }
  const words = wordsOf(hook, env);
  const timeoutMs = Math.min((hook.timeout ?? Number.POSITIVE_INFINITY) * 1000, TIMEOUT_MS);
  const options = { cwd: env.cwd, env: home.variables, timeoutMs };
  const event = { ...SAMPLE_EVENT, cwd: env.cwd ?? SAMPLE_EVENT.cwd };
  const input = `${JSON.stringify(event)}\n`;
  const ran = await runChild(words, { ...options, input });
  const trial = { hook, sets, ran };
  if (ran.failure !== undefined) {
    return { ...trial, verdict: ran.failure === "timeout" ? "timeout" : "failed" };
  }
  const verdict = judgeAnswer(ran.stdout);
  if (verdict !== "right" || !isTimed) return { ...trial, verdict };
  const [times, floors]: [number[], number[]] = [[ran.ms], []];
  const idle = { ...options, env: { ...home.variables, ISTHMOS_DISABLE: "1" } };
  // In turn, so that a busy moment falls on both.
  while (floors.length < RUNS) {
    floors.push((await runChild(words, idle)).ms);
    if (times.length < RUNS) times.push((await runChild(words, { ...options, input })).ms);
  }
  return { ...trial, verdict, ms: median(times), floorMs: median(floors) };
}

/** Variables of ours that a command line sets. */
export function findVariables({ target }: WiredHook): string[] {
  return target.match(/\bISTHMOS_[A-Z_]+(?==)/g) ?? [];
}

/** Its commands are in a language of their own. */
function isForeignShell({ program }: WiredHook): boolean {
  return program === undefined && sep === "\\";
}

function wordsOf({ target, program, args = [] }: WiredHook, { cwd = "/" }: Env): [string, ...string[]] {
  if (program === undefined) return ["/bin/sh", "-c", target];
  // The one variable that the client fills in itself where no plugin is concerned.
  const fill = (word: string) => word.replace(/\$\{CLAUDE_PROJECT_DIR\}/g, () => cwd);
  return [fill(program), ...args.map(fill)];
}

/** What asks the wired program for its version; undefined where that cannot be told from its command. */
function versionWords(hook: WiredHook, env: Env): readonly [string, ...string[]] | undefined {
  const file = findProgram(hook, env);
  if (file !== undefined) return [file, "version"];
  const { program, args = [] } = hook;
  // Node.js with a script of ours.
  const isScript = program !== undefined && isIsthmos(program, args) && args.at(-1) === "hook";
  return isScript ? [program, ...args.slice(0, -1), "version"] : undefined;
}

async function askVersion(
  words: readonly [string, ...string[]] | undefined,
  env: Env,
  home: TrialHome,
): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const { stdout, exitCode } = await runChild(words, {
    ...{ cwd: env.cwd, env: home.variables, timeoutMs: TIMEOUT_MS },
  });
  return exitCode === 0 ? /^\d+\.\d+\.\S{1,40}$/m.exec(stdout.slice(0, 200))?.[0] : undefined;
}

/** The file of the wired isthmos; undefined where a shell or nothing is found there. */
export function findProgram(hook: WiredHook, { home, searchPath, cwd }: Env): string | undefined {
  const written = hook.program ?? findHookProgram(hook.target);
  if (written === undefined || !isIsthmos(written, [])) return undefined;
  const path = written
    .replace(/^(?:~|\$HOME|\$\{HOME\})\//, `${home}/`)
    .replace(/^\$\{CLAUDE_PROJECT_DIR\}\//, `${cwd ?? ""}/`);
  if (isAbsolute(path)) return path;
  if (path.includes("/")) return cwd === undefined ? undefined : join(cwd, path);
  return searchPath.map((folder) => join(folder, path)).find((file) => explainProgram(file) === undefined);
}

/** The file behind links; the path itself where it cannot be told. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
