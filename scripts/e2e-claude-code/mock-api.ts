// SPDX-License-Identifier: Apache-2.0
// A mock of the Messages API on 127.0.0.1. It plays the scripts of a scenario: which one is said in the user's
// text (`SCRIPT:name`), which turn follows from the number of answers since. It keeps no state of a conversation,
// checks every request (`validate.ts`), and remembers the first tool_result of each call as the model gets it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { at, isRecord, type Json, listOf, textAt } from "./json.ts";
import { callId, type Turn } from "./scenario.ts";
import { findFaults } from "./validate.ts";

/** Async hooks of the last turn are cut off when the client ends: the last answer waits for them. */
const LAST_ANSWER_DELAY_MS = 700;
/** A server that the client starts is not asked before it is connected: what comes earlier passes. */
export const CONNECT_MS = 2500;
const SCRIPT = /SCRIPT:([\w-]+)/g;
const REVEAL_ID = /isthmos reveal ([0-9a-f]{16})/g;
const SPILLED = /Full output saved to: ([^\s"\\]+)/g;
const NO_FILE = "/nothing-was-spilled";
/** Never stored, so that a control run, which has no marker, gets a plain "not found". */
const NO_ID = "0123456789abcdef";

export interface Mock {
  readonly port: number;
  /** tool_use_id → the tool_result's block as first sent. */
  readonly results: ReadonlyMap<string, Json>;
  /** What the real API would have refused. */
  readonly faults: readonly string[];
  readonly requests: () => number;
  readonly close: () => void;
}

/**
 * Starts the mock; `scripts` maps a script's name to its turns, `folder` stands for `$CWD` in inputs. The first answer
 * waits for `firstDelayMs`.
 */
export async function startMock(
  scripts: ReadonlyMap<string, readonly Turn[]>,
  folder: string,
  firstDelayMs = 0,
): Promise<Mock> {
  const results = new Map<string, Json>();
  const faults: string[] = [];
  let requests = 0;

  const answer = async (url: string, body: Buffer, response: ServerResponse): Promise<void> => {
    if (url.includes("count_tokens")) {
      sendJson(response, 200, { input_tokens: Math.ceil(body.length / 4) });
      return;
    }
    if (!url.startsWith("/v1/messages")) {
      sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: "mock" } });
      return;
    }
    requests += 1;
    for (const fault of findFaults(body)) if (!faults.includes(fault)) faults.push(fault);
    const request: unknown = JSON.parse(body.toString());
    collectResults(request, results);
    const blocks = nextBlocks(request, scripts, folder);
    if (blocks[0]?.type === "text") await sleep(LAST_ANSWER_DELAY_MS);
    else if (requests === 1) await sleep(firstDelayMs);
    // The client takes answers with the same id for one.
    const head = { id: `msg_mock_${requests}`, model: textAt(request, "model") };
    sendMessage(response, head, at(request, "stream") === true, blocks);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      answer(request.url ?? "", Buffer.concat(chunks), response).catch((error: unknown) => {
        faults.push(`the mock failed: ${String(error)}`);
        response.destroy();
      });
    });
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the mock has no port");
  return {
    port: address.port,
    results,
    faults,
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function collectResults(request: unknown, results: Map<string, Json>): void {
  for (const message of listOf(at(request, "messages"))) {
    for (const block of listOf(at(message, "content"))) {
      if (!isRecord(block) || block.type !== "tool_result") continue;
      const id = String(block.tool_use_id);
      if (!results.has(id)) results.set(id, block);
    }
  }
}

function nextBlocks(request: unknown, scripts: ReadonlyMap<string, readonly Turn[]>, folder: string): Json[] {
  const messages = listOf(at(request, "messages"));
  let script = "";
  let turn = 0;
  for (const message of messages) {
    if (textAt(message, "role") === "assistant") turn += 1;
    const named = [...userText(message).matchAll(SCRIPT)].at(-1)?.[1];
    if (named !== undefined && named !== script) {
      script = named;
      turn = 0;
    }
  }
  const calls = scripts.get(script)?.[turn];
  // Side requests of the client (titles, summaries) offer no tools.
  if (calls === undefined || listOf(at(request, "tools")).length === 0) {
    return [{ type: "text", text: `end of script ${script}` }];
  }
  const words = new Map([
    ["$CWD", folder],
    ["$ID", lastOf(REVEAL_ID, messages) ?? NO_ID],
    ["$SPILLED", lastOf(SPILLED, messages) ?? NO_FILE],
  ]);
  return calls.map((call, index) => ({
    type: "tool_use",
    id: callId(script, turn, index),
    name: call.tool,
    input: Object.fromEntries(
      Object.entries(call.input).map(([key, value]) => [
        key,
        typeof value === "string"
          ? value.replace(/\$(?:CWD|ID|SPILLED)\b/g, (word) => words.get(word) ?? word)
          : value,
      ]),
    ),
  }));
}

function userText(message: unknown): string {
  if (textAt(message, "role") !== "user") return "";
  const content = at(message, "content");
  return typeof content === "string"
    ? content
    : listOf(content)
        .map((block) => textAt(block, "text"))
        .join("\n");
}

/** What the tool results so far name last: what a model would ask for. */
function lastOf(pattern: RegExp, messages: readonly unknown[]): string | undefined {
  return [...JSON.stringify(messages).matchAll(pattern)].at(-1)?.[1];
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function sendMessage(response: ServerResponse, head: Json, stream: boolean, blocks: readonly Json[]): void {
  const stop_reason = blocks.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn";
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const message = { ...head, type: "message", role: "assistant", stop_sequence: null, usage };
  if (!stream) {
    sendJson(response, 200, { ...message, content: blocks, stop_reason });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, rest: Json) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  blocks.forEach((block, index) => {
    const isText = block.type === "text";
    const start = isText ? { type: "text", text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_start", { index, content_block: start });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  send("message_stop", {});
  response.end();
}
