// SPDX-License-Identifier: Apache-2.0
// Claude Code's hook events on the wire: bytes in, bytes out. The event is scanned once and never parsed into
// values or written anew; the answer is the received tool_response with the regions' edits spliced into it, so
// its shape, unknown keys and spelling are the client's own. Observed with clients 2.1.197 and 2.1.332.
import { type JsonIndex, NULL, OBJECT, STRING, scan } from "../../core/json/scan.ts";
import { applySplices, type Splice } from "../../core/splice.ts";
import type { Host, HostEvent, Rewrite, ToolCall } from "../host.ts";
import { findMember, isKey, kindOf, membersOf, readBytes, readText } from "../members.ts";
import { readDeliveries } from "./delivery.ts";
import { isOwn } from "./own.ts";
import { type Found, placeEdits, type Span } from "./places.ts";
import { findRegions } from "./shapes.ts";
import { readSpill, SPILL_KEYS } from "./spilled.ts";

/** A tool call with what `encode` needs of its event. */
export interface ClaudeCall extends ToolCall {
  readonly event: Uint8Array;
  /** Where `tool_response` stands in the event. */
  readonly response: Span;
  /** `found[i]` belongs to `regions[i]`. */
  readonly found: readonly Found[];
  /** Splices of the event that go along with any rewrite. */
  readonly drops: readonly Splice[];
}

/** Longer ids are not the client's; they would only cost. */
const ID_MAX_LENGTH = 4096;
const ANSWER_START = '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":';
const ANSWER_END = "}}";

export const claudeCode: Host<ClaudeCall> = { name: "claude-code", decode, encode };

function decode(input: Uint8Array): HostEvent<ClaudeCall> | undefined {
  const hasMark = input[0] === 0xef && input[1] === 0xbb && input[2] === 0xbf;
  const index = scan(input, hasMark ? 3 : 0);
  if (index === undefined || index.kind[0] !== OBJECT) return undefined;
  const name = readText(index, findMember(index, 0, "hook_event_name"));
  if (name === undefined || isForeign(index, name)) return undefined;
  switch (name) {
    case "PostToolUse":
      return decodeResult(index);
    case "PostToolUseFailure":
      return decodeFailure(index);
    case "PostToolBatch":
      return {
        kind: "batch",
        ...readReader(index),
        deliveries: readDeliveries(index, findMember(index, 0, "tool_calls")),
      };
    case "SessionStart":
    case "PreCompact":
    case "PostCompact": {
      const { session } = readReader(index);
      return session === undefined
        ? { kind: "ignored" }
        : { kind: "boundary", session, starts: name === "SessionStart" };
    }
    default:
      return { kind: "ignored" };
  }
}

// Other agents run Claude Code's hook files or send events of the same name; an answer in this dialect would be
// lost or take effect wrongly there. Members are only taken as a mark where this client is known not to send them.
function isForeign(index: JsonIndex, name: string): boolean {
  const has = (member: string) => findMember(index, 0, member) >= 0;
  // Gemini CLI: AfterTool, BeforeModel, …
  if (name.startsWith("After") || name.startsWith("Before")) return true;
  // Codex.
  if (has("turn_id") && has("model") && !has("prompt_id")) return true;
  // Copilot CLI, Cursor, Qwen Code.
  if (has("tool_result") || has("cursor_version") || has("tool_call_id")) return true;
  return findMember(index, findMember(index, 0, "tool_response"), "llmContent") >= 0;
}

function decodeResult(index: JsonIndex): HostEvent<ClaudeCall> | undefined {
  const tool = readText(index, findMember(index, 0, "tool_name"));
  const node = findMember(index, 0, "tool_response");
  if (tool === undefined) return undefined;
  if (node < 0 || index.kind[node] === NULL) return { kind: "ignored" };
  const found = findRegions(index, tool, node);
  const regions = found.map((one) => one.region);
  const spill = readSpill(index, tool, node, found);
  const useId = readId(index, "tool_use_id");
  const call: ClaudeCall = {
    tool,
    ...readReader(index),
    ...(useId !== undefined && { useId }),
    regions,
    ...spill,
    own: isOwn(tool, readInput(index, tool)),
    ...(!startsAtOne(index, node) && { referable: false }),
    event: index.bytes,
    response: { start: index.start[node]!, end: index.end[node]! },
    found,
    drops: tool === "Bash" && spill.spilled ? removeMembers(index, node, SPILL_KEYS) : [],
  };
  return { kind: "result", call };
}

function decodeFailure(index: JsonIndex): HostEvent<ClaudeCall> | undefined {
  const tool = readText(index, findMember(index, 0, "tool_name"));
  if (tool === undefined) return undefined;
  const useId = readId(index, "tool_use_id");
  const bytes = readBytes(index, findMember(index, 0, "error"))?.text.length ?? 0;
  return { kind: "failure", tool, ...(useId !== undefined && { useId }), bytes };
}

/** The answer that replaces the call's result; throws where an edit does not fit its place. */
function encode(call: ClaudeCall, rewrites: readonly (Rewrite | undefined)[]): Uint8Array {
  const edits: Splice[] = [...call.drops];
  call.found.forEach((found, i) => {
    const rewrite = rewrites[i];
    if (rewrite === undefined) return;
    // A result may have more edits than a call takes arguments.
    for (const edit of placeEdits(found, rewrite)) edits.push(edit);
  });
  edits.sort((a, b) => a.start - b.start);
  const { start, end } = call.response;
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  const result = applySplices(call.event.subarray(start, end), inside);
  const out = new Uint8Array(ANSWER_START.length + result.length + ANSWER_END.length);
  const encoder = new TextEncoder();
  encoder.encodeInto(ANSWER_START, out);
  out.set(result, ANSWER_START.length);
  encoder.encodeInto(ANSWER_END, out.subarray(ANSWER_START.length + result.length));
  return out;
}

// The client numbers a file's lines from `startLine`: the same text from elsewhere is another text to the model.
function startsAtOne(index: JsonIndex, response: number): boolean {
  const start = findMember(index, findMember(index, response, "file"), "startLine");
  if (start < 0) return true;
  return index.end[start]! - index.start[start]! === 1 && index.bytes[index.start[start]!] === 0x31;
}

function readReader(index: JsonIndex): { session?: string; agent?: string } {
  const session = readId(index, "session_id");
  const agent = readId(index, "agent_id");
  return { ...(session !== undefined && { session }), ...(agent !== undefined && { agent }) };
}

function readId(index: JsonIndex, name: string): string | undefined {
  const node = findMember(index, 0, name);
  if (kindOf(index, node) !== STRING || index.end[node]! - index.start[node]! > ID_MAX_LENGTH)
    return undefined;
  return readText(index, node) || undefined;
}

function readInput(
  index: JsonIndex,
  tool: string,
): { command?: string | undefined; path?: string | undefined } {
  const input = findMember(index, 0, "tool_input");
  if (tool === "Bash") return { command: readText(index, findMember(index, input, "command")) };
  if (tool === "Read") return { path: readText(index, findMember(index, input, "file_path")) };
  if (tool === "Grep") return { path: readText(index, findMember(index, input, "path")) };
  return {};
}

// The splices that take members out of an object and leave it well-formed, each with one comma beside it.
function removeMembers(index: JsonIndex, object: number, names: readonly string[]): Splice[] {
  const splices: Splice[] = [];
  let keptEnd = -1;
  let from = -1;
  let to = -1;
  const close = (end: number) => {
    if (from >= 0) splices.push({ start: from, end, insert: [] });
    from = -1;
  };
  for (const [key, value] of membersOf(index, object)) {
    if (names.some((name) => isKey(index, key, name))) {
      if (from < 0) from = keptEnd < 0 ? index.start[key]! : keptEnd;
      to = index.end[value]!;
      continue;
    }
    // Before the first kept member the hole reaches up to it; elsewhere the comma before it goes.
    close(keptEnd < 0 ? index.start[key]! : to);
    keptEnd = index.end[value]!;
  }
  close(to);
  return splices;
}
