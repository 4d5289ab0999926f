// SPDX-License-Identifier: Apache-2.0
// The resident server beside the floor: it is started once, warm, and asked as the client's mcp_tool hook asks.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { jsonOfSize, type Row, RUN_MARK } from "./rows.ts";

/** One kind of call of the server. */
export interface ResidentRow extends Omit<Row, "args" | "history"> {
  readonly limit: number;
}

export interface ServerOptions {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder, in which the server's temporary folders are looked for. */
  readonly folder: string;
}

export interface BenchServer {
  /** Answers the hook event (JSON) as the tool compress does; ns from request to answer, and the answer's text. */
  ask(event: string): Promise<{ readonly ns: number; readonly text: string }>;
  /** Resident memory in MB; undefined where the system does not say. */
  memoryMb(): number | undefined;
  end(): Promise<void>;
}

const KIB = 1024;
const MIB = 1024 * KIB;
const WARMING_MS = 30_000;

/** The rows of the resident table, in order. */
export function makeResidentRows(hookRows: readonly Row[]): ResidentRow[] {
  const like = (name: string, limit: number): ResidentRow => {
    const row = hookRows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`there is no row ${name}`);
    return { ...row, name: `resident: ${name}`, limit };
  };
  return [
    like("no matching rule", 0.04),
    like("cut and stored, 2 KB", 0.04),
    fetchRow("100 KB of JSON", 100 * KIB, 0.12),
    fetchRow("2 MB of JSON", 2 * MIB, 0.9),
    fetchRow("20 MB of JSON", 20 * MIB, 15),
  ];
}

// WebFetch: a result of this size that the client does not replace before the hook.
function fetchRow(name: string, bytes: number, limit: number): ResidentRow {
  const result = jsonOfSize(bytes);
  const response = {
    bytes: result.length,
    code: 200,
    codeText: "OK",
    result,
    durationMs: 90,
    url: "https://example.com",
  };
  const input = JSON.stringify({
    session_id: "resident",
    hook_event_name: "PostToolUse",
    tool_name: "WebFetch",
    tool_input: { url: "https://example.com" },
    tool_response: response,
    tool_use_id: `toolu_${RUN_MARK}`,
  });
  return {
    name: `resident: ${name}`,
    input,
    payloadBytes: Buffer.byteLength(result),
    expect: "answered",
    limit,
  };
}

/** Starts a server and waits until it has warmed itself. */
export async function startServer({ executable, env, folder }: ServerOptions): Promise<BenchServer> {
  const temp = mkdtempSync(join(folder, "tmp-"));
  const child = spawn(executable, ["mcp"], {
    env: { ...env, TMPDIR: temp },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ask = makeAsk(child.stdout, child.stdin);
  await ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "0" },
  });
  await waitWarm(temp);
  return {
    ask: async (event) => {
      const { ns, result } = await ask("tools/call", { name: "compress", arguments: toArguments(event) });
      return { ns, text: textOf(result) };
    },
    memoryMb: () => residentMb(child),
    end: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

// The samples lie in a folder of their own as long as it lasts.
async function waitWarm(temp: string): Promise<void> {
  const until = Date.now() + WARMING_MS;
  const isWarming = () => readdirSync(temp).length > 0;
  await sleep(50);
  while (isWarming()) {
    if (Date.now() > until) throw new Error("the server does not end its warming");
    await sleep(20);
  }
  await sleep(50);
}

/** What the client puts in for "${path}": a string as it is, everything else as JSON text. */
function toArguments(event: string): Record<string, string> {
  const fields: Record<string, unknown> = JSON.parse(event);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] };
  return content[0]?.text ?? "";
}

interface Answer {
  readonly ns: number;
  readonly result: unknown;
}

type Ask = (method: string, params: object) => Promise<Answer>;

function makeAsk(stdout: Readable, stdin: Writable): Ask {
  let id = 0;
  let chunks: Buffer[] = [];
  let answered: (line: Buffer) => void = () => {};
  stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (chunk.at(-1) !== 0x0a) return;
    const line = Buffer.concat(chunks);
    chunks = [];
    answered(line);
  });
  return async (method, params) => {
    id++;
    const line = Buffer.from(`${JSON.stringify({ method, params, jsonrpc: "2.0", id })}\n`);
    const startedAt = process.hrtime.bigint();
    const answer = await new Promise<Buffer>((resolve) => {
      answered = resolve;
      stdin.write(line);
    });
    const ns = Number(process.hrtime.bigint() - startedAt);
    const { result, error }: { result?: unknown; error?: unknown } = JSON.parse(answer.toString());
    if (result === undefined) throw new Error(`the server answered ${JSON.stringify(error)}`);
    return { ns, result };
  };
}

function residentMb({ pid }: ChildProcess): number | undefined {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
