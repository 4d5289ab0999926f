// SPDX-License-Identifier: Apache-2.0
// The resident server: the SDK greets, lists and checks; calls of `compress` are answered before it looks at them.
// Nothing that a call does ends the server; the end of stdin does.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Env } from "../env.ts";
import { failOpen, messageOf } from "../fail-open.ts";
import { findMember, readText } from "../hosts/members.ts";
import type { ServerProcess } from "../resident.ts";
import { VERSION } from "../version.ts";
import { answerCompress, openLargeCall } from "./calls.ts";
import { type Children, createChildren } from "./child.ts";
import { createCompress } from "./compress.ts";
import { type Counters, createCounters, openCountersFile } from "./counters.ts";
import { ArgumentError, callReveal } from "./reveal-tool.ts";
import { INSTRUCTIONS, REVEAL, toolsFor } from "./tools.ts";
import { StdioTransport } from "./transport.ts";
import { startWarming } from "./warm.ts";

/** Beyond its own time budget: the start of a process, and the way of a large event into it and back. */
const CHILD_EXTRA_MS = 5000;

/** Serves until stdin ends, the client is gone or a signal comes. `largeCommand`: what answers a large call. */
export async function serve(
  env: Env,
  self: ServerProcess,
  largeCommand: readonly [string, ...string[]],
): Promise<void> {
  self.limitMemory();
  const stateDir = env.stateDir.value;
  const counters = createCounters({ pid: self.pid, rss: self.rss, changed: () => file.touch() });
  const file = openCountersFile(stateDir, counters.state);
  const children = createChildren(largeCommand, env.budgetMs.value + CHILD_EXTRA_MS);
  const compress = createCompress(env, children, counters);
  let stopWarming: (() => void) | undefined;

  const transport: StdioTransport = new StdioTransport(self, {
    take: (message) => {
      const method = readText(message, findMember(message, 0, "method"));
      if (method === "initialize") stopWarming ??= warmSoon(env);
      return method === "tools/call" && answerCompress(message, compress, transport);
    },
    open: (head) => openLargeCall(head, compress, transport),
  });
  const server = createServer(env, counters);
  self.onUncaught((error) => {
    const reason = `an error that nothing caught (${messageOf(error)})`;
    failOpen(stateDir, { code: "internal", reason, hint: "run isthmos doctor" });
  });
  await new Promise<void>((resolve, reject) => {
    server.onclose = resolve;
    self.onSignal(() => void transport.close());
    server.connect(transport).then(() => file.touch(), reject);
  });
  stopWarming?.();
  children.kill();
  file.end();
}

/** What a request is refused with, in these words: the SDK's own error repeats its code in them. */
class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function createServer(env: Env, counters: Counters): Server {
  const info = { name: "isthmos", version: VERSION };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolsFor(server.getClientVersion()?.name),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    if (name !== REVEAL)
      throw new RequestError(ErrorCode.InvalidParams, `there is no tool ${name.slice(0, 100)}`);
    try {
      return callReveal(args, env, counters.revealed);
    } catch (error) {
      if (error instanceof ArgumentError) throw new RequestError(ErrorCode.InvalidParams, error.message);
      failOpen(env.stateDir.value, { code: "internal", reason: `reveal failed (${messageOf(error)})` });
      throw new RequestError(ErrorCode.InternalError, "reveal failed; run isthmos doctor");
    }
  });
  return server;
}

// After the greeting is answered. Samples are small, so no process is started for them.
function warmSoon(env: Env): () => void {
  const children: Children = {
    open: () => undefined,
    run: () => Promise.reject(new Error("a sample is too large")),
    kill: () => {},
  };
  const counters = createCounters({ pid: 0, rss: () => 0, changed: () => {} });
  let stop = () => {};
  let isStopped = false;
  setImmediate(() => {
    if (!isStopped) stop = startWarming(env, (warm) => createCompress(warm, children, counters).answer);
  });
  return () => {
    isStopped = true;
    stop();
  };
}
