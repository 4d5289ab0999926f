// SPDX-License-Identifier: Apache-2.0
// Transcripts as Claude Code 2.1.332 writes them, as far as the scorer looks: a row for each block of a reply, the
// results in rows of the user, and rows of other types between them.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface FakeCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** What the model gets: text, or blocks. */
  readonly result: string | readonly Record<string, unknown>[];
  readonly failed?: boolean;
  /** A hook with this command made the result smaller. */
  readonly rewrittenBy?: string;
}

export interface FakeReply {
  /** Input, cache creation, cache read, output; null: the row has no usage. */
  readonly usage: readonly [number, number, number, number] | null;
  readonly calls?: readonly FakeCall[];
  readonly model?: string;
}

type Rows = Record<string, unknown>[];

/** The rows of one file. `name` makes its ids unlike those of other files. */
export function makeRows(name: string, replies: readonly FakeReply[], agent?: string): Rows {
  let count = 0;
  const row = (type: string, more: Record<string, unknown>) => ({
    type,
    uuid: `${name}-${count++}`,
    sessionId: name,
    version: "2.1.332",
    isSidechain: agent !== undefined,
    ...(agent !== undefined && { agentId: agent }),
    ...more,
  });
  const rows: Rows = [
    { type: "queue-operation", operation: "enqueue", sessionId: name, content: "do it" },
    row("user", { message: { role: "user", content: "do it" } }),
  ];
  for (const [index, { usage, calls = [], model = "claude-test-1" }] of replies.entries()) {
    const idOf = (call: number) => `toolu-${name}-${index}-${call}`;
    const blocks = [
      { type: "text", text: "So be it." },
      ...calls.map(({ tool, input }, at) => ({ type: "tool_use", id: idOf(at), name: tool, input })),
    ];
    for (const [at, block] of blocks.entries()) {
      const message = {
        id: `msg-${name}-${index}`,
        model,
        content: [block],
        // Rows but the last are written before the output is counted.
        ...(usage !== null && { usage: toUsage(usage, at < blocks.length - 1) }),
      };
      rows.push(row("assistant", { message, requestId: `req-${name}-${index}` }));
    }
    for (const [at, { tool, result, failed = false, rewrittenBy }] of calls.entries()) {
      if (rewrittenBy !== undefined)
        rows.push(row("attachment", { attachment: makeHook(idOf(at), tool, rewrittenBy) }));
      const content = { type: "tool_result", tool_use_id: idOf(at), content: result, is_error: failed };
      rows.push(
        row("user", { message: { role: "user", content: [content] }, toolUseResult: { stdout: "?" } }),
      );
    }
    rows.push({ type: "last-prompt", sessionId: name });
  }
  return rows;
}

function toUsage([input, creation, read, output]: readonly number[], isEarly: boolean) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: creation,
    cache_read_input_tokens: read,
    output_tokens: isEarly ? 1 : output,
  };
}

function makeHook(toolUseID: string, tool: string, command: string) {
  const stdout = JSON.stringify({
    hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "smaller" },
  });
  const hookName = `PostToolUse:${tool}`;
  return {
    type: "hook_success",
    hookEvent: "PostToolUse",
    hookName,
    toolUseID,
    command,
    stdout,
    stderr: "",
    exitCode: 0,
  };
}

/** Writes rows as lines below `root`, and the folders they need. */
export function writeTranscript(root: string, path: string, rows: readonly unknown[]): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}
