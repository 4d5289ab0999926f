// SPDX-License-Identifier: Apache-2.0
// An MCP server with one tool, whose result has two blocks of text and a structured part.
import { createInterface } from "node:readline";
import { at, textAt, tryParse } from "../e2e-claude-code/json.ts";

const CONTENT = [
  { type: "text", text: "item\n".repeat(300) },
  { type: "text", text: '😀 "second" block' },
];

function resultOf(message: unknown): object {
  switch (textAt(message, "method")) {
    case "initialize":
      return {
        protocolVersion: at(message, "params", "protocolVersion"),
        capabilities: { tools: {} },
        serverInfo: { name: "long", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "long_list", description: "a long list", inputSchema: { type: "object" } }] };
    case "tools/call":
      return { content: CONTENT, structuredContent: { items: 300 } };
    default:
      return {};
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = tryParse(line);
  const id = at(message, "id");
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(message) })}\n`);
});
