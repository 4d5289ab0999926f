// SPDX-License-Identifier: Apache-2.0
// The resident server: the SDK greets, lists and checks; calls of `compress` are answered before it looks at them.
// Nothing that a call does ends the server; the end of stdin does.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { JsonIndex } from "../core/json/scan.ts";
import type { Env } from "../env.ts";
import { failOpen, messageOf } from "../fail-open.ts";
import { findMember, readText } from "../hosts/members.ts";
import type { ServerProcess } from "../resident.ts";
import { VERSION } from "../version.ts";
import { type Children, createChildren } from "./child.ts";
import { type Compress, createCompress } from "./compress.ts";
import { type Counters, createCounters, openCountersFile } from "./counters.ts";
import { readFields } from "./event.ts";
import { ArgumentError, callReveal } from "./reveal-tool.ts";
import { COMPRESS, INSTRUCTIONS, REVEAL, toolsFor } from "./tools.ts";
import { idOf, StdioTransport } from "./transport.ts";
import { startWarming } from "./warm.ts";

/** Beyond its own time budget: the start of a process, and the way of a large event into it and back. */
const CHILD_EXTRA_MS = 5000;

/** Serves until stdin ends, the client is gone or a signal comes. `hookCommand`: what starts `isthmos hook`. */
export async function serve(
  env: Env,
  self: ServerProcess,
  hookCommand: readonly [string, ...string[]],
): Promise<void> {
  self.limitMemory();
  const stateDir = env.stateDir.value;
  const counters = createCounters({ pid: self.pid, rss: self.rss, changed: () => file.touch() });
  const file = openCountersFile(stateDir, counters.state);
  const children = createChildren(hookCommand, env.budgetMs.value + CHILD_EXTRA_MS);
  const compress = createCompress(env, children, counters);
  let stopWarming: (() => void) | undefined;

  const transport: StdioTransport = new StdioTransport(self, (message) => {
    const method = readText(message, findMember(message, 0, "method"));
    if (method === "initialize") stopWarming ??= warmSoon(env);
    return method === "tools/call" && answerCompress(message, compress, transport);
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

function createServer(env: Env, counters: Counters): Server {
  const info = { name: "isthmos", version: VERSION };
  const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: toolsFor(server.getClientVersion()?.name),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) => {
    if (name !== REVEAL)
      throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name.slice(0, 100)}`);
    try {
      return callReveal(args, env, counters.revealed);
    } catch (error) {
      if (error instanceof ArgumentError) throw new McpError(ErrorCode.InvalidParams, error.message);
      failOpen(env.stateDir.value, { code: "internal", reason: `reveal failed (${messageOf(error)})` });
      throw new McpError(ErrorCode.InternalError, "reveal failed; run isthmos doctor");
    }
  });
  return server;
}

/**
 * True if the message, a tool call, is none that the SDK should see: a call of `compress`, which is then answered, now
 * or when its process is done, or one that names no tool.
 */
function answerCompress(message: JsonIndex, compress: Compress, transport: StdioTransport): boolean {
  const params = findMember(message, 0, "params");
  const name = readText(message, findMember(message, params, "name"));
  if (name !== undefined && name !== COMPRESS) return false;
  const id = idOf(message);
  // A notification: nobody waits for an answer.
  if (id === null) return true;
  const fields =
    name === undefined
      ? "the name of a tool is missing"
      : readFields(message, findMember(message, params, "arguments"));
  if (typeof fields === "string") {
    transport.sendError(id, ErrorCode.InvalidParams, fields);
    return true;
  }
  const send = (text: string) =>
    void transport.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
  const answer = compress(fields);
  if (typeof answer === "string") send(answer);
  else void answer.then(send);
  return true;
}

// After the greeting is answered. Samples are small, so no process is started for them.
function warmSoon(env: Env): () => void {
  const children: Children = {
    run: () => Promise.reject(new Error("a sample is too large")),
    kill: () => {},
  };
  const counters = createCounters({ pid: 0, rss: () => 0, changed: () => {} });
  let stop = () => {};
  let isStopped = false;
  setImmediate(() => {
    if (!isStopped) stop = startWarming(env, (warm) => createCompress(warm, children, counters));
  });
  return () => {
    isStopped = true;
    stop();
  };
}
