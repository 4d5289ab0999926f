// SPDX-License-Identifier: Apache-2.0
// Results of Hermes Agent, as the plugin `install/plugin.ts` sends them: one text, which is often a JSON document of
// Hermes' own. From its documentation and public plugins; not observed.
import type { Host } from "../host.ts";
import { nameMcpTool } from "../mcp-name.ts";
import { callsReveal, isOwnTool } from "../own-call.ts";
import { type PluginCall, type PluginTool, pluginHost } from "../plugin-event.ts";

/** Hermes' tools that do what Claude Code's do, so that one rule serves both. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["terminal", "Bash"],
  ["read_file", "Read"],
  ["search_files", "Grep"],
  ["web_extract", "WebFetch"],
  ["web_search", "WebSearch"],
]);

export const hermes: Host<PluginCall> = pluginHost({
  name: "hermes",
  nameTool,
  isOwn: (tool, { command }) => isOwnTool(tool) || (tool === "Bash" && callsReveal(command)),
});

function nameTool({ name, servers }: PluginTool): string {
  // Names of MCP tools that are written as rules have them stay.
  if (name.startsWith("mcp__")) return name;
  return TOOLS.get(name) ?? nameMcpTool(name, "mcp_", servers) ?? name;
}
