// SPDX-License-Identifier: Apache-2.0
// How long the client says its PostToolUse hooks took, out of its debug log.
import { readFileSync } from "node:fs";

/** A command hook has a line at its end with its time. */
const FINISHED = /Hooks: PostToolUse:\S+ \[.*\] finished with status \d+ \((\d+)ms\)/;
/** An mcp_tool hook that answers has a line at its beginning and one at its end. */
const ASKED = /Hooks: mcp_tool calling /;
const ANSWERED = /"Hook PostToolUse:\S+ \(PostToolUse\) success/;
/** Every line begins with the time, ISO 8601. */
const TIME_LENGTH = "2026-11-30T10:00:00.000Z".length;

/** Times of one session's PostToolUse hooks, ms, in order. */
export function readHookTimes(debugLog: string): number[] {
  const times: number[] = [];
  let askedAt: number | undefined;
  for (const line of readFileSync(debugLog, "utf8").split("\n")) {
    const [, ms] = FINISHED.exec(line) ?? [];
    const now = Date.parse(line.slice(0, TIME_LENGTH));
    if (ms !== undefined) times.push(Number(ms));
    else if (ASKED.test(line)) askedAt = now;
    else if (askedAt !== undefined && ANSWERED.test(line)) {
      times.push(now - askedAt);
      askedAt = undefined;
    }
  }
  return times;
}
