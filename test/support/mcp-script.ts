// SPDX-License-Identifier: Apache-2.0
// The source of an MCP server that is as wrong as a test wants it.

export interface McpScript {
  /** JavaScript before anything is read. */
  readonly begin?: string;
  /** JSON of the list of tools. */
  readonly tools?: string;
  /** JavaScript expression: the result of a call, from its `params`. */
  readonly call?: string;
  /** JavaScript run for each message `m` first. */
  readonly each?: string;
  /** JavaScript once the input has ended. */
  readonly end?: string;
}

const TOOLS = '[{"name":"reveal"},{"name":"compress","_meta":{"ui":{"visibility":["app"]}}}]';

/** A module for Node.js. */
export function mcpScript({
  begin = "",
  tools = TOOLS,
  call = "{}",
  each = "",
  end = "",
}: McpScript): string {
  return `import { createInterface } from "node:readline";
${begin}
for await (const line of createInterface({ input: process.stdin })) {
  const m = JSON.parse(line);
  ${each}
  if (m.id === undefined) continue;
  const params = m.params;
  const result =
    m.method === "initialize" ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "isthmos", version: "0.0.0-dev" } }
    : m.method === "tools/list" ? { tools: ${tools} }
    : (${call});
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id: m.id, result }) + "\\n");
}
${end}
`;
}
