// SPDX-License-Identifier: Apache-2.0
// What the client's transcripts say of our hooks: answers that it refused, hooks that failed or were stopped.
import { formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import { type Finding, formatTime, listSome, RECENT_WORDS } from "./finding.ts";
import type { Reality } from "./reality.ts";
import type { Reason, Refusal } from "./transcripts.ts";

const TOOLS_SHOWN = 5;

/** In words, after the number of times; and the next step. */
const REASONS: ReadonlyMap<Reason, { readonly words: string; readonly hint: string }> = new Map([
  [
    "shape",
    {
      words: "refused: not the tool's output shape",
      hint: "update isthmos; if it is the newest, report it with the client's version",
    },
  ],
  [
    "overruled",
    {
      words: "without effect: another hook had the last word",
      hint: "let only one hook rewrite a tool's results",
    },
  ],
  [
    "cancelled",
    {
      words: "stopped: not done within the hook's timeout",
      hint: "raise the hook's timeout, or set ISTHMOS_BUDGET_MS lower",
    },
  ],
  [
    "not_connected",
    { words: "not asked: the MCP server was not connected", hint: "see /mcp in Claude Code" },
  ],
  [
    "not_started",
    {
      words: "not run: the program could not be started",
      hint: "run isthmos init, which wires this program",
    },
  ],
  [
    "not_json",
    { words: "of no use: its output was not JSON", hint: "nothing but the answer may come on stdout" },
  ],
  ["failed", { words: "failed with an exit code", hint: "see trial, and failures" }],
  ["other", { words: "failed in the client", hint: "start the client with --debug and look for the hook" }],
]);

/** Refusals by reason, each with its tools. */
export function checkRewrites({ wired }: Facts, { transcripts }: Reality): Finding[] {
  const check = "rewrites";
  const { files, refusals } = transcripts;
  if (files === 0 || (wired.ours.length === 0 && refusals.length === 0)) return [];
  if (refusals.length === 0) {
    const message = `none refused, by ${formatCount(files, "transcript")} of the last ${RECENT_WORDS}`;
    return [{ check, level: "ok", message }];
  }
  const findings = [...REASONS].flatMap(([reason, { words, hint }]): Finding[] => {
    const group = refusals.filter((refusal) => refusal.reason === reason);
    if (group.length === 0) return [];
    const last = formatTime(Math.max(...group.map(({ ts }) => ts)));
    const message = `${formatCount(group.length, "hook call")} ${words}: ${listTools(group)}; the last ${last}`;
    return [{ check, level: "warning", message, hint }];
  });
  const open = openRefusals(refusals).length;
  if (open > 0) {
    const message = `${formatCount(open, "rewrite")} of these count as savings in stats, though the model got the original`;
    findings.push({
      check,
      level: "warning",
      message,
      hint: "isthmos doctor --fix books them as they were delivered",
    });
  }
  return findings;
}

/** Those that the log still counts as delivered. */
export function openRefusals(refusals: readonly Refusal[]): Refusal[] {
  return refusals.filter(({ call }) => call !== undefined);
}

function listTools(group: readonly Refusal[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of group) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const named = [...counts].sort((a, b) => b[1] - a[1]).map(([tool, count]) => `${cleanName(tool)} ${count}`);
  return listSome(named, TOOLS_SHOWN);
}
