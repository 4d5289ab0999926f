// SPDX-License-Identifier: Apache-2.0
// One line of a transcript in, what it says about hooks and results out. For `doctor`: did the client refuse what a
// hook answered, and what did the model get? Everything else in a transcript is passed over unread. Seen with
// clients 2.1.197 and 2.1.332.
import { stripLineNumbers } from "./delivery.ts";
import { isRecord } from "./settings-text.ts";

/** Why an answer of a hook was not used, or why there was none. */
export type HookFault =
  | "shape"
  | "cancelled"
  | "not_json"
  | "not_connected"
  | "not_started"
  | "failed"
  | "other";

/** What became of one hook. */
export interface HookRow {
  readonly kind: "hook";
  /** Ms since the epoch; NaN where the row has no time. */
  readonly ts: number;
  readonly useId: string;
  readonly event: string;
  readonly tool: string;
  /** The command line as the client joins it, or `server/tool`; absent where the client does not say whose it was. */
  readonly command?: string;
  /** The server that was not connected. */
  readonly server?: string;
  /** It answered another result. */
  readonly rewrote: boolean;
  readonly fault?: HookFault;
  readonly exitCode?: number;
}

/** What the model got for one call. */
export interface ResultRow {
  readonly kind: "result";
  /** Ms since the epoch; NaN where the row has no time. */
  readonly ts: number;
  readonly useId: string;
  /** UTF-8 bytes of the texts, the client's decoration taken off as far as it is known without the call. */
  readonly bytes: number;
  /** The same with line numbers taken off: what counts for Read. */
  readonly plainBytes: number;
}

const NOT_CONNECTED = /^MCP server '(.{1,200})' not connected/;
/** The client's own words come first. */
const WORDS_MAX_LENGTH = 500;

/** `results` false leaves the rows with tool results, the large ones, unparsed. */
export function readTranscriptLine(line: string, results: boolean): (HookRow | ResultRow)[] {
  // A look at the text first: most lines are neither, and parsing is what costs.
  const mayBeHook = line.includes('"hook_');
  if (!mayBeHook && !(results && line.includes('"tool_result"'))) return [];
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    // Half written, or of another kind.
    return [];
  }
  if (!isRecord(row)) return [];
  if (row.type === "attachment" && isRecord(row.attachment)) return readHook(row.attachment, row.timestamp);
  if (results && row.type === "user" && isRecord(row.message))
    return readResults(row.message.content, row.timestamp);
  return [];
}

function readHook(attachment: Record<string, unknown>, timestamp: unknown): HookRow[] {
  const fault = faultOf(attachment);
  const { type, toolUseID, hookEvent, hookName, command, exitCode } = attachment;
  const [, server] = NOT_CONNECTED.exec(asText(attachment.stderr).slice(0, WORDS_MAX_LENGTH)) ?? [];
  if (typeof toolUseID !== "string" || (fault === undefined && type !== "hook_success")) return [];
  const name = asText(hookName);
  return [
    {
      kind: "hook",
      ts: Date.parse(asText(timestamp)),
      useId: toolUseID,
      event: asText(hookEvent),
      // `PostToolUse:Bash`
      tool: name.slice(name.indexOf(":") + 1),
      rewrote: asText(attachment.stdout).includes('"updatedToolOutput"'),
      ...(typeof command === "string" && { command }),
      ...(fault !== undefined && { fault }),
      ...(server !== undefined && { server }),
      ...(typeof exitCode === "number" && { exitCode }),
    },
  ];
}

function faultOf({ type, content, stderr }: Record<string, unknown>): HookFault | undefined {
  if (type === "hook_cancelled") return "cancelled";
  if (type === "hook_error_during_execution") {
    return / does not match .{1,200}'s output shape/.test(asText(content).slice(0, WORDS_MAX_LENGTH))
      ? "shape"
      : "other";
  }
  if (type === "hook_blocking_error") return "failed";
  if (type !== "hook_non_blocking_error") return undefined;
  const words = asText(stderr).slice(0, WORDS_MAX_LENGTH);
  if (NOT_CONNECTED.test(words)) return "not_connected";
  if (words.includes("not valid JSON")) return "not_json";
  return /\bENOENT\b|\bEACCES\b/.test(words) ? "not_started" : "failed";
}

function readResults(content: unknown, timestamp: unknown): ResultRow[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): ResultRow[] => {
    if (!isRecord(block) || block.type !== "tool_result" || typeof block.tool_use_id !== "string") return [];
    const bytes = new TextEncoder().encode(textOf(block.content));
    return [
      {
        kind: "result",
        ts: Date.parse(asText(timestamp)),
        useId: block.tool_use_id,
        bytes: bytes.length,
        plainBytes: stripLineNumbers(bytes).length,
      },
    ];
  });
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((block) =>
    isRecord(block) && typeof block.text === "string" && block.text !== "" ? [block.text] : [],
  );
  return texts.join("\n");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
