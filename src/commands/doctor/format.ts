// SPDX-License-Identifier: Apache-2.0
import { formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import { VERSION } from "../../version.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Level } from "./finding.ts";
import type { Reality } from "./reality.ts";

export type Counts = Readonly<Record<Level, number>>;

/** Room for two paths of the longest kind (4,096 bytes) with their sentence. */
const LINE_MAX_BYTES = 10_000;
const LEVEL_WIDTH = "warning".length;
/** SGR codes: green, none, yellow, red. */
const COLOURS = { ok: "32", note: "", warning: "33", broken: "31" } as const satisfies Record<Level, string>;

/** How many findings there are of each level. */
export function countLevels(findings: readonly Finding[]): Counts {
  const counts = { ok: 0, note: 0, warning: 0, broken: 0 };
  for (const { level } of findings) counts[level]++;
  return counts;
}

/** The report for people, foreign names made safe for a terminal. */
export function formatReport(findings: readonly Finding[], colour: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = " ".repeat(LEVEL_WIDTH + width + 4);
  const lines = findings.flatMap(({ check, level, message, hint }) => [
    `${paint(level, colour)}  ${check.padEnd(width)}  ${cleanName(message, LINE_MAX_BYTES)}`,
    ...(hint === undefined ? [] : [`${indent}→ ${cleanName(hint, LINE_MAX_BYTES)}`]),
  ]);
  return `${[`isthmos ${VERSION}`, ...lines, describeVerdict(countLevels(findings))].join("\n")}\n`;
}

/** What the JSON holds besides the findings. */
export interface Background {
  readonly facts?: Facts | undefined;
  readonly reality?: Reality | undefined;
}

/** The same for programs, with what the text leaves out: when each tool last fired, and what running servers count. */
export function formatJson(findings: readonly Finding[], { facts, reality }: Background = {}): string {
  const clean = findings.map(({ check, level, message, hint }) => ({
    check,
    level,
    message: cleanName(message, LINE_MAX_BYTES),
    ...(hint !== undefined && { hint: cleanName(hint, LINE_MAX_BYTES) }),
  }));
  const counts = countLevels(findings);
  const tools = [...(facts?.traffic.fired ?? [])].map(([tool, { calls, last }]) => ({
    ...{ tool: cleanName(tool), calls, last: new Date(last).toISOString() },
  }));
  const { entries, bytes } = facts?.store.stats() ?? { entries: 0, bytes: 0 };
  const report = {
    ...{ version: VERSION, ok: counts.broken === 0, counts, findings: clean },
    tools: tools.sort((a, b) => (a.last < b.last ? 1 : -1)),
    store: { entries, bytes },
    servers: reality?.running ?? [],
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function paint(level: Level, colour: boolean): string {
  const text = level.padEnd(LEVEL_WIDTH);
  return colour && COLOURS[level] !== "" ? `\x1b[${COLOURS[level]}m${text}\x1b[39m` : text;
}

function describeVerdict({ note, warning, broken }: Counts): string {
  const parts = [
    ...(broken > 0 ? [`${broken} broken`] : []),
    ...(warning > 0 ? [formatCount(warning, "warning")] : []),
    ...(note > 0 ? [formatCount(note, "note")] : []),
  ];
  const verdict = broken > 0 ? "isthmos does not work as configured" : "isthmos works as configured";
  return parts.length === 0 ? verdict : `${verdict}: ${parts.join(", ")}`;
}
