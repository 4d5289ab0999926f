// SPDX-License-Identifier: Apache-2.0
import type { Env } from "../env.ts";
import { selfCommand } from "../io.ts";
import { serve } from "../mcp/server.ts";
import { serverProcess } from "../resident.ts";

/** Serves MCP on stdin and stdout, and ends the process when stdin ends: nothing is left to wait for then. */
export async function run(env: Env): Promise<never> {
  const self = serverProcess();
  await serve(env, self, [...selfCommand(), "hook", "--mcp-call"]);
  return self.exit(0);
}
