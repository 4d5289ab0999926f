// SPDX-License-Identifier: Apache-2.0
// Results of OpenCode, as the plugin `install/plugin.ts` sends them. Observed with OpenCode 1.18.33.
import type { Host } from "../host.ts";
import { isToolOf, nameMcpTool } from "../mcp-name.ts";
import { callsReveal, isOwnTool } from "../own-call.ts";
import { type PluginCall, type PluginTool, pluginHost, type TextPart } from "../plugin-event.ts";

/** OpenCode's tools that do what Claude Code's do, so that one rule serves both. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["bash", "Bash"],
  ["read", "Read"],
  ["grep", "Grep"],
  ["glob", "Glob"],
  ["webfetch", "WebFetch"],
  ["websearch", "WebSearch"],
  ["task", "Task"],
]);

export const openCode: Host<PluginCall> = pluginHost({
  name: "opencode",
  nameTool,
  isOwn: (tool, { command, path }) =>
    isOwnTool(tool) ||
    (tool === "Bash" && (callsReveal(command) || namesOutputFolder(command))) ||
    namesOutputFolder(path),
  regionOf: (tool, text) => (tool === "Read" ? findFile(text) : undefined),
});

function nameTool({ name, isMcp, servers }: PluginTool): string {
  const known = TOOLS.get(name);
  if (known !== undefined) return known;
  return (isMcp || isToolOf(name, "", servers) ? nameMcpTool(name, "", servers) : undefined) ?? name;
}

/** Where OpenCode puts the whole of an output that it cut itself, a reveal's too. */
function namesOutputFolder(text: string): boolean {
  return text.includes("/opencode/tool-output/") || text.includes("\\opencode\\tool-output\\");
}

const HEAD_END = "\n<content>\n";
const TAIL_START = "\n</content>";
const NOTE_START = "\n\n(";
/** What stands before a file's text: its path, of at most 4,096 bytes, and its kind. */
const HEAD_MAX_BYTES = 8192;
/** What stands after it: how many lines there are, the closing tag, and reminders of the client. */
const TAIL_MAX_BYTES = 65_536;

// The numbered lines of a file without what the client writes around them; as with any numbered file, the end only.
function findFile(text: Uint8Array): TextPart {
  const whole = { start: 0, end: text.length, cut: "tail" } as const;
  const head = toLatin1(text.subarray(0, HEAD_MAX_BYTES)).indexOf(HEAD_END);
  if (head < 0) return whole;
  const start = head + HEAD_END.length;
  const from = Math.max(start, text.length - TAIL_MAX_BYTES);
  const tail = toLatin1(text.subarray(from));
  const close = tail.lastIndexOf(TAIL_START);
  if (close < 0) return whole;
  const note = tail.lastIndexOf(NOTE_START, close);
  return { start, end: from + (note < 0 ? close : note), cut: "tail" };
}

// A character a byte, so that offsets are those of the bytes.
function toLatin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
