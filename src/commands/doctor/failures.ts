// SPDX-License-Identifier: Apache-2.0
import { HEALTH_CODES, type HealthCode, healthFile, readHealth } from "../../health.ts";
import { formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import { explainFile } from "./access.ts";
import type { Facts } from "./facts.ts";
import { type Finding, formatTime, listSome, RECENT_MS, RECENT_WORDS } from "./finding.ts";

/** Where the code alone tells the next step. */
const HINTS: ReadonlyMap<HealthCode, string> = new Map<HealthCode, string>([
  ["input_invalid", "wire isthmos hook only for events that docs/integrations.md names"],
  ["budget", "set ISTHMOS_BUDGET_MS higher in the hook's command"],
  ["rules_unreadable", "run isthmos rules check"],
  ["rules_invalid", "run isthmos rules check"],
  ["usage", "correct the command in the client's settings: isthmos hook takes no arguments"],
  ["internal", "report it with what the tool did"],
]);
const TOOLS_SHOWN = 3;

/** What failed open lately, by code; the results passed through unchanged. */
export function checkFailures({ env, now, show }: Facts): Finding[] {
  const groups = new Map<HealthCode, { count: number; last: number; tools: Set<string> }>();
  for (const { ts, code, tool } of readHealth(env.stateDir.value)) {
    const time = Date.parse(ts);
    if (!(time >= now - RECENT_MS)) continue;
    const group = groups.get(code) ?? { count: 0, last: time, tools: new Set() };
    groups.set(code, group);
    group.count++;
    group.last = Math.max(group.last, time);
    if (tool !== undefined) group.tools.add(tool);
  }
  const problem = explainFile(healthFile(env.stateDir.value), show);
  if (problem !== undefined) {
    const message = `the health record cannot be written: ${problem}`;
    return [{ check: "failures", level: "broken", message, hint: "failures leave no trace until it can be" }];
  }
  if (groups.size === 0) return [{ check: "failures", level: "ok", message: `none within ${RECENT_WORDS}` }];
  return HEALTH_CODES.flatMap(({ code, meaning }): Finding[] => {
    const group = groups.get(code);
    if (group === undefined) return [];
    const tools = [...group.tools].map((tool) => cleanName(tool));
    const where = tools.length === 0 ? "" : ` (${listSome(tools, TOOLS_SHOWN)})`;
    const message = `${code} ${formatCount(group.count, "time")}, last ${formatTime(group.last)}: ${meaning}${where}`;
    const hint = HINTS.get(code);
    return [{ check: "failures", level: "warning", message, ...(hint !== undefined && { hint }) }];
  });
}
