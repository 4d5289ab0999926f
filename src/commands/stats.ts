// SPDX-License-Identifier: Apache-2.0
// `isthmos stats`: what was saved, per tool and in all, and what the figures stand on. Data goes to stdout; the
// log is read as a stream, whatever its size.
import type { Env } from "../env.ts";
import { errorCode } from "../files.ts";
import type { Io } from "../io.ts";
import { type Aggregate, aggregate, type Section } from "../measure/aggregate.ts";
import { logFile, readRows } from "../measure/log.ts";
import { shareLines } from "../measure/share.ts";
import { formatBytes, formatCount, formatShare } from "../measure/units.ts";
import { reportError } from "../report.ts";

export interface StatsArgs {
  /** Only rows of the last so many milliseconds. */
  readonly since?: number | undefined;
  /** This file instead of the state folder's log. */
  readonly file?: string | undefined;
  readonly share?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const HEAD = ["TOOL", "CALLS", "IN", "OUT", "SAVED", "SAVED%", "%ALL", "~TOKENS", "REVEALS"] as const;
/** Nobody reads more, and cli-table3 takes a millisecond and more for each. */
const ROWS_MAX = 200;
const BOLD = ["\x1b[1m", "\x1b[22m"] as const;

/** Exit code 0, or 1 where the log cannot be read. */
export async function run(args: StatsArgs, env: Env, io: Io): Promise<number> {
  const stateDir = env.stateDir.value;
  const reader = readRows(args.file === undefined ? { stateDir } : { file: args.file });
  const since = args.since === undefined ? undefined : Math.max(0, io.now.getTime() - args.since);
  let sums: Aggregate;
  try {
    sums = aggregate(reader, { since });
  } catch (error) {
    reportError(
      `cannot read the measurement log ${args.file ?? logFile(stateDir)}: ${errorCode(error) ?? "unknown error"}`,
      args.file === undefined ? "run isthmos doctor" : "give -file the path of a measure.jsonl file",
    );
    return 1;
  }

  if (args.json) {
    io.stdout(`${JSON.stringify(toJson(sums, since, reader.skipped), undefined, 2)}\n`);
  } else if (sums.first === undefined) {
    io.stdout(`${describeEmpty(args, reader.skipped)}\n`);
  } else if (args.share) {
    io.stdout(`${shareLines(sums).join("\n")}\n`);
  } else {
    io.stdout(await formatStats(sums, reader.skipped, io.isTerminal && env.colour));
  }
  return 0;
}

function toJson(sums: Aggregate, since: number | undefined, skipped: number): object {
  const { first, last, hosts, live, shadow } = sums;
  const toIso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return { since: toIso(since), first: toIso(first), last: toIso(last), hosts, skipped, live, shadow };
}

function describeEmpty({ file, since }: StatsArgs, skipped: number): string {
  const broken = skipped > 0 ? ` (${formatCount(skipped, "line")} that cannot be read)` : "";
  if (since !== undefined) return `nothing measured in this period${broken}: try a longer -since, or none`;
  if (file !== undefined)
    return `no measurement in this file${broken}: give -file the path of a measure.jsonl file`;
  return `nothing measured yet${broken}: run isthmos doctor to see whether a hook is wired, then let the agent call a tool`;
}

async function formatStats(sums: Aggregate, skipped: number, colour: boolean): Promise<string> {
  const blocks: string[] = [];
  const { live, shadow } = sums;
  const isEmpty = (section: Section) => section.tools.length === 0;
  if (!isEmpty(live)) blocks.push(await formatTable(live, HEAD, colour), describeScope(sums, live, "live"));
  if (!isEmpty(shadow)) {
    const head = HEAD.slice(0, -1).map((title) => (title === "SAVED" ? "WOULD SAVE" : title));
    blocks.push("shadow mode: computed, nothing was changed");
    blocks.push(await formatTable(shadow, head, colour), describeScope(sums, shadow, "shadow"));
  }
  blocks.push(describeUnits(skipped));
  return `${blocks.join("\n\n")}\n`;
}

async function formatTable(section: Section, head: readonly string[], colour: boolean): Promise<string> {
  const { default: Table } = await import("cli-table3");
  const [bold, plain] = colour ? BOLD : ["", ""];
  const none = { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "", middle: "  ", left: "", right: "" };
  const edges = { top: "", "top-mid": "", "top-left": "", "top-right": "" };
  const ends = { bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" };
  const table = new Table({
    head: head.map((title) => `${bold}${title}${plain}`),
    chars: { ...none, ...edges, ...ends },
    colAligns: head.map((_, column) => (column === 0 ? "left" : "right")),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const sums of [...section.tools.slice(0, ROWS_MAX), { tool: "TOTAL", ...section.total }]) {
    const cells = [
      sums.tool || "(no name)",
      `${sums.calls}`,
      formatBytes(sums.in),
      formatBytes(sums.out),
      formatBytes(sums.saved),
      formatShare(sums.saved, sums.in),
      formatShare(sums.saved, section.total.in),
      `${sums.tokens}`,
      `${sums.reveals}`,
    ];
    table.push(cells.slice(0, head.length));
  }
  return table.toString().replace(/ +$/gm, "");
}

/** What is counted, on what the sizes stand, and what is not in it. */
function describeScope(
  { first = 0, last = 0, hosts }: Aggregate,
  { total, tools }: Section,
  mode: string,
): string {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const names = hosts.filter(({ host }) => host !== "").map(({ host, calls }) => `${host} ${calls}`);
  const from = mode === "live" && names.length > 0 ? ` (${names.join(", ")})` : "";
  const lines = [
    `scope: ${formatCount(total.calls, `${mode} call`)}${from}, ${day(first)} to ${day(last)} UTC; ${total.delivered} with the size that the host delivered, ${total.estimated} estimated`,
  ];
  if (tools.length > ROWS_MAX)
    lines.push(`${formatCount(tools.length - ROWS_MAX, "more tool")} in TOTAL: --json lists them all`);
  if (total.rejected > 0)
    lines.push(`${formatCount(total.rejected, "rewrite")} did not reach the model: counted as delivered`);
  if (total.failures > 0)
    lines.push(`${formatCount(total.failures, "failed call")}, which cannot be rewritten: in IN and OUT`);
  if (total.excerpts > 0)
    lines.push(
      `${formatCount(total.excerpts, "excerpt")} counted against the preview that the client would have shown: SAVED may be negative`,
    );
  if (total.kept > 0)
    lines.push(
      `${formatCount(total.kept, "result")} above max_bytes stayed whole: diffs, JSON without long strings`,
    );
  if (total.unsized > 0)
    lines.push(`${formatCount(total.unsized, "reveal")} of unknown size (Go program): counted, not netted`);
  lines.push(
    total.unrouted > 0
      ? `${formatCount(total.unrouted, "call")} of tools that no hook matcher routes here: in IN and OUT`
      : "not in it: built-in tools that no hook matcher routes here",
  );
  return lines.join("\n  ");
}

function describeUnits(skipped: number): string {
  const units =
    "units: KB = 1000 bytes, of what the model sees; SAVED = IN - OUT - bytes revealed; %ALL = share of all bytes in; ~TOKENS = saved bytes / 4";
  return skipped > 0
    ? `${units}\n${formatCount(skipped, "line")} of the log cannot be read: left out`
    : units;
}
