// SPDX-License-Identifier: Apache-2.0
// A server without a process: its streams are in memory, its home is a temporary folder.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type Env, readEnv } from "../../src/env.ts";
import { type Fields, toFields } from "../../src/mcp/event.ts";
import { serve } from "../../src/mcp/server.ts";
import type { ServerProcess } from "../../src/resident.ts";

export interface TempHome {
  readonly path: string;
  readonly env: Env;
  writeRules(file: object): void;
  remove(): void;
}

export function makeTempHome(file: object = { rules: [] }, variables: Record<string, string> = {}): TempHome {
  const path = mkdtempSync(join(tmpdir(), "isthmos-mcp-"));
  const env = readEnv({ HOME: path, ISTHMOS_BUDGET_MS: "60000", ...variables }, () => path);
  mkdirSync(join(path, ".config/isthmos"), { recursive: true });
  const writeRules = (rules: object) => writeFileSync(env.rulesFile.value, JSON.stringify(rules));
  writeRules(file);
  return { path, env, writeRules, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** What the client puts in for "${path}": a string as it is, everything else as JSON text. */
export function interpolate(event: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

export function fieldsOf(event: object): Fields {
  return toFields(interpolate(event));
}

export interface Message {
  readonly id?: number | string | null;
  readonly result?: {
    readonly content: readonly { readonly text: string }[];
    readonly [name: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface TestServer {
  readonly stdin: PassThrough;
  /** Settles when the server has ended. */
  readonly ended: Promise<void>;
  /** Sends one message and answers the next that comes. */
  ask(message: unknown): Promise<Message>;
  /** The next message. */
  next(): Promise<Message>;
  call(name: string, args: object): Promise<Message>;
  /** As if something threw where nobody catches it. */
  uncaught(error: unknown): void;
  signal(): void;
}

const NO_COMMAND = ["/nowhere/isthmos", "hook"] as const;

export function startTestServer(
  env: Env,
  hookCommand: readonly [string, ...string[]] = NO_COMMAND,
): TestServer {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let uncaught: (error: unknown) => void = () => {};
  let signal = () => {};
  const self: ServerProcess = {
    stdin,
    stdout,
    pid: process.pid,
    rss: () => 1000,
    limitMemory: () => {},
    onUncaught: (hear) => {
      uncaught = hear;
    },
    onSignal: (end) => {
      signal = end;
    },
    exit: () => {
      throw new Error("the server ended the process");
    },
  };
  const received: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  let rest = "";
  stdout.on("data", (chunk: Buffer) => {
    rest += chunk.toString();
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      const taker = waiting.shift();
      if (taker === undefined) received.push(message);
      else taker(message);
    }
  });
  const next = () => {
    const first = received.shift();
    return first === undefined
      ? new Promise<Message>((resolve) => waiting.push(resolve))
      : Promise.resolve(first);
  };
  const ask = (message: unknown) => {
    stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    return next();
  };
  let id = 0;
  return {
    stdin,
    ended: serve(env, self, hookCommand),
    ask,
    next,
    call: (name, args) =>
      ask({ method: "tools/call", params: { name, arguments: args }, jsonrpc: "2.0", id: ++id }),
    uncaught: (error) => uncaught(error),
    signal: () => signal(),
  };
}
