// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bashEvent, logLines } from "../../scripts/payloads.ts";
import { readHealth } from "../../src/health.ts";
import { INSTRUCTIONS } from "../../src/mcp/tools.ts";
import { readServers } from "../../src/servers.ts";
import { VERSION } from "../../src/version.ts";
import { batch, citedIds, sessionStart, toolResult } from "../support/events.ts";
import { interpolate, makeTempHome, startTestServer, type TempHome, type TestServer } from "./support.ts";

const RULES = [{ tool: "Bash", max_lines: 20, dedup: true }];
const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  jsonrpc: "2.0",
  id: 0,
};

let home: TempHome;
let server: TestServer;
beforeEach(() => {
  home = makeTempHome({ rules: RULES });
  mkdirSync(home.env.stateDir.value, { recursive: true });
  server = startTestServer(home.env);
});
afterEach(async () => {
  server.stdin.end();
  await server.ended;
  home.remove();
});

async function compress(event: string): Promise<string> {
  const { result } = await server.call("compress", interpolate(JSON.parse(event)));
  expect(result?.content).toHaveLength(1);
  return result?.content[0]?.text ?? "";
}

function healthCodes(): string[] {
  return readHealth(home.env.stateDir.value).map(({ code }) => code);
}

describe("the server", () => {
  it("greets with its name, its tools and what a marker is", async () => {
    const { result } = await server.ask(INITIALIZE);
    expect(result).toMatchObject({
      serverInfo: { name: "isthmos", version: VERSION },
      instructions: INSTRUCTIONS,
      capabilities: { tools: {} },
    });
    const list = await server.ask({ method: "tools/list", jsonrpc: "2.0", id: "list" });
    expect(list).toMatchObject({ id: "list", result: { tools: [{ name: "reveal" }, { name: "compress" }] } });
  });

  it("compresses, and reveals what was cut", async () => {
    const [id] = citedIds(await compress(bashEvent(logLines(300))));
    const { result } = await server.call("reveal", { id, lines: "100:102" });
    const answer: { status: string; text: string } = JSON.parse(result?.content[0]?.text ?? "");
    expect(answer.status).toBe("ok");
    expect(answer.text).toBe(`${logLines(300).split("\n").slice(99, 102).join("\n")}\n`);
  });

  it("C10: leaves alone what it gave back, under the names of client and plugin", async () => {
    const text = logLines(300);
    home.writeRules({ rules: [{ tool: "*", max_lines: 20 }] });
    for (const tool of ["mcp__isthmos__reveal", "mcp__plugin_isthmos_isthmos__reveal"])
      expect(await compress(toolResult({ tool, useId: "u", text }))).toBe("");
    expect(await compress(toolResult({ tool: "mcp__other__tool", useId: "u", text }))).not.toBe("");
  });

  it("C12: refers to what the same session got whole", async () => {
    home.writeRules({ rules: [{ tool: "Bash", max_lines: 10_000, dedup: true }] });
    const text = Array.from({ length: 300 }, (_, i) => `line ${i} of a listing\n`).join("");
    const call = { session: "session-1", useId: "toolu_1", text };
    await compress(sessionStart("startup"));
    expect(await compress(toolResult(call))).toBe("");
    await compress(batch([call]));
    expect(await compress(toolResult({ ...call, useId: "toolu_2" }))).toContain("identical to an earlier");
  });

  it.each([
    ["shadow", ""],
    ["off", ""],
    ["live", "[isthmos: "],
  ])("takes a change of the rules file to %s at the next call", async (mode, part) => {
    const cut = bashEvent(logLines(300));
    expect(await compress(cut)).toContain("[isthmos: ");
    home.writeRules({ mode, rules: RULES });
    // A time that says nothing: the same second, or a file put back from a backup.
    utimesSync(home.env.rulesFile.value, 1, 1);
    expect(await compress(cut)).toContain(part);
    if (part === "") expect(await compress(cut)).toBe("");
  });

  it("takes another key where the file was replaced, and a rules file that was removed", async () => {
    const cut = bashEvent(logLines(300));
    const [first] = citedIds(await compress(cut));
    writeFileSync(home.env.keyFile.value, Buffer.alloc(32, 7), { mode: 0o600 });
    const [second] = citedIds(await compress(cut));
    expect(second).not.toBe(first);
    const { result } = await server.call("reveal", { id: second });
    expect(JSON.parse(result?.content[0]?.text ?? "")).toMatchObject({ status: "ok" });
    rmSync(home.env.rulesFile.value);
    expect(await compress(cut)).toBe("");
  });

  it("C6: delivers the original where nothing can be stored", async () => {
    writeFileSync(join(home.env.stateDir.value, "store"), "a file where the folder would be");
    expect(await compress(bashEvent(logLines(300)))).toBe("");
    expect(healthCodes().length).toBeGreaterThan(0);
  });

  it("says in its file what it did", async () => {
    await compress(bashEvent(logLines(300)));
    await compress(bashEvent("ok\n"));
    await server.call("reveal", { id: "0123456789abcdef" });
    await sleep(1200);
    const [state] = readServers(home.env.stateDir.value);
    expect(state).toMatchObject({
      pid: process.pid,
      calls: 2,
      decisions: { changed: 1, unchanged: 1 },
      reveals: { not_found: 1 },
    });
    server.stdin.end();
    await server.ended;
    expect(readServers(home.env.stateDir.value)).toEqual([]);
  });
});

describe("bad requests get an error, and the server lives on", () => {
  it.each([
    ["no JSON", "{", -32700],
    ["an unknown method", { method: "tools/none", jsonrpc: "2.0", id: 1 }, -32601],
    ["an unknown tool", toolCall("squeeze", {}), -32602],
    ["a name that is none", toolCall(7, {}), -32602],
    ["no parameters", { method: "tools/call", jsonrpc: "2.0", id: 1 }, -32602],
    ["parameters that are none", { method: "tools/call", params: 3, jsonrpc: "2.0", id: 1 }, -32602],
    ["reveal without an id", toolCall("reveal", {}), -32602],
    ["reveal with a wrong range", toolCall("reveal", { id: "0123456789abcdef", lines: "x" }), -32602],
    ["reveal with an unknown argument", toolCall("reveal", { id: "0123456789abcdef", all: true }), -32602],
    ["compress with an object", toolCall("compress", { tool_response: {} }), -32602],
    ["compress with a list", toolCall("compress", []), -32602],
  ])("%s", async (_, message, code) => {
    const answer = await server.ask(message);
    expect(answer.error?.code).toBe(code);
    expect(await server.ask({ method: "ping", jsonrpc: "2.0", id: 2 })).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: {},
    });
  });

  it("an error that nobody caught is on record", async () => {
    server.uncaught(new Error("unexpected"));
    expect(healthCodes()).toEqual(["internal"]);
    expect(await compress(bashEvent(logLines(300)))).not.toBe("");
  });

  it("an event that nobody waits for is left alone", async () => {
    server.stdin.write(`${JSON.stringify({ ...toolCall("compress", {}), id: undefined })}\n`);
    expect(await server.ask({ method: "ping", jsonrpc: "2.0", id: 2 })).toMatchObject({ id: 2 });
  });
});

function toolCall(name: unknown, args: object) {
  return { method: "tools/call", params: { name, arguments: args }, jsonrpc: "2.0", id: 1 };
}

describe("large events", () => {
  const large = (tool: string) =>
    interpolate({ hook_event_name: "PostToolUse", tool_name: tool, tool_response: "x".repeat(5_000_000) });

  it("C1: have no answer where their process cannot be started", async () => {
    const { result } = await server.call("compress", large("Agent"));
    expect(result?.content).toEqual([{ type: "text", text: "" }]);
    expect(healthCodes()).toEqual(["child_failed"]);
  });

  it("are answered by their process, and others meanwhile", async () => {
    const slow = "setTimeout(() => { process.stdin.resume(); process.stdout.write('an answer') }, 300)";
    const other = startTestServer(home.env, [
      process.execPath,
      "-e",
      `${slow}; process.stdin.on("end", () => process.exit(0))`,
    ]);
    const first = other.call("compress", large("Agent"));
    const second = other.call("reveal", { id: "0123456789abcdef" });
    // The quick one comes first.
    expect(JSON.parse((await first).result?.content[0]?.text ?? "")).toMatchObject({ status: "not_found" });
    expect((await second).result?.content).toEqual([{ type: "text", text: "an answer" }]);
    other.stdin.end();
    await other.ended;
  });
});

describe("the end", () => {
  it.each([
    ["of stdin", () => server.stdin.end()],
    ["by a signal", () => server.signal()],
  ])("%s ends it, with a process at work", async (_, end) => {
    const other = startTestServer(home.env, [process.execPath, "-e", "setInterval(() => {}, 1000)"]);
    void other.call("compress", interpolate({ tool_response: "x".repeat(5_000_000) }));
    await sleep(100);
    other.stdin.end();
    await other.ended;
    end();
    await server.ended;
  });

  it("comes after the answers to what was asked before", async () => {
    const answer = server.call("compress", interpolate(JSON.parse(bashEvent(logLines(300)))));
    server.stdin.end();
    expect((await answer).result?.content[0]?.text).toContain("[isthmos: ");
  });
});
