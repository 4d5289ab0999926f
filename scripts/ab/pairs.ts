// SPDX-License-Identifier: Apache-2.0
// Which run is compared with which. Whatever would make the two sets unequal is a problem in words: the caller
// refuses, or leaves out what has no partner and says so.
import type { Outcomes, Plan, Tasks } from "./inputs.ts";
import type { Arm, Run } from "./runs.ts";

export type Side = "off" | "on";

/** A run as it is compared. */
export interface Scored extends Run {
  readonly task: string;
  readonly passed?: boolean;
}

/** All runs of one task. */
export interface Pair {
  readonly task: string;
  readonly off: readonly Scored[];
  readonly on: readonly Scored[];
}

export interface Pairing {
  readonly pairs: readonly Pair[];
  /** Errors of the sets: no comparison. */
  readonly problems: readonly string[];
  /** The sets are not of the same tasks and numbers of runs. */
  readonly unequal: readonly string[];
  /** Runs that the user's file leaves out. */
  readonly leftOut: readonly string[];
}

interface Named {
  readonly tasks: ReadonlyMap<string, readonly Scored[]>;
  readonly problems: readonly string[];
  readonly leftOut: readonly string[];
  readonly usedKeys: ReadonlySet<string>;
}

export function pairRuns(
  arms: Readonly<Record<Side, Arm>>,
  { tasks, outcomes, plan }: { tasks?: Tasks; outcomes?: Outcomes; plan?: Plan },
): Pairing {
  const off = nameRuns("off", arms.off, tasks);
  const on = nameRuns("on", arms.on, tasks);
  const problems = [
    ...off.problems,
    ...on.problems,
    ...findUnused(tasks?.keys() ?? [], [...off.usedKeys, ...on.usedKeys], "the file of tasks"),
    ...findShared(arms),
    ...arms.off.runs
      .filter(({ rewrites }) => rewrites > 0)
      .map((run) => `set off: isthmos changed ${run.rewrites} results of run ${nameOf(run)}`),
  ];
  const judged = {
    off: judge("off", off.tasks, outcomes?.off, problems),
    on: judge("on", on.tasks, outcomes?.on, problems),
  };
  const names = [...new Set([...judged.off.keys(), ...judged.on.keys()])].sort();
  const pairs = names.map((task) => ({
    task,
    off: judged.off.get(task) ?? [],
    on: judged.on.get(task) ?? [],
  }));
  return {
    pairs: pairs.filter((pair) => pair.off.length > 0 && pair.on.length > 0),
    problems,
    unequal: [...pairs.flatMap(describeUnequal), ...compareWithPlan(pairs, plan)],
    leftOut: [...off.leftOut, ...on.leftOut],
  };
}

/** What a run is called in words. */
export function nameOf({ sessions }: Run): string {
  return sessions[0] ?? "?";
}

function nameRuns(side: Side, arm: Arm, given: Tasks | undefined): Named {
  const tasks = new Map<string, Scored[]>();
  const problems: string[] = [];
  const leftOut: string[] = [];
  const usedKeys = new Set<string>();
  for (const run of arm.runs) {
    // A session's own entry comes before that of its folder.
    const keys = [run.sessions, run.folders].map((names) => names.filter((name) => given?.has(name)));
    const used = keys.find((names) => names.length > 0) ?? [];
    for (const key of keys.flat()) usedKeys.add(key);
    const names = new Set(given === undefined ? run.folders : used.map((key) => given.get(key) ?? null));
    const [task, another] = names;
    if (task === undefined) problems.push(`set ${side}: run ${nameOf(run)} has no task in the file of tasks`);
    else if (another !== undefined)
      problems.push(`set ${side}: tasks ${[...names].sort().join(" and ")} share rows of run ${nameOf(run)}`);
    else if (task === null) leftOut.push(nameOf(run));
    else tasks.set(task, [...(tasks.get(task) ?? []), { ...run, task }]);
  }
  // An entry for a session without a reply is no mistake.
  for (const session of arm.empty) usedKeys.add(session);
  return { tasks, problems, leftOut, usedKeys };
}

function judge(
  side: Side,
  tasks: ReadonlyMap<string, readonly Scored[]>,
  outcomes: ReadonlyMap<string, boolean> | undefined,
  problems: string[],
): ReadonlyMap<string, readonly Scored[]> {
  if (outcomes === undefined) return tasks;
  const used: string[] = [];
  const judged = [...tasks].map(([task, runs]) => {
    const scored = runs.map((run) => {
      // The task's name will do where it has one run.
      const keys = [...run.sessions, ...(runs.length === 1 ? [task] : [])].filter((key) => outcomes.has(key));
      used.push(...keys);
      const [passed, contrary] = new Set(keys.map((key) => outcomes.get(key) === true));
      if (passed === undefined) problems.push(`set ${side}: run ${nameOf(run)} of ${task} has no outcome`);
      if (contrary !== undefined)
        problems.push(`set ${side}: run ${nameOf(run)} of ${task} has two outcomes`);
      return passed === undefined ? run : { ...run, passed };
    });
    return [task, scored] as const;
  });
  problems.push(...findUnused(outcomes.keys(), used, `set ${side}: the file of outcomes`));
  return new Map(judged);
}

function findUnused(keys: Iterable<string>, used: readonly string[], where: string): string[] {
  const known = new Set(used);
  return [...keys]
    .filter((key) => !known.has(key))
    .map((key) => `${where} names ${key}, which is no run here`);
}

/** The same session, or two that began as one, on both sides. */
function findShared({ off, on }: Readonly<Record<Side, Arm>>): string[] {
  return on.runs.flatMap((run) =>
    off.runs
      .filter(({ uuids }) => [...run.uuids].some((uuid) => uuids.has(uuid)))
      .map((other) => `run ${nameOf(run)} of set on shares rows with run ${nameOf(other)} of set off`),
  );
}

function describeUnequal({ task, off, on }: Pair): string[] {
  if (off.length === on.length) return [];
  if (off.length === 0) return [`task ${task} is only in set on`];
  if (on.length === 0) return [`task ${task} is only in set off`];
  return [`task ${task} has ${off.length} runs off and ${on.length} on`];
}

function compareWithPlan(pairs: readonly Pair[], plan: Plan | undefined): string[] {
  if (plan === undefined) return [];
  const found = new Set(pairs.map(({ task }) => task));
  const planned = new Set(plan.tasks);
  return [
    ...plan.tasks.filter((task) => !found.has(task)).map((task) => `task ${task} of the plan has no run`),
    ...[...found].filter((task) => !planned.has(task)).map((task) => `task ${task} is not in the plan`),
    ...pairs
      .filter(({ off, on }) => off.length === on.length && off.length !== plan.runs)
      .map(({ task, off }) => `task ${task} has ${off.length} runs a set, planned were ${plan.runs}`),
  ];
}
