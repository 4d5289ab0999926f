// SPDX-License-Identifier: Apache-2.0
import type { Aggregate, Section } from "./aggregate.ts";
import { formatBytes, formatCount, formatShare } from "./units.ts";

/** Tools that come with an agent. Any other name can tell of a private server or script, so it is never shared. */
const BUILT_IN = new Set(
  "Agent Bash Edit Glob Grep LS MultiEdit NotebookEdit NotebookRead PowerShell Read Task WebFetch WebSearch Write".split(
    " ",
  ),
);
const DAY_MS = 24 * 60 * 60 * 1000;

/** Three to six lines to paste somewhere: totals and built-in names only. */
export function shareLines({ live, shadow, first = 0, last = 0 }: Aggregate): string[] {
  const isLive = live.total.calls > 0 || live.total.reveals > 0;
  const section = isLive ? live : shadow;
  const { total } = section;
  const days = formatCount(Math.ceil((last - first) / DAY_MS) || 1, "day");
  const verb = isLive ? "saved" : "would have saved (shadow mode)";
  return [
    `isthmos: ${formatCount(total.calls, "tool result")} in ${days}, ${formatBytes(total.in)} in, ${formatBytes(total.out)} out`,
    `${verb}: ${formatBytes(total.saved)}, ${formatShare(total.saved, total.in)} of all tool output seen, about ${total.tokens} tokens (bytes / 4)`,
    `by tool: ${byKind(section)}`,
    `sizes: ${total.delivered} as the host delivered them, ${total.estimated} estimated; ${formatCount(total.reveals, "reveal")} netted`,
  ];
}

function byKind({ tools }: Section): string {
  const sums = new Map<string, number>();
  for (const { tool, saved } of tools) {
    const kind = BUILT_IN.has(tool) ? tool : tool.startsWith("mcp__") ? "MCP tools" : "other tools";
    sums.set(kind, (sums.get(kind) ?? 0) + saved);
  }
  const sorted = [...sums].sort(([a, savedA], [b, savedB]) => savedB - savedA || (a < b ? -1 : 1));
  return sorted.map(([kind, saved]) => `${kind} ${formatBytes(saved)}`).join(", ");
}
