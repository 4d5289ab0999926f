// SPDX-License-Identifier: Apache-2.0
// The event that a plugin of ours sends from inside an agent that runs plugins in place of hook commands, and the
// answer to it. The plugin writes it anew from what the agent gave it, so the form is ours: `host` comes first and
// tells in the first bytes whose it is; `output` holds the texts in the shape that the agent has them in. The answer
// is that `output` with the edits spliced in.
import { ARRAY, type JsonIndex, OBJECT, STRING, scan } from "../core/json/scan.ts";
import { decodeString } from "../core/json/strings.ts";
import { formatMarker } from "../core/marker.ts";
import { applySplices, liftSplices, type Splice } from "../core/splice.ts";
import type { Host, HostEvent, Region, Rewrite, ToolCall } from "./host.ts";
import { findMember, itemsOf, kindOf, readText } from "./members.ts";

/** What an agent's folder says about its results. */
export interface PluginRules {
  /** As in the event's `host` and in the measurement log. */
  readonly name: string;
  /** The tool's name as rules know it. */
  nameTool(call: PluginTool): string;
  /** True if the result is output of isthmos itself (C10). `tool` is the name that rules know. */
  isOwn(tool: string, input: PluginInput): boolean;
  /** What of a text may be cut, and which part of it is the region; all of it, anywhere, if left out. */
  regionOf?(tool: string, text: Uint8Array): TextPart | undefined;
}

/** Bytes of a text, 0-based, half-open. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
  readonly cut: "tail";
}

export interface PluginTool {
  readonly name: string;
  /** The result has the form of the MCP protocol. */
  readonly isMcp: boolean;
  /** Names of the MCP servers that the agent is set up with. */
  readonly servers: readonly string[];
}

/** The arguments that tell whether a result is our own. */
export interface PluginInput {
  readonly command: string;
  readonly path: string;
}

/** A region and the way back from its offsets to those of the event. */
interface PlacedText {
  readonly region: Region;
  toRaw(decoded: number): number;
}

export interface PluginCall extends ToolCall {
  readonly event: Uint8Array;
  /** Where `output` stands in the event. */
  readonly output: { readonly start: number; readonly end: number };
  /** `texts[i]` belongs to `regions[i]`. */
  readonly texts: readonly PlacedText[];
}

/** Longer ids are no agent's; they would only cost. */
const ID_MAX_LENGTH = 4096;
/** A set-up with more is not looked through at every call. */
const SERVERS_MAX = 256;

/** The adapter of an agent whose plugin sends such events. */
export function pluginHost(rules: PluginRules): Host<PluginCall> {
  return {
    name: rules.name,
    // Other agents' events, which may be large, are told apart without a scan.
    decode: (input) => (startsWith(input, `{"host":"${rules.name}",`) ? decode(input, rules) : undefined),
    encode,
  };
}

function startsWith(bytes: Uint8Array, ascii: string): boolean {
  for (let i = 0; i < ascii.length; i++) if (bytes[i] !== ascii.charCodeAt(i)) return false;
  return true;
}

function decode(input: Uint8Array, rules: PluginRules): HostEvent<PluginCall> | undefined {
  const index = scan(input);
  if (index === undefined) return undefined;
  const name = textOf(index, "tool");
  const output = findMember(index, 0, "output");
  if (name === "" || kindOf(index, output) !== OBJECT) return undefined;
  const isMcp = findMember(index, output, "content") >= 0;
  const tool = rules.nameTool({ name, isMcp, servers: readServers(index) });
  const texts = findTexts(index, output).map((node) => placeText(index, node, tool, rules));
  const session = idOf(index, "session");
  const useId = idOf(index, "call");
  const call: PluginCall = {
    tool,
    ...(session !== undefined && { session }),
    ...(useId !== undefined && { useId }),
    regions: texts.map(({ region }) => region),
    spilled: false,
    own: rules.isOwn(tool, { command: textOf(index, "command"), path: textOf(index, "path") }),
    event: input,
    output: { start: index.start[output]!, end: index.end[output]! },
    texts,
  };
  return { kind: "result", call };
}

function readServers(index: JsonIndex): string[] {
  const list = findMember(index, 0, "servers");
  if (kindOf(index, list) !== ARRAY) return [];
  const names: string[] = [];
  for (const item of itemsOf(index, list)) {
    if (names.length === SERVERS_MAX) break;
    names.push(readText(index, item) ?? "");
  }
  return names.filter((name) => name !== "");
}

/** String nodes: `output.output`, or the text blocks of `output.content`. */
function findTexts(index: JsonIndex, output: number): number[] {
  const content = findMember(index, output, "content");
  const nodes =
    kindOf(index, content) === ARRAY
      ? [...itemsOf(index, content)]
          .filter((block) => readText(index, findMember(index, block, "type")) === "text")
          .map((block) => findMember(index, block, "text"))
      : [findMember(index, output, "output")];
  return nodes.filter((node) => kindOf(index, node) === STRING);
}

function placeText(index: JsonIndex, node: number, tool: string, rules: PluginRules): PlacedText {
  const { text, toRaw } = decodeString(index.bytes, index.start[node]!, index.end[node]!);
  const part = rules.regionOf?.(tool, text);
  if (part === undefined) return { region: { bytes: text, cut: "any", content: "text" }, toRaw };
  const { start, end, cut } = part;
  const region: Region = { bytes: text.subarray(start, end), cut, content: "text" };
  return { region, toRaw: (decoded) => toRaw(start + decoded) };
}

/** The event's `output` with the edits in it. */
function encode(call: PluginCall, rewrites: readonly (Rewrite | undefined)[]): Uint8Array {
  const { start, end } = call.output;
  const edits = call.texts.flatMap((text, i) => {
    const rewrite = rewrites[i];
    return rewrite === undefined ? [] : editText(text, rewrite);
  });
  edits.sort((a, b) => a.start - b.start);
  const inside = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applySplices(call.event.subarray(start, end), inside);
}

// Each text's markers cite its own id.
function editText({ toRaw }: PlacedText, { splices, id, of }: Rewrite): Splice[] {
  if (of !== undefined) throw new Error("no other text can take the place of this one");
  return liftSplices(splices, toRaw).map(({ start, end, insert }) => ({
    start,
    end,
    insert: insert.map((part) => (typeof part === "string" ? part : formatMarker(part, id))),
  }));
}

function textOf(index: JsonIndex, name: string): string {
  return readText(index, findMember(index, 0, name)) ?? "";
}

function idOf(index: JsonIndex, name: string): string | undefined {
  const node = findMember(index, 0, name);
  if (kindOf(index, node) !== STRING || index.end[node]! - index.start[node]! > ID_MAX_LENGTH)
    return undefined;
  return readText(index, node) || undefined;
}
