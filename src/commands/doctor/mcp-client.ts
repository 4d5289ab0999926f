// SPDX-License-Identifier: Apache-2.0
// The client's side of MCP over stdio, as far as a trial needs it: one message a line, requests one at a time. By
// hand, so that what a server really prints is seen, also where it is no message.
import type { ChildProcess } from "node:child_process";

/** What came back for a request. */
export type Reply =
  | { readonly kind: "result"; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: "error"; readonly message: string }
  | { readonly kind: "timeout" | "ended" | "no_message" };

export interface McpClient {
  request(method: string, params: object, timeoutMs: number): Promise<Reply>;
  notify(method: string): void;
  /** Ends the server's input; true if it ends by itself within `timeoutMs`. */
  end(timeoutMs: number): Promise<boolean>;
  /** The beginning of what it wrote to stderr. */
  stderr(): string;
}

/** What a server may say in one line, and what is kept of its stderr. */
const LINE_MAX_LENGTH = 4 * 1024 * 1024;
const STDERR_MAX_LENGTH = 10_000;

/** Speaks to a server that was started with pipes. */
export function connect(child: ChildProcess): McpClient {
  let id = 0;
  let rest = "";
  let stderr = "";
  let hasEnded = false;
  let waiting: { readonly id: number; readonly answer: (reply: Reply) => void } | undefined;
  const answer = (reply: Reply) => {
    waiting?.answer(reply);
    waiting = undefined;
  };
  const ended = new Promise<void>((resolve) => {
    child.on("exit", () => {
      hasEnded = true;
      resolve();
      answer({ kind: "ended" });
    });
    child.on("error", () => {
      hasEnded = true;
      resolve();
      answer({ kind: "ended" });
    });
  });
  child.stdout?.setEncoding("utf8");
  child.stdout?.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_MAX_LENGTH) answer({ kind: "no_message" });
    for (const line of lines) {
      if (line.trim() === "") continue;
      const reply = readReply(line, waiting?.id);
      if (reply !== undefined) answer(reply);
    }
  });
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (chunk: string) => {
    if (stderr.length < STDERR_MAX_LENGTH) stderr += chunk;
  });
  const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    async request(method, params, timeoutMs) {
      if (hasEnded) return { kind: "ended" };
      const own = ++id;
      let timer: NodeJS.Timeout | undefined;
      const reply = await new Promise<Reply>((resolve) => {
        waiting = { id: own, answer: resolve };
        timer = setTimeout(() => answer({ kind: "timeout" }), timeoutMs);
        send({ id: own, method, params });
      });
      clearTimeout(timer);
      return reply;
    },
    notify: (method) => void send({ method }),
    async end(timeoutMs) {
      child.stdin?.end();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([ended, late]);
      clearTimeout(timer);
      return hasEnded;
    },
    stderr: () => stderr,
  };
}

/** The reply to request `id` in a line; undefined for a message that is none (a notification, a late reply). */
function readReply(line: string, id: number | undefined): Reply | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { kind: "no_message" };
  }
  if (!isRecord(message) || message.jsonrpc !== "2.0") return { kind: "no_message" };
  if (id === undefined || message.id !== id) return undefined;
  if (isRecord(message.result)) return { kind: "result", result: message.result };
  const error = isRecord(message.error) ? message.error.message : undefined;
  return { kind: "error", message: typeof error === "string" ? error : "" };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
