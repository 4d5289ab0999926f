// SPDX-License-Identifier: Apache-2.0
// Runs the commands that the client's settings wire, as the client runs them, on the sample. Not run is what a
// settings file makes write elsewhere than in the trial's own folder.
import { realpathSync } from "node:fs";
import { isAbsolute, join, sep } from "node:path";
import { type Ran, runChild } from "../../child.ts";
import type { Env } from "../../env.ts";
import { findHookProgram, isIsthmos } from "../../hosts/claude-code/hook-command.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { monotonicMs } from "../../io.ts";
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

const RUNS = 3;
/** So many different commands are tried. */
const COMMANDS_MAX = 4;

/**
 * Tries each command that is wired for any event, all at once, and times the first: that on results, if there is one.
 * Nothing runs beyond the monotonic time `endsAt`.
 */
export async function tryCommands(facts: Facts, home: TrialHome, endsAt: number): Promise<CommandTrial[]> {
  const commands = facts.wired.ours
    .filter(({ type }) => type === "command")
    // Said elsewhere, with the next step.
    .filter((hook) => explainHookProgram(hook, facts) === undefined)
    .sort((a, b) => Number(b.event === "PostToolUse") - Number(a.event === "PostToolUse"));
  const byTarget = new Map<string, WiredHook>();
  for (const hook of commands) if (!byTarget.has(hook.target)) byTarget.set(hook.target, hook);
  const run = makeRun(facts.env, home, endsAt);
  const asked = new Set<string | undefined>();
  const trials = await Promise.all(
    [...byTarget.values()].slice(0, COMMANDS_MAX).map(async (hook): Promise<CommandTrial> => {
      const words = versionWords(hook, facts.env);
      const asking = asked.has(words?.join(" ")) ? undefined : askVersion(words, run);
      asked.add(words?.join(" "));
      const [trial, version] = await Promise.all([tryCommand(hook, facts.env, run), asking]);
      return { ...trial, ...(version !== undefined && { version }) };
    }),
  );
  const [first, ...others] = trials;
  // Only once the others have ended, which would slow it down.
  return first === undefined
    ? []
    : [{ ...first, ...(await timeCommand(first, facts.env, run, endsAt)) }, ...others];
}

type Run = (
  words: readonly [string, ...string[]],
  options?: { readonly input?: string; readonly env?: Record<string, string>; readonly timeoutMs?: number },
) => Promise<Ran>;

function makeRun({ cwd }: Env, { variables }: TrialHome, endsAt: number): Run {
  return (words, { input, env = {}, timeoutMs = Number.POSITIVE_INFINITY } = {}) =>
    runChild(words, {
      ...{ cwd, input, env: { ...variables, ...env } },
      timeoutMs: Math.max(1, Math.min(timeoutMs, endsAt - monotonicMs())),
    });
}

async function tryCommand(hook: WiredHook, env: Env, run: Run): Promise<CommandTrial> {
  const sets = findVariables(hook);
  if (sets.includes("ISTHMOS_STATE_DIR") || sets.includes("ISTHMOS_KEY_FILE") || isForeignShell(hook)) {
    return { hook, verdict: "skipped", sets };
  }
  const timeoutMs = (hook.timeout ?? Number.POSITIVE_INFINITY) * 1000;
  const ran = await run(wordsOf(hook, env), { input: sampleInput(env), timeoutMs });
  const trial = { hook, sets, ran };
  if (ran.failure !== undefined) {
    return { ...trial, verdict: ran.failure === "timeout" ? "timeout" : "failed" };
  }
  return { ...trial, verdict: judgeAnswer(ran.stdout) };
}

/** How long a command that answers rightly takes; nothing where the time is up before that is known. */
async function timeCommand(
  { hook, verdict, ran }: CommandTrial,
  env: Env,
  run: Run,
  endsAt: number,
): Promise<Pick<CommandTrial, "ms" | "floorMs">> {
  if (verdict !== "right" || ran === undefined) return {};
  const words = wordsOf(hook, env);
  const [times, floors]: [number[], number[]] = [[ran.ms], []];
  // In turn, so that a busy moment falls on both.
  while (floors.length < RUNS && monotonicMs() < endsAt) {
    const idle = await run(words, { env: { ISTHMOS_DISABLE: "1" } });
    if (idle.failure !== undefined) break;
    floors.push(idle.ms);
    if (times.length === RUNS) continue;
    const again = await run(words, { input: sampleInput(env) });
    if (again.failure !== undefined) break;
    times.push(again.ms);
  }
  return floors.length === 0 ? {} : { ms: median(times), floorMs: median(floors) };
}

function sampleInput({ cwd }: Env): string {
  return `${JSON.stringify({ ...SAMPLE_EVENT, cwd: cwd ?? SAMPLE_EVENT.cwd })}\n`;
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
  run: Run,
): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const { stdout, exitCode } = await run(words);
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
