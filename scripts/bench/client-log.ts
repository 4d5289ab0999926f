// SPDX-License-Identifier: Apache-2.0
// How long the client says its PostToolUse hooks took.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, textAt, tryParse } from "../e2e-claude-code/json.ts";

/** Command hooks, silent ones too: the debug log has a line for each. */
const FINISHED = /Hooks: PostToolUse:\S+ \[.*\] finished with status \d+ \((\d+)ms\)/g;

/** Times of one session's PostToolUse hooks, ms, in order: of commands from the debug log, else from the transcript. */
export function readHookTimes(home: string, debugLog: string): number[] {
  const logged = [...readFileSync(debugLog, "utf8").matchAll(FINISHED)].map(([, ms]) => Number(ms));
  return logged.length > 0 ? logged : readTranscript(home);
}

// The debug log has no line for the end of an mcp_tool hook; the transcript has its duration, answered or not.
function readTranscript(home: string): number[] {
  const root = join(home, ".claude/projects");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const attachments = files
    .flatMap((file) => readFileSync(join(root, file), "utf8").split("\n"))
    .map((line) => at(tryParse(line), "attachment"))
    .filter((row) => textAt(row, "type") === "hook_success" && textAt(row, "hookEvent") === "PostToolUse");
  return attachments.map((row) => Number(at(row, "durationMs")));
}
