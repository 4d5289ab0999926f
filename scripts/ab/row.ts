// SPDX-License-Identifier: Apache-2.0
// One line of a Claude Code transcript in, what the scorer counts out. Seen with clients 2.1.197 and 2.1.332: one row
// for each content block of a reply, all with the reply's id and usage; what the model got stands in tool_result.
import { createHash } from "node:crypto";
import { runsHook } from "../../src/hosts/claude-code/hook-command.ts";
import { readTranscriptLine } from "../../src/hosts/claude-code/transcript.ts";
import { callsReveal, isOwnTool } from "../../src/hosts/own-call.ts";
import { at, isRecord, type Json, listOf, textAt, tryParse } from "../e2e-claude-code/json.ts";

export interface Usage {
  readonly input: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
  readonly output: number;
}

export interface ToolUse {
  readonly id: string;
  /** Tool and arguments: equal in calls that do the same again. */
  readonly key: string;
  readonly isReveal: boolean;
}

interface Common {
  /** Copies of a row in other files have it too; "" where the row has none. */
  readonly uuid: string;
  /** "" is the main conversation. */
  readonly agent: string;
  readonly version: string;
}

export interface ReplyRow extends Common {
  readonly kind: "reply";
  readonly reply: string;
  readonly model: string;
  readonly usage: Usage | undefined;
  readonly uses: readonly ToolUse[];
}

export interface ResultRow extends Common {
  readonly kind: "results";
  readonly results: readonly { readonly useId: string; readonly bytes: number; readonly failed: boolean }[];
}

/** A hook of isthmos answered another result. */
export interface RewriteRow extends Common {
  readonly kind: "rewrite";
  readonly useId: string;
}

export type Row = ReplyRow | ResultRow | RewriteRow;

/** Reads one line. undefined: a row of no interest. "broken": no JSON, or a reply that cannot be understood. */
export function readRow(line: string): Row | "broken" | undefined {
  const row = tryParse(line);
  if (row === undefined) return "broken";
  if (!isRecord(row)) return undefined;
  const common: Common = {
    uuid: textAt(row, "uuid"),
    // Old clients keep the rows of sub-agents in the main file.
    agent: textAt(row, "agentId") || (row.isSidechain === true ? "sidechain" : ""),
    version: textAt(row, "version"),
  };
  if (row.type === "assistant") return readReply(row, common);
  if (row.type === "user") return readResults(row, common);
  return row.type === "attachment" ? readRewrite(line, common) : undefined;
}

function readReply(row: Json, common: Common): ReplyRow | "broken" | undefined {
  const model = textAt(row, "message", "model");
  // What the client says in the model's place, such as an error of the connection.
  if (model === "<synthetic>" || row.isApiErrorMessage === true) return undefined;
  const id = textAt(row, "message", "id");
  if (id === "") return "broken";
  const uses = listOf(at(row, "message", "content")).flatMap((block): ToolUse[] => {
    if (!isRecord(block) || block.type !== "tool_use" || typeof block.id !== "string") return [];
    const name = textAt(block, "name");
    return [{ id: block.id, key: keyOf(name, block.input), isReveal: isReveal(name, block.input) }];
  });
  const reply = `${id} ${textAt(row, "requestId")}`;
  return { kind: "reply", ...common, reply, model, usage: readUsage(at(row, "message", "usage")), uses };
}

function readUsage(usage: unknown): Usage | undefined {
  const counts = [
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
  ].map((name, index) => {
    const count = at(usage, name);
    // Without caching the two in the middle may be absent or null.
    return count === undefined || count === null ? (index === 1 || index === 2 ? 0 : -1) : count;
  });
  const [input, cacheCreation, cacheRead, output] = counts.map((count) =>
    isCount(count) ? count : undefined,
  );
  if (input === undefined || cacheCreation === undefined || cacheRead === undefined || output === undefined)
    return undefined;
  return { input, cacheCreation, cacheRead, output };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isReveal(name: string, input: unknown): boolean {
  if (name === "Bash") return callsReveal(textAt(input, "command"));
  return isOwnTool(name) && name.endsWith("__reveal");
}

function keyOf(name: string, input: unknown): string {
  // The description of a Bash call is free text: the command is what is done again.
  const { description, ...rest } = isRecord(input) ? input : { value: input };
  const args = name === "Bash" || description === undefined ? rest : { description, ...rest };
  const text = JSON.stringify([name, args], (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
  return createHash("sha256").update(text).digest("base64");
}

function readResults(row: Json, common: Common): ResultRow | undefined {
  const results = listOf(at(row, "message", "content")).flatMap((block) => {
    if (!isRecord(block) || block.type !== "tool_result" || typeof block.tool_use_id !== "string") return [];
    return [{ useId: block.tool_use_id, bytes: countBytes(block.content), failed: block.is_error === true }];
  });
  return results.length > 0 ? { kind: "results", ...common, results } : undefined;
}

/** UTF-8 bytes of the texts; images and other blocks have none. */
function countBytes(content: unknown): number {
  if (typeof content === "string") return Buffer.byteLength(content);
  return listOf(content).reduce<number>((sum, block) => sum + Buffer.byteLength(textAt(block, "text")), 0);
}

function readRewrite(line: string, common: Common): RewriteRow | undefined {
  const [hook] = readTranscriptLine(line, false);
  if (hook?.kind !== "hook" || !hook.rewrote || hook.fault !== undefined) return undefined;
  const { command = "", useId } = hook;
  // An mcp_tool hook is named by its server, which a plugin may bring.
  const isOurs = runsHook(command) || /^(?:plugin:[^/]*:)?isthmos\//.test(command);
  return isOurs ? { kind: "rewrite", ...common, useId } : undefined;
}
