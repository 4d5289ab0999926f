// SPDX-License-Identifier: Apache-2.0
import { cleanName } from "../../src/report.ts";
import { type Compared, type ComparedOutcomes, meanOf, type Share } from "./compare.ts";
import type { Estimate, Interval } from "./intervals.ts";
import type { Pair, Scored } from "./pairs.ts";
import { PROTOCOL } from "./protocol.ts";

export interface Report {
  readonly pairs: readonly Pair[];
  readonly metrics: readonly Compared[];
  readonly outcomes?: ComparedOutcomes | undefined;
  readonly notes: readonly string[];
  readonly plan?: { readonly sha256: string } | undefined;
}

export function formatReport(report: Report): string {
  const { pairs, metrics, outcomes, notes, plan } = report;
  const runs = pairs.reduce((sum, { off, on }) => sum + off.length + on.length, 0);
  return [
    `Protocol ${PROTOCOL.version}, ${countOf(pairs.length, "task")} in pairs, ${runs} runs; ${describePlan(plan)}.`,
    describeSize(pairs.length),
    formatMetrics(metrics),
    ...(outcomes === undefined ? [] : [formatOutcomes(outcomes)]),
    formatPairs(pairs),
    notes.map((note) => `- ${cleanCell(note)}`).join("\n"),
  ].join("\n\n");
}

function describePlan(plan: Report["plan"]): string {
  return plan === undefined ? "no plan was given" : `plan ${plan.sha256}`;
}

function describeSize(pairs: number): string {
  const { minPairs, resamples, seed } = PROTOCOL;
  if (pairs < minPairs)
    return `**Not enough runs**: ${countOf(pairs, "task")} in pairs, ${minPairs} are the least for an interval. Nothing follows from these figures.`;
  return `Intervals of 95 %: percentiles of ${resamples} bootstrap samples of the tasks, seed ${seed}. Only the first row was fixed as the question; of twelve intervals one may miss by chance.`;
}

function formatMetrics(metrics: readonly Compared[]): string {
  const rows = metrics.map(({ metric, label, off, on, difference }) => [
    metric === PROTOCOL.primary ? `**${label}**` : label,
    formatNumber(off),
    formatNumber(on),
    formatEstimate(difference.mean, formatNumber),
    formatEstimate(difference.change, formatPercent),
    formatEstimate(difference.median, formatNumber),
    `${difference.less} / ${difference.equal} / ${difference.more}`,
    describeClarity(difference.mean.interval),
  ]);
  const head = [
    "mean of a task",
    "off",
    "on",
    "on − off",
    "change",
    "median of on − off",
    "less / equal / more",
    "on needs",
  ];
  return formatTable(head, "|---|--:|--:|--:|--:|--:|--:|---|", rows);
}

function describeClarity(interval: Interval | null): string {
  if (interval === null) return "not enough runs";
  if (interval.high < 0) return "less";
  return interval.low > 0 ? "more" : "not clear";
}

function formatOutcomes({ off, on, difference, discordant }: ComparedOutcomes): string {
  const row = (side: string, { passed, runs, interval }: Share) => [
    side,
    `${passed} of ${runs}`,
    formatPercent(passed / runs),
    `${formatPercent(interval.low)} to ${formatPercent(interval.high)}`,
  ];
  const table = formatTable(["set", "passed", "share", "Wilson, 95 %"], "|---|--:|--:|--:|", [
    row("off", off),
    row("on", on),
  ]);
  const lines = [`Share on − off: ${formatEstimate(difference.mean, formatPoints)}.`];
  if (discordant !== undefined) {
    const { onlyOff, onlyOn, p } = discordant;
    lines.push(
      `Passed only off: ${onlyOff}, only on: ${onlyOn}; exact McNemar test p = ${p.toPrecision(2)}.`,
    );
  }
  return `${table}\n\n${lines.join(" ")} No difference seen is not the same as none there.`;
}

function formatPairs(pairs: readonly Pair[]): string {
  const rows = pairs.map(({ task, off, on }) => {
    const [before, after] = [off, on].map((runs) =>
      meanOf(runs.map(({ values }) => values[PROTOCOL.primary])),
    );
    return [
      cleanCell(task),
      `${off.length} / ${on.length}`,
      formatNumber(before ?? 0),
      formatNumber(after ?? 0),
      formatNumber((after ?? 0) - (before ?? 0)),
      countPassed(off),
      countPassed(on),
    ];
  });
  const head = ["task", "runs off / on", "all input tokens off", "on", "on − off", "passed off", "on"];
  return formatTable(head, "|---|--:|--:|--:|--:|--:|--:|", rows);
}

function countPassed(runs: readonly Scored[]): string {
  const known = runs.filter(({ passed }) => passed !== undefined);
  return known.length === 0 ? "" : `${known.filter(({ passed }) => passed).length} of ${known.length}`;
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function formatTable(head: readonly string[], rule: string, rows: readonly (readonly string[])[]): string {
  return [`| ${head.join(" | ")} |`, rule, ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

function formatEstimate({ value, interval }: Estimate, format: (value: number) => string): string {
  if (value === null) return "";
  return interval === null
    ? format(value)
    : `${format(value)} [${format(interval.low)}, ${format(interval.high)}]`;
}

function formatNumber(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1000 ? 1 : 0 });
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function formatPoints(share: number): string {
  return `${(share * 100).toFixed(1)} points`;
}

function cleanCell(text: string): string {
  return cleanName(text, 1000).replaceAll("|", "\\|");
}

/** The report for programs: every run with its figures, and what was made of them. */
export function toJson({ pairs, metrics, outcomes, notes, plan }: Report): string {
  const runOf = ({ uuids: _, task: __, ...run }: Scored) => run;
  const document = {
    protocol: PROTOCOL,
    plan: plan?.sha256 ?? null,
    enough: pairs.length >= PROTOCOL.minPairs,
    metrics,
    outcomes: outcomes ?? null,
    tasks: pairs.map(({ task, off, on }) => ({ task, off: off.map(runOf), on: on.map(runOf) })),
    notes,
  };
  return JSON.stringify(document, null, 2);
}
