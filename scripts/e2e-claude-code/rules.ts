// SPDX-License-Identifier: Apache-2.0
// The user's rules file in these runs. `mcp__bare__*`, Edit, Write and Agent have no rule.

export const BASH = { max: 60, tail: 15 };
export const READ = { max: 200 };
export const GREP = { max: 20, tail: 5 };
export const GLOB = { max: 10 };
export const MCP = { max: 40, tail: 10 };
export const ITEMS = { max: 10, tail: 2 };
export const DROP_KEYS: readonly string[] = ["node_id", "*_url"];

export const RULES = JSON.stringify({
  rules: [
    { tool: "Bash", max_lines: BASH.max, keep_last: BASH.tail, dedup: true, why: "long logs" },
    { tool: "Read", max_lines: READ.max },
    { tool: "Grep", max_lines: GREP.max },
    { tool: "Glob", max_lines: GLOB.max },
    { tool: "mcp__tiny__*", max_lines: MCP.max, keep_last: MCP.tail },
    {
      tool: "mcp__tiny__{rows,json_text,structured*,failing,numbers}",
      drop_keys: DROP_KEYS,
      max_items: ITEMS.max,
    },
    { tool: "mcp__tiny__{rows,json_text,structured*,failing,numbers}", keep_last: ITEMS.tail },
    { tool: "mcp__tiny__passed", pass: true },
  ],
});
