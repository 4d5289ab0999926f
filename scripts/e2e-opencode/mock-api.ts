// SPDX-License-Identifier: Apache-2.0
// A mock of the Chat Completions API on 127.0.0.1. It makes the calls of the script that the user's text names
// (`SCRIPT:name`), one a turn, and remembers what each call's result was when the model got it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { at, listOf, textAt } from "../e2e-claude-code/json.ts";

export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Mock {
  readonly port: number;
  /** `SCRIPT:turn` → the tool message's text as first sent. */
  readonly results: ReadonlyMap<string, string>;
  /** Names of the tools that were offered. */
  readonly tools: ReadonlySet<string>;
  readonly close: () => void;
}

const SCRIPT = /SCRIPT:([\w-]+)/;
const REVEAL_ID = /isthmos reveal ([0-9a-f]{16})/g;
const NO_ID = "0123456789abcdef";

/** Starts the mock. In a call's input `$ID` stands for the last id that a marker cited. */
export async function startMock(scripts: ReadonlyMap<string, readonly Call[]>): Promise<Mock> {
  const results = new Map<string, string>();
  const tools = new Set<string>();
  let answers = 0;

  const answer = (body: string, response: ServerResponse): void => {
    const request: unknown = JSON.parse(body);
    const offered = listOf(at(request, "tools")).map((tool) => textAt(tool, "function", "name"));
    for (const tool of offered) tools.add(tool);
    const messages = listOf(at(request, "messages"));
    const answered = messages.filter((message) => textAt(message, "role") === "tool");
    for (const message of answered) {
      const id = textAt(message, "tool_call_id");
      if (!results.has(id)) results.set(id, contentOf(message));
    }
    const script = messages.map((message) => SCRIPT.exec(contentOf(message))?.[1]).find(Boolean) ?? "";
    const turn = answered.length;
    const call = scripts.get(script)?.[turn];
    const head = { id: `chatcmpl-${++answers}`, object: "chat.completion.chunk", created: 1, model: "mock" };
    const last = [...body.matchAll(REVEAL_ID)].at(-1)?.[1] ?? NO_ID;
    // Side requests, for a title, offer no tools.
    const isCall = call !== undefined && offered.length > 0;
    const made = isCall && {
      index: 0,
      id: `${script}:${turn}`,
      type: "function",
      function: { name: call.tool, arguments: JSON.stringify(call.input).replaceAll("$ID", last) },
    };
    const message = made
      ? { role: "assistant", content: null, tool_calls: [made] }
      : { role: "assistant", content: "done" };
    const finish_reason = made ? "tool_calls" : "stop";
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    if (at(request, "stream") !== true) {
      response.writeHead(200, { "content-type": "application/json" });
      const choices = [{ index: 0, message, finish_reason }];
      response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (rest: object) => response.write(`data: ${JSON.stringify({ ...head, ...rest })}\n\n`);
    send({ choices: [{ index: 0, delta: message, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason }], usage });
    response.end("data: [DONE]\n\n");
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      try {
        answer(Buffer.concat(chunks).toString(), response);
      } catch (error) {
        console.error(`e2e-opencode: the mock failed: ${String(error)}`);
        response.destroy();
      }
    });
  });
  await new Promise<void>((started) => server.listen(0, "127.0.0.1", started));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("the mock has no port");
  return {
    port: address.port,
    results,
    tools,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function contentOf(message: unknown): string {
  const content = at(message, "content");
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => textAt(part, "text"))
    .join("\n");
}
