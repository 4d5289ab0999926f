// SPDX-License-Identifier: Apache-2.0
import { compareMetrics, compareOutcomes, describeSets } from "./compare.ts";
import { findSessions } from "./find.ts";
import { readOutcomes, readPlan, readTasks } from "./inputs.ts";
import { pairRuns } from "./pairs.ts";
import { formatReport, toJson } from "./report.ts";
import { type Arm, readArm } from "./runs.ts";

export interface Options {
  /** Folders with transcripts. */
  readonly off: string[];
  readonly on: string[];
  /** Files, as docs/ab.md shows them. */
  readonly tasks?: string;
  readonly outcomes?: string;
  readonly plan?: string;
  /** Compares what is in both sets, and says what is not. */
  readonly allowUnequal: boolean;
  readonly json: boolean;
}

/** The report, Markdown or JSON. Throws where the sets cannot be compared, with every reason. */
export function compareSets(options: Options): string {
  const arms = { off: readArm(findSessions(options.off)), on: readArm(findSessions(options.on)) };
  const plan = options.plan === undefined ? undefined : readPlan(options.plan);
  const { pairs, problems, unequal, leftOut } = pairRuns(arms, {
    ...(options.tasks !== undefined && { tasks: readTasks(options.tasks) }),
    ...(options.outcomes !== undefined && { outcomes: readOutcomes(options.outcomes) }),
    ...(plan !== undefined && { plan }),
  });
  if (problems.length > 0) throw refuse("the sets cannot be compared", problems);
  if (unequal.length > 0 && !options.allowUnequal)
    throw refuse("the sets are not equal (--allow-unequal compares what is in both, and says so)", unequal);
  if (pairs.length === 0)
    throw new Error("no task has runs in both sets: name them by folders or by --tasks");
  const report = {
    pairs,
    plan,
    metrics: compareMetrics(pairs),
    outcomes: compareOutcomes(pairs),
    notes: [
      ...unequal.map((words) => `**not equal**: ${words}`),
      ...leftOut.map((name) => `left out by the file of tasks: run ${name}`),
      ...describeSets(pairs),
      ...describeFiles("off", arms.off),
      ...describeFiles("on", arms.on),
    ],
  };
  return options.json ? toJson(report) : formatReport(report);
}

function refuse(what: string, reasons: readonly string[]): Error {
  return new Error([`${what}:`, ...reasons].join("\n  "));
}

function describeFiles(set: string, { brokenLines, copiedRows, empty }: Arm): string[] {
  const notes: string[] = [];
  if (brokenLines > 0) notes.push(`set ${set}: ${brokenLines} lines could not be read and are in no sum`);
  if (copiedRows > 0) notes.push(`set ${set}: ${copiedRows} copies of rows (resumed sessions) counted once`);
  if (empty.length > 0) notes.push(`set ${set}: ${empty.length} sessions without a reply are left out`);
  return notes;
}
