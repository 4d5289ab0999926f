// SPDX-License-Identifier: Apache-2.0
// Does the hook fire, does it see anything, does what it answers arrive, and does the model ask for it back?
import { formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import { type Finding, formatTime, listSome, RECENT_WORDS } from "./finding.ts";
import type { Traffic } from "./traffic.ts";

/** Fewer empty results may be chance. */
const EMPTY_MIN = 5;
/** Fewer reveals may be curiosity. */
const REVEALS_MIN = 5;
/** Reveals for each changed call from which on a rule cuts what is needed. */
const REVEALS_SHARE = 1 / 5;
const TOOLS_SHOWN = 5;

/** Did the hook fire, with what, and did its answers reach the model? */
export function checkCalls({ setup, wired, traffic }: Facts): Finding[] {
  const check = "calls";
  // Nothing is measured, or the log says nothing true.
  if (setup.mode === "off" || traffic.problem !== undefined) return [];
  const { lastCall, recentCalls, textCalls, emptyCalls, sums } = traffic;
  const isWired = wired.ours.some(({ event }) => event === "PostToolUse");
  if (lastCall === undefined) {
    if (!isWired) return [];
    const hint =
      "let the agent call a tool that a matcher names; if nothing changes, ask /hooks in Claude Code";
    return [{ check, level: "warning", message: "the hook has never fired", hint }];
  }
  const last = `the last ${formatTime(lastCall)}`;
  if (recentCalls === 0) {
    const message = `none within ${RECENT_WORDS}, ${last}`;
    return isWired ? [{ check, level: "note", message }] : [];
  }
  const findings: Finding[] = [
    { check, level: "ok", message: `${recentCalls} within ${RECENT_WORDS}, ${last}` },
    { check, level: "ok", message: `last fired: ${listFired(traffic)}` },
  ];
  if (textCalls >= EMPTY_MIN && emptyCalls === textCalls) {
    const message = `all ${textCalls} results that should hold text came without any: the hook sees only empty payloads`;
    const hint = "update isthmos: this version may not know the format of the client's events";
    findings.push({ check, level: "broken", message, hint });
  }
  const rejecting = sums.live.tools.filter(({ rejected }) => rejected > 0);
  if (rejecting.length > 0) {
    const rewrites = formatCount(sums.live.total.rejected, "rewrite");
    const tools = rejecting.map(({ tool, rejected }) => `${cleanName(tool)} ${rejected}`);
    const message = `${rewrites} within ${RECENT_WORDS} did not reach the model: ${listSome(tools, TOOLS_SHOWN)}`;
    const hint = "look for another hook that rewrites, and for results that the client spills to a file";
    findings.push({ check, level: "warning", message, hint });
  }
  return findings;
}

/** The tools that are called most, with the time of the last call. */
function listFired({ fired }: Traffic): string {
  const tools = [...fired].sort((a, b) => b[1].calls - a[1].calls || (a[0] < b[0] ? -1 : 1));
  return listSome(
    tools.map(([tool, { last }]) => `${cleanName(tool)} ${formatTime(last)}`),
    TOOLS_SHOWN,
  );
}

/** Tools whose results the model asks back again and again. */
export function checkReveals({ traffic }: Facts): Finding[] {
  const piles = [...traffic.uses].filter(
    ([, { changed, reveals }]) => reveals >= REVEALS_MIN && reveals >= changed * REVEALS_SHARE,
  );
  return piles.map(([tool, { changed, reveals, rules }]): Finding => {
    const calls = formatCount(changed, "changed result");
    const message = `${cleanName(tool)}: ${reveals} reveals for ${calls} within ${RECENT_WORDS}: what the model needs is cut`;
    const numbers = [...rules].map((rule) => rule + 1).sort((a, b) => a - b);
    const which = numbers.length === 0 ? "the tool's rules" : `rule ${numbers.join(" and rule ")}`;
    return { check: "reveals", level: "warning", message, hint: `raise the limits of ${which}` };
  });
}
