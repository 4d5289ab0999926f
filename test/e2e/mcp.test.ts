// SPDX-License-Identifier: Apache-2.0
// The server as a client runs it: the executable, its pipes, its signals. Needs dist/isthmos or $ISTHMOS_BIN.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bashEvent, githubIssues, logLines } from "../../scripts/payloads.ts";
import { readHealth } from "../../src/health.ts";
import { readServers } from "../../src/servers.ts";
import { interpolate, type Message } from "../mcp/support.ts";
import { citedIds } from "../support/events.ts";
import { EXECUTABLE, EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const RULES = [
  { tool: "Bash", max_lines: 20 },
  { tool: "WebFetch", drop_keys: ["node_id"], max_items: 20 },
];
const CUT = bashEvent(logLines(300, true));
const MIB = 1024 * 1024;
const MEMORY_LIMIT_MB = 120;

interface Session {
  readonly child: ChildProcessWithoutNullStreams;
  /** Exit code and signal. */
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  send(line: string): void;
  /** The answer to a request: to the message of that id, or to the first without one. */
  answer(id: number | null): Promise<Message>;
  call(name: string, args: object): Promise<Message>;
  compress(event: string): Promise<string>;
}

function start(home: Home): Session {
  const child = spawn(EXECUTABLE, ["mcp"], { env: { HOME: home.path, ISTHMOS_BUDGET_MS: "60000" } });
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("exit", (code, signal) => resolve([code, signal]));
  });
  // A server that is gone closes its end.
  child.stdin.on("error", () => {});
  const answers = new Map<number | string | null, Message>();
  const waiting = new Map<number | string | null, (message: Message) => void>();
  let chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (!chunk.includes(0x0a)) return;
    const lines = Buffer.concat(chunks).toString().split("\n");
    chunks = [Buffer.from(lines.pop() ?? "")];
    for (const line of lines) {
      const message: Message = JSON.parse(line);
      const id = message.id ?? null;
      const taker = waiting.get(id);
      if (taker === undefined) answers.set(id, message);
      else taker(message);
    }
  });
  const send = (line: string) => void child.stdin.write(`${line}\n`);
  const answer = (id: number | null) => {
    const message = answers.get(id);
    return message ? Promise.resolve(message) : new Promise<Message>((resolve) => waiting.set(id, resolve));
  };
  let id = 0;
  const call = (name: string, args: object) => {
    id++;
    send(JSON.stringify({ method: "tools/call", params: { name, arguments: args }, jsonrpc: "2.0", id }));
    return answer(id);
  };
  return {
    child,
    ended,
    send,
    answer,
    call,
    compress: async (event) => {
      const { result } = await call("compress", interpolate(JSON.parse(event)));
      return result?.content[0]?.text ?? "";
    },
  };
}

function fetchEvent(bytes: number, run = 0): string {
  const count = Math.ceil(bytes / 1750);
  return JSON.stringify({
    hook_event_name: "PostToolUse",
    tool_name: "WebFetch",
    tool_response: { code: 200, result: JSON.stringify({ run, items: githubIssues(count, 50) }) },
    tool_use_id: `toolu_${run}`,
  });
}

describe.skipIf(EXECUTABLE_MISSING)("isthmos mcp", () => {
  let home: Home;
  let session: Session;
  beforeEach(() => {
    home = makeHome(RULES);
    session = start(home);
  });
  afterEach(async () => {
    session.child.kill("SIGKILL");
    await session.ended;
    home.remove();
  });

  async function greet(): Promise<void> {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "e2e", version: "1" },
    };
    session.send(JSON.stringify({ method: "initialize", params, jsonrpc: "2.0", id: 0 }));
    await session.answer(0);
    session.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  }

  it("answers the bytes of isthmos hook, reveals, and ends with stdin", async () => {
    await greet();
    const answer = await session.compress(CUT);
    expect(answer).toBe(home.run({ input: CUT }).stdout.toString());
    const { result } = await session.call("reveal", { id: citedIds(answer)[0], lines: "1:2" });
    expect(JSON.parse(result?.content[0]?.text ?? "")).toMatchObject({ status: "ok" });
    session.child.stdin.end();
    expect(await session.ended).toEqual([0, null]);
    expect(readdirSync(join(home.stateDir, "servers"))).toEqual([]);
  });

  it("answers a large event by a process of its own, and others meanwhile", async () => {
    const event = fetchEvent(30 * MIB);
    const large = session.compress(event);
    const order: string[] = [];
    void large.then(() => order.push("large"));
    await session.compress(CUT);
    order.push("small");
    const answer = await large;
    expect(order).toEqual(["small", "large"]);
    expect(answer).toContain("[isthmos: ");
    expect(answer.length).toBeLessThan(MIB);
    await sleep(1200);
    expect(readServers(home.stateDir)).toMatchObject([{ pid: session.child.pid, calls: 2, child_calls: 1 }]);
  });

  it("refuses a message above 64 MiB, and goes on", async () => {
    const text = "x".repeat(65 * MIB);
    session.send(JSON.stringify({ method: "tools/call", params: { text }, jsonrpc: "2.0", id: 77 }));
    expect((await session.answer(77)).error?.code).toBe(-32600);
    expect(await session.compress(CUT)).toContain("[isthmos: ");
    expect(residentMb(session)).toBeLessThan(500);
  });

  it("answers what is broken with errors, and goes on", async () => {
    session.send("{");
    expect((await session.answer(null)).error?.code).toBe(-32700);
    expect(await session.compress(CUT)).toContain("[isthmos: ");
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends at %s", async (signal) => {
    await session.compress(CUT);
    session.child.kill(signal);
    expect(await session.ended).toEqual([0, null]);
  });

  it("ends where nobody reads its answers", async () => {
    session.child.stdout.destroy();
    session.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    session.send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
    expect(await session.ended).toEqual([0, null]);
  });

  it("ends with stdin, though a large event is in its process", async () => {
    void session.compress(fetchEvent(8 * MIB));
    await sleep(300);
    session.child.stdin.end();
    expect(await session.ended).toEqual([0, null]);
  });

  it("leaves no temporary folder, also where it ends while it warms itself", async () => {
    const temp = join(home.path, "tmp");
    mkdirSync(temp);
    const env = { HOME: home.path, TMPDIR: temp };
    const other = spawn(EXECUTABLE, ["mcp"], { env, stdio: ["pipe", "pipe", "inherit"] });
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "e2e", version: "1" },
    };
    other.stdin.write(`${JSON.stringify({ method: "initialize", params, jsonrpc: "2.0", id: 0 })}\n`);
    while (readdirSync(temp).length === 0) await sleep(5);
    other.stdin.end();
    await new Promise((resolve) => other.on("exit", resolve));
    expect(readdirSync(temp)).toEqual([]);
  });

  it("C13: a killed server leaves nothing that the next one keeps", async () => {
    await session.compress(CUT);
    await sleep(1200);
    session.child.kill("SIGKILL");
    await session.ended;
    expect(readServers(home.stateDir)).toEqual([]);
    const next = start(home);
    await next.compress(CUT);
    expect(existsSync(join(home.stateDir, "servers", `${session.child.pid}.json`))).toBe(false);
    next.child.stdin.end();
    await next.ended;
  });

  it("C1: has no answer where the rules cannot be read, and says so", async () => {
    writeFileSync(join(home.path, ".config/isthmos/rules.json"), "{");
    expect(await session.compress(CUT)).toBe("");
    expect(readHealth(home.stateDir).map(({ code }) => code)).toContain("rules_invalid");
  });

  it("two sessions share store and log", async () => {
    const other = start(home);
    const events = Array.from({ length: 40 }, (_, run) => bashEvent(`run ${run}\n${logLines(100)}`));
    const answers = await Promise.all(events.map((event, i) => (i % 2 ? session : other).compress(event)));
    expect(answers.every((answer) => citedIds(answer).length === 1)).toBe(true);
    const [last = ""] = citedIds(answers.at(-1) ?? "");
    const { result } = await other.call("reveal", { id: last });
    expect(JSON.parse(result?.content[0]?.text ?? "")).toMatchObject({ status: "ok" });
    const rows = readFileSync(join(home.stateDir, "measure.jsonl"), "utf8").trim().split("\n");
    expect(rows.filter((row) => JSON.parse(row).in_bytes > 0)).toHaveLength(40);
    other.child.stdin.end();
    expect(await other.ended).toEqual([0, null]);
  });

  it(`C15: has at most ${MEMORY_LIMIT_MB} MB resident after 1,000 calls of 100 KB`, async () => {
    await greet();
    for (let run = 0; run < 1000; run++) {
      expect(await session.compress(fetchEvent(100_000, run))).not.toBe("");
    }
    expect(residentMb(session)).toBeLessThanOrEqual(MEMORY_LIMIT_MB);
  });
});

function residentMb({ child }: Session): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}
