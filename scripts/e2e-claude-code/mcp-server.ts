// SPDX-License-Identifier: Apache-2.0
// A tiny MCP server on stdio: JSON-RPC, one message a line. The client starts it.
import { createInterface } from "node:readline";
import { at, textAt, tryParse } from "./json.ts";
import { TOOLS } from "./payloads.ts";

const SCHEMA = { type: "object", properties: { n: { type: "number" } } };

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = tryParse(line);
  const id = at(message, "id");
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer(message) })}\n`);
});

function answer(message: unknown): { result: unknown } | { error: unknown } {
  switch (textAt(message, "method")) {
    case "initialize":
      return {
        result: {
          protocolVersion: textAt(message, "params", "protocolVersion"),
          capabilities: { tools: {} },
          serverInfo: { name: "tiny", version: "1.0.0" },
        },
      };
    case "tools/list":
      return {
        result: {
          tools: [...TOOLS.keys()].map((name) => ({
            name,
            description: `answers ${name}`,
            inputSchema: SCHEMA,
          })),
        },
      };
    case "tools/call": {
      const n = at(message, "params", "arguments", "n");
      try {
        const run = TOOLS.get(textAt(message, "params", "name"));
        if (run === undefined) throw new Error("no such tool");
        return { result: run(typeof n === "number" ? n : undefined) };
      } catch (error) {
        return { error: { code: -32000, message: String(error) } };
      }
    }
    case "ping":
      return { result: {} };
    default:
      return { error: { code: -32601, message: "no such method" } };
  }
}
