// SPDX-License-Identifier: Apache-2.0
// Events of one Claude Code session, in the client's shapes, for tests that play whole turns.

export interface Reader {
  readonly session?: string;
  readonly agent?: string;
}

function event(name: string, { session = "session-1", agent }: Reader, members: object): string {
  return JSON.stringify({
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/p/${session}.jsonl`,
    cwd: "/home/dev/p",
    ...(agent !== undefined && { agent_id: agent, agent_type: "general-purpose" }),
    hook_event_name: name,
    ...members,
  });
}

export function sessionStart(source: string, reader: Reader = {}): string {
  return event("SessionStart", reader, { source });
}

export function compaction(name: "PreCompact" | "PostCompact", reader: Reader = {}): string {
  return event(name, reader, { trigger: "auto" });
}

export interface Call extends Reader {
  readonly tool?: string;
  readonly useId: string;
  readonly text: string;
}

/** What a tool gave: a Bash result, or the text block of an MCP tool. */
export function toolResult({ tool = "Bash", useId, text, ...reader }: Call): string {
  const response =
    tool === "Bash"
      ? { stdout: text, stderr: "", interrupted: false, isImage: false, noOutputExpected: false }
      : [{ type: "text", text }];
  const input = tool === "Bash" ? { command: "make" } : {};
  return event("PostToolUse", reader, {
    tool_name: tool,
    tool_input: input,
    tool_response: response,
    tool_use_id: useId,
  });
}

/** What the turn's calls delivered. */
export function batch(calls: readonly Call[]): string {
  const [first] = calls;
  const reader = {
    ...(first?.session && { session: first.session }),
    ...(first?.agent && { agent: first.agent }),
  };
  return event("PostToolBatch", reader, {
    tool_calls: calls.map(({ tool = "Bash", useId, text }) => ({
      tool_name: tool,
      tool_input: tool === "Bash" ? { command: "make" } : {},
      tool_use_id: useId,
      tool_response: tool === "Bash" ? text : [{ type: "text", text }],
    })),
  });
}

/** The text that an answer gives the model instead, or undefined where it gives none. */
export function answeredText(stdout: Uint8Array): string | undefined {
  if (stdout.length === 0) return undefined;
  const answer: { hookSpecificOutput: { updatedToolOutput: unknown } } = JSON.parse(
    Buffer.from(stdout).toString(),
  );
  const output = answer.hookSpecificOutput.updatedToolOutput;
  if (Array.isArray(output)) return String(output[0].text);
  return typeof output === "object" && output !== null && "stdout" in output
    ? String(output.stdout)
    : undefined;
}

/** The ids that a text cites in markers, each once. */
export function citedIds(text: string): string[] {
  return [...new Set(text.match(/(?<=, full: isthmos reveal )[0-9a-f]{16}(?=\])/g))];
}
