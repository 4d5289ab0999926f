// SPDX-License-Identifier: Apache-2.0
// What the client wrote down about the hooks, in the transcripts of the session and of its sub-agents.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, isRecord, type Json, listOf, textAt, tryParse } from "./json.ts";

/** Attachments that say a hook went wrong, or that its answer was refused. */
const BAD: ReadonlySet<string> = new Set([
  "hook_error_during_execution",
  "hook_non_blocking_error",
  "hook_blocking_error",
  "hook_cancelled",
]);

export interface Transcripts {
  readonly faults: readonly string[];
  /** tool_use ids of the calls for which a PostToolUse hook gave an answer. */
  readonly answered: ReadonlySet<string>;
  /** tool_use id → the tool_result block as the client keeps it: without reminders, nothing trimmed. */
  readonly results: ReadonlyMap<string, Json>;
  readonly subagents: number;
}

/** Reads every transcript in `home`; `quiet`: a hook that succeeded may say nothing on stderr. */
export function readTranscripts(home: string, quiet: boolean): Transcripts {
  const root = join(home, ".claude/projects");
  const files = existsSync(root)
    ? readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    : [];
  const faults: string[] = files.length === 0 ? ["the client wrote no transcript"] : [];
  const answered = new Set<string>();
  const results = new Map<string, Json>();
  for (const file of files) {
    for (const line of readFileSync(join(root, file), "utf8").split("\n")) {
      const row = tryParse(line);
      for (const block of listOf(at(row, "message", "content"))) {
        if (isRecord(block) && block.type === "tool_result") results.set(String(block.tool_use_id), block);
      }
      const attachment = at(row, "attachment");
      const type = textAt(attachment, "type");
      if (BAD.has(type)) faults.push(`${type} in ${file}: ${JSON.stringify(attachment).slice(0, 1000)}`);
      if (type !== "hook_success") continue;
      const stderr = textAt(attachment, "stderr");
      // An mcp_tool hook has no exit code.
      if ((at(attachment, "exitCode") ?? 0) !== 0)
        faults.push(`a hook's exit code is not 0: ${line.slice(0, 1000)}`);
      if (quiet && stderr !== "") faults.push(`a hook said on stderr: ${stderr}`);
      const isAnswer = textAt(attachment, "stdout").trim() !== "";
      if (isAnswer && textAt(attachment, "hookEvent") === "PostToolUse")
        answered.add(textAt(attachment, "toolUseID"));
    }
  }
  return {
    faults,
    answered,
    results,
    subagents: files.filter((name) => name.includes("/subagents/")).length,
  };
}
