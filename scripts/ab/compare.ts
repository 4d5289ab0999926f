// SPDX-License-Identifier: Apache-2.0
import { comparePairs, type Difference, type Interval } from "./intervals.ts";
import { nameOf, type Pair, type Scored, type Side } from "./pairs.ts";
import { signTest, wilson } from "./proportions.ts";
import { METRICS, type Metric, PROTOCOL } from "./protocol.ts";

export interface Compared {
  readonly metric: Metric;
  readonly label: string;
  /** Means over the tasks; a task with several runs counts once, with their mean. */
  readonly off: number;
  readonly on: number;
  readonly difference: Difference;
}

export interface Share {
  readonly passed: number;
  readonly runs: number;
  readonly interval: Interval;
}

export interface ComparedOutcomes {
  readonly off: Share;
  readonly on: Share;
  /** Of the shares, over tasks. */
  readonly difference: Difference;
  /** Tasks done on one side only, and how likely that is by chance; absent where a task has several runs. */
  readonly discordant?: { readonly onlyOff: number; readonly onlyOn: number; readonly p: number };
}

export function compareMetrics(pairs: readonly Pair[]): Compared[] {
  return METRICS.map(({ name, label }) => {
    const values = pairs.map(({ off, on }) => ({
      off: meanOf(off.map((run) => run.values[name])),
      on: meanOf(on.map((run) => run.values[name])),
    }));
    return {
      metric: name,
      label,
      off: meanOf(values.map(({ off }) => off)),
      on: meanOf(values.map(({ on }) => on)),
      difference: comparePairs(values, PROTOCOL),
    };
  });
}

/** undefined where the user gave no outcomes. */
export function compareOutcomes(pairs: readonly Pair[]): ComparedOutcomes | undefined {
  if (pairs.some(({ off, on }) => [...off, ...on].some(({ passed }) => passed === undefined)))
    return undefined;
  const shareOf = (runs: readonly Scored[]) => meanOf(runs.map(({ passed }) => (passed === true ? 1 : 0)));
  const sum = (side: Side): Share => {
    const runs = pairs.flatMap((pair) => pair[side]);
    const passed = runs.filter((run) => run.passed === true).length;
    return { passed, runs: runs.length, interval: wilson(passed, runs.length) };
  };
  const shares = pairs.map(({ off, on }) => ({ off: shareOf(off), on: shareOf(on) }));
  const onlyOff = shares.filter(({ off, on }) => off > on).length;
  const onlyOn = shares.filter(({ off, on }) => off < on).length;
  const isOneEach = pairs.every(({ off, on }) => off.length === 1 && on.length === 1);
  return {
    off: sum("off"),
    on: sum("on"),
    difference: comparePairs(shares, PROTOCOL),
    ...(isOneEach && { discordant: { onlyOff, onlyOn, p: signTest(onlyOff, onlyOn) } }),
  };
}

/** What a reader must know of the sets that no figure says. */
export function describeSets(pairs: readonly Pair[]): string[] {
  const notes: string[] = [];
  const runsOf = (side: Side) => pairs.flatMap((pair) => pair[side]);
  const listOf = (side: Side, field: "models" | "versions") =>
    [...new Set(runsOf(side).flatMap((run) => run[field]))].sort().join(", ") || "not said";
  for (const [field, word] of [["models", "models"] as const, ["versions", "client versions"] as const]) {
    const [off, on] = [listOf("off", field), listOf("on", field)];
    notes.push(off === on ? `${word}: ${off}` : `**${word} differ**: off ${off}; on ${on}`);
  }
  const untouched = runsOf("on").filter(({ rewrites }) => rewrites === 0);
  if (untouched.length > 0)
    notes.push(`isthmos changed nothing in ${untouched.length} of ${runsOf("on").length} runs of set on`);
  for (const side of ["off", "on"] as const) {
    const missing = runsOf(side).filter(({ withoutUsage }) => withoutUsage > 0);
    const replies = missing.reduce((sum, { withoutUsage }) => sum + withoutUsage, 0);
    if (replies > 0)
      notes.push(
        `**set ${side}: ${replies} replies without token counts**, in runs ${missing.map(nameOf).join(", ")}`,
      );
  }
  return notes;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
