// SPDX-License-Identifier: Apache-2.0
import type { Command } from "commander";
import type { Shell } from "./shell.ts";

export function addMcp(program: Command, { env }: Shell): void {
  program
    .command("mcp")
    .description("serve an agent over MCP on stdin and stdout: reveal, and compress for its hooks")
    .action(async () => (await import("../commands/mcp.ts")).run(env));
}
