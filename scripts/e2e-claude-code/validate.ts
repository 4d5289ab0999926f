// SPDX-License-Identifier: Apache-2.0
// Refuses what the Messages API would refuse: a request with a block that the real service answers with
// "400 invalid_request_error" ends the session, and the row stays in its history. Covers what a rewriting
// hook can break (messages and their blocks), not sampling parameters.
import { isRecord, type Json } from "./json.ts";

const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const IMAGE_TYPES: ReadonlySet<unknown> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Block type → the keys it may have, by the place it stands in. */
const USER_BLOCKS = new Map<string, readonly string[]>([
  ["text", ["text", "citations"]],
  ["image", ["source"]],
  ["document", ["source", "title", "context", "citations"]],
  ["tool_result", ["tool_use_id", "content", "is_error"]],
]);
const RESULT_BLOCKS = new Map<string, readonly string[]>([
  ["text", ["text", "citations"]],
  ["image", ["source"]],
  ["document", ["source", "title", "context", "citations"]],
  ["search_result", ["source", "title", "content", "citations"]],
  ["tool_reference", ["tool_name"]],
]);
const ASSISTANT_BLOCKS = new Map<string, readonly string[]>([
  ["text", ["text", "citations"]],
  ["tool_use", ["id", "name", "input", "caller"]],
  ["thinking", ["thinking", "signature"]],
]);

/** Everything the API would refuse in a request body, one line a fault; none: an empty list. */
export function findFaults(body: Uint8Array): string[] {
  let request: unknown;
  try {
    request = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    return [`the body is not JSON in UTF-8: ${String(error)}`];
  }
  if (!isRecord(request)) return ["the body is not an object"];
  const faults: string[] = [];
  if (typeof request.model !== "string" || request.model === "") faults.push("model is missing");
  const messages = request.messages;
  if (!Array.isArray(messages) || messages.length === 0) return [...faults, "messages is empty"];
  let open: readonly string[] = [];
  messages.forEach((message: unknown, index) => {
    open = checkMessage(message, `messages.${index}`, open, faults);
  });
  if (open.length > 0) faults.push(`tool_use without tool_result: ${open.join(", ")}`);
  checkStrings(request, faults);
  return faults;
}

/** Checks one message; returns the ids of the tool calls that the next one must answer. */
function checkMessage(message: unknown, where: string, open: readonly string[], faults: string[]): string[] {
  const say = (text: string) => faults.push(`${where}: ${text}`);
  if (!isRecord(message)) {
    say(`not an object: ${show(message)}`);
    return [];
  }
  const { role, content } = message;
  if (role !== "user" && role !== "assistant" && role !== "system") say(`role ${show(role)}`);
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks) || blocks.length === 0) {
    say(`content is neither text nor a list of blocks: ${show(content)}`);
    return [];
  }
  const known = role === "assistant" ? ASSISTANT_BLOCKS : USER_BLOCKS;
  const checked = blocks.filter((block: unknown, index) =>
    checkBlock(block, known, `${where}.content.${index}`, faults),
  );
  const calls = checked.filter((block) => block.type === "tool_use").map((block) => String(block.id));
  if (new Set(calls).size < calls.length) say("two tool_use blocks have the same id");
  if (role === "user") checkPairs(checked, open, say);
  // A system message may stand between a call and its result.
  return role === "assistant" ? calls : role === "user" ? [] : [...open];
}

function checkPairs(blocks: readonly Json[], open: readonly string[], say: (text: string) => void): void {
  const answered = blocks
    .filter((block) => block.type === "tool_result")
    .map((block) => String(block.tool_use_id));
  const unknown = answered.filter((id) => !open.includes(id));
  const missing = open.filter((id) => !answered.includes(id));
  if (unknown.length > 0) say(`tool_result without its tool_use before it: ${unknown.join(", ")}`);
  if (missing.length > 0) say(`tool_use without tool_result right after it: ${missing.join(", ")}`);
  if (new Set(answered).size < answered.length) say("a tool_use is answered twice");
  if (blocks.slice(0, answered.length).some((block) => block.type !== "tool_result")) {
    say("a tool_result stands after another block");
  }
}

function checkBlock(
  block: unknown,
  known: ReadonlyMap<string, readonly string[]>,
  where: string,
  faults: string[],
): block is Json {
  const say = (text: string) => faults.push(`${where}: ${text}: ${show(block)}`);
  if (!isRecord(block)) {
    say("a block must be an object");
    return false;
  }
  const keys = known.get(String(block.type));
  if (keys === undefined) {
    say(`unknown block type ${show(block.type)}`);
    return false;
  }
  const extra = Object.keys(block).filter((key) => !["type", "cache_control", ...keys].includes(key));
  if (extra.length > 0) say(`extra keys ${extra.join(", ")}`);
  switch (block.type) {
    case "text":
      if (typeof block.text !== "string" || block.text.trim() === "") say("text is empty or no string");
      break;
    case "image":
      checkImage(block.source, say);
      break;
    case "tool_use":
      if (typeof block.id !== "string" || !NAME.test(block.id)) say("id");
      if (typeof block.name !== "string" || !NAME.test(block.name)) say("name");
      if (!isRecord(block.input)) say("input is no object");
      break;
    case "tool_result":
      checkResult(block, where, faults, say);
      break;
  }
  return true;
}

function checkResult(block: Json, where: string, faults: string[], say: (text: string) => void): void {
  const { content, is_error } = block;
  if (typeof block.tool_use_id !== "string" || !NAME.test(block.tool_use_id)) say("tool_use_id");
  if (is_error !== undefined && typeof is_error !== "boolean") say("is_error is no boolean");
  if (content === undefined || typeof content === "string") return;
  if (!Array.isArray(content)) {
    say("content is neither text nor a list of blocks");
    return;
  }
  content.forEach((inner: unknown, index) => {
    checkBlock(inner, RESULT_BLOCKS, `${where}.content.${index}`, faults);
  });
  if (is_error === true && content.some((inner: unknown) => !isRecord(inner) || inner.type !== "text")) {
    say("a failed result may hold text only");
  }
}

function checkImage(source: unknown, say: (text: string) => void): void {
  if (!isRecord(source) || source.type !== "base64") say("source is not base64");
  else if (!IMAGE_TYPES.has(source.media_type)) say("media_type");
  else if (typeof source.data !== "string" || source.data === "" || !BASE64.test(source.data)) say("data");
}

/** Lone surrogates anywhere: the service refuses the whole body. */
function checkStrings(root: unknown, faults: string[]): void {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === "string") {
      if (/\p{Surrogate}/u.test(value)) faults.push(`a string holds a lone surrogate: ${show(value)}`);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) stack.push(key, inner);
    }
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "undefined";
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
