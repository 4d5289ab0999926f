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
  /** The tool's arguments; default: `inputOf` the tool. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Read: the line that the text begins at, from 1. */
  readonly startLine?: number;
}

/** What a tool gave: a Bash result, a file, or the text block of an MCP tool. */
export function toolResult({ tool = "Bash", useId, text, input, startLine = 1, ...reader }: Call): string {
  return event("PostToolUse", reader, {
    tool_name: tool,
    tool_input: input ?? inputOf(tool),
    tool_response: responseOf(tool, text, startLine),
    tool_use_id: useId,
  });
}

function inputOf(tool: string): object {
  if (tool === "Bash") return { command: "make" };
  return tool === "Read" ? { file_path: "/home/dev/p/notes.txt" } : {};
}

function responseOf(tool: string, text: string, startLine: number): unknown {
  if (tool === "Bash")
    return { stdout: text, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
  if (tool !== "Read") return [{ type: "text", text }];
  const numLines = text.split("\n").length;
  const file = { filePath: "/home/dev/p/notes.txt", content: text, numLines, startLine, totalLines: 900 };
  return { type: "text", file };
}

/** What the turn's calls delivered. */
export function batch(calls: readonly Call[]): string {
  const [first] = calls;
  const reader = {
    ...(first?.session && { session: first.session }),
    ...(first?.agent && { agent: first.agent }),
  };
  return event("PostToolBatch", reader, {
    tool_calls: calls.map(({ tool = "Bash", useId, text, input, startLine = 1 }) => ({
      tool_name: tool,
      tool_input: input ?? inputOf(tool),
      tool_use_id: useId,
      tool_response: deliveredOf(tool, text, startLine),
    })),
  });
}

// The client numbers the lines of a file.
function deliveredOf(tool: string, text: string, startLine: number): unknown {
  if (tool === "Bash") return text;
  if (tool !== "Read") return [{ type: "text", text }];
  const lines = text.split("\n");
  return lines.map((line, i) => `${startLine + i}\t${line}`).join("\n");
}

/** The text that an answer gives the model instead, or undefined where it gives none. */
export function answeredText(stdout: Uint8Array): string | undefined {
  if (stdout.length === 0) return undefined;
  const answer: { hookSpecificOutput: { updatedToolOutput: unknown } } = JSON.parse(
    Buffer.from(stdout).toString(),
  );
  const output = answer.hookSpecificOutput.updatedToolOutput;
  if (Array.isArray(output)) return String(output[0].text);
  if (typeof output !== "object" || output === null) return undefined;
  if ("stdout" in output) return String(output.stdout);
  const file = "file" in output ? output.file : undefined;
  return typeof file === "object" && file !== null && "content" in file ? String(file.content) : undefined;
}

/** The ids that a text cites in markers, each once. */
export function citedIds(text: string): string[] {
  return [...new Set(text.match(/(?<=, full: isthmos reveal )[0-9a-f]{16}(?=\])/g))];
}
