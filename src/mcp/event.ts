// SPDX-License-Identifier: Apache-2.0
// The client's mcp_tool hook hands the fields of an event over as strings: a string as it is, everything else as
// JSON text, what is missing as "". Here they become the event's JSON again, without a value being parsed: a string
// goes in as the literal that came, JSON text as it stands once a scan has shown that it is one value. Number
// spelling, escapes and duplicate keys survive (C4).
import { ARRAY, type JsonIndex, OBJECT, STRING, scan } from "../core/json/scan.ts";
import { decodeText } from "../core/json/strings.ts";
import { findMember, itemsOf, kindOf } from "../hosts/members.ts";

/** Fields that are strings in the event. */
export const TEXT_FIELDS = [
  "hook_event_name",
  "session_id",
  "transcript_path",
  "cwd",
  "permission_mode",
  "agent_id",
  "agent_type",
  "tool_name",
  "tool_use_id",
  "source",
  "trigger",
  "error",
] as const;

/** Fields that hold any JSON value. */
export const JSON_FIELDS = ["tool_input", "tool_response", "tool_calls"] as const;

export type FieldName = (typeof TEXT_FIELDS)[number] | (typeof JSON_FIELDS)[number];

/** The fields of a call by name: JSON string literals, quotes included, as the client wrote them. None is empty. */
export type Fields = ReadonlyMap<FieldName, Uint8Array>;

const EMPTY_LITERAL_BYTES = 2;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const MCP_PREFIX = "mcp__";

/** The fields among the call's arguments (the node of an object, or -1), or what is wrong with them in words. */
export function readFields(index: JsonIndex, args: number): Fields | string {
  const fields = new Map<FieldName, Uint8Array>();
  if (args < 0) return fields;
  if (index.kind[args] !== OBJECT) return "arguments must be an object";
  for (const name of [...TEXT_FIELDS, ...JSON_FIELDS]) {
    const node = findMember(index, args, name);
    if (node < 0) continue;
    if (index.kind[node] !== STRING)
      return `${name} must be a string: what the client puts in for "\${${name}}"`;
    const literal = index.bytes.subarray(index.start[node]!, index.end[node]!);
    if (literal.length > EMPTY_LITERAL_BYTES) fields.set(name, literal);
  }
  return fields;
}

/** Fields from texts, as a client would send them. */
export function toFields(texts: Readonly<Partial<Record<FieldName, string>>>): Fields {
  const fields = new Map<FieldName, Uint8Array>();
  for (const name of [...TEXT_FIELDS, ...JSON_FIELDS]) {
    const text = texts[name];
    if (text) fields.set(name, Buffer.from(JSON.stringify(text)));
  }
  return fields;
}

/** The event that a whole MCP message, a call of the tool, holds; undefined if it holds none. */
export function readCall(message: Uint8Array): Uint8Array | undefined {
  const index = scan(message);
  if (index === undefined) return undefined;
  const fields = readFields(index, findMember(index, findMember(index, 0, "params"), "arguments"));
  return typeof fields === "string" ? undefined : buildEvent(fields);
}

/** The event in UTF-8. */
export function buildEvent(fields: Fields): Uint8Array {
  const parts: Uint8Array[] = [];
  const add = (name: FieldName, json: Uint8Array | undefined) => {
    if (json !== undefined) parts.push(Buffer.from(`${parts.length === 0 ? "{" : ","}"${name}":`), json);
  };
  for (const name of TEXT_FIELDS) add(name, fields.get(name));
  add("tool_input", toJson(fields.get("tool_input"), OBJECT));
  add("tool_calls", toJson(fields.get("tool_calls"), ARRAY));
  add("tool_response", toResponse(fields.get("tool_response"), isMcpTool(fields.get("tool_name"))));
  parts.push(Buffer.from(parts.length === 0 ? "{}" : "}"));
  return Buffer.concat(parts);
}

function isMcpTool(literal: Uint8Array | undefined): boolean {
  return literal !== undefined && Buffer.from(decodeLiteral(literal)).toString().startsWith(MCP_PREFIX);
}

// A tool's result is an object or an array, except that an MCP tool's is either content blocks or a string, which may
// hold JSON itself.
function toResponse(literal: Uint8Array | undefined, isMcp: boolean): Uint8Array | undefined {
  const json = isMcp ? toJson(literal, ARRAY, isBlocks) : (toJson(literal, OBJECT) ?? toJson(literal, ARRAY));
  return json ?? literal;
}

function isBlocks(index: JsonIndex): boolean {
  for (const item of itemsOf(index, 0)) {
    if (kindOf(index, findMember(index, item, "type")) !== STRING) return false;
  }
  return true;
}

/** What the literal says, if that is one JSON value of this kind that passes. */
function toJson(
  literal: Uint8Array | undefined,
  kind: typeof OBJECT | typeof ARRAY,
  passes: (index: JsonIndex) => boolean = () => true,
): Uint8Array | undefined {
  if (literal === undefined || !opensWith(literal, kind === OBJECT ? OPEN_OBJECT : OPEN_ARRAY))
    return undefined;
  const json = escapeSurrogates(decodeLiteral(literal));
  const index = scan(json);
  return index !== undefined && passes(index) ? json : undefined;
}

// Clients write JSON text without white space around it; with some it is a string, which is never wrong.
function opensWith(literal: Uint8Array, open: number): boolean {
  return literal[1] === open;
}

function decodeLiteral(literal: Uint8Array): Uint8Array {
  return decodeText(literal, 0, literal.length);
}

/** Half characters, which are not UTF-8, as escapes: in JSON text they only stand inside strings, where that is the same. */
function escapeSurrogates(json: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = json.indexOf(0xed); at >= 0; at = json.indexOf(0xed, at + 1)) {
    const second = json[at + 1] ?? 0;
    if (second < 0xa0 || second > 0xbf) continue;
    const unit = 0xd000 | ((second & 0x3f) << 6) | ((json[at + 2] ?? 0) & 0x3f);
    parts.push(json.subarray(from, at), Buffer.from(`\\u${unit.toString(16)}`));
    from = at + 3;
  }
  return parts.length === 0 ? json : Buffer.concat([...parts, json.subarray(from)]);
}
