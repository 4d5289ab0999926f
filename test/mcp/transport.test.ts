// SPDX-License-Identifier: Apache-2.0
import { PassThrough, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { StdioTransport } from "../../src/mcp/transport.ts";

const MAX = 200;

async function open({
  stdout = new PassThrough(),
  maxBytes = MAX,
}: {
  stdout?: Writable;
  maxBytes?: number;
} = {}) {
  const stdin = new PassThrough();
  const taken: unknown[] = [];
  const transport = new StdioTransport(
    { stdin, stdout },
    { take: () => false, open: () => undefined },
    maxBytes,
  );
  transport.onmessage = (message) => taken.push(message);
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  return { stdin, stdout, transport, taken, closed };
}

async function answersTo(...lines: readonly string[]) {
  const { stdin, stdout, taken, closed } = await open();
  for (const line of lines) stdin.write(line);
  stdin.end();
  await closed;
  const text: Buffer | null = stdout instanceof PassThrough ? stdout.read() : null;
  const answers: { id: unknown; error: { code: number } }[] = (text?.toString() ?? "")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { taken, errors: answers.map(({ id, error }) => [id, error.code]) };
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const PARSED = { jsonrpc: "2.0", id: 1, method: "ping" };
const LONG = "x".repeat(MAX);

describe("StdioTransport", () => {
  it.each([
    ["a message", [`${PING}\n`], [PARSED], []],
    ["with CRLF", [`${PING}\r\n`], [PARSED], []],
    ["several in a chunk", [`${PING}\n${PING}\n\n\r\n${PING}\n`], [PARSED, PARSED, PARSED], []],
    ["in pieces", [PING.slice(0, 9), PING.slice(9), "\n"], [PARSED], []],
    ["broken JSON, then another", [`{"a":\n${PING}\n`], [PARSED], [[null, -32700]]],
    ["no JSON-RPC", [`{"id":7,"method":3}\n${PING}\n`], [PARSED], [[7, -32600]]],
    ["another version", ['{"jsonrpc":"1.0","id":"a","method":"ping"}\n'], [], [["a", -32600]]],
    ["a list of messages", [`[${PING}]\n`], [], [[null, -32600]]],
    ["a number", ["1\n"], [], [[null, -32600]]],
    ["an id that is none", ['{"jsonrpc":"2.0","id":{},"method":"ping"}\n'], [], [[null, -32600]]],
    ["too long, id first", [`{"id":5,"a":"${LONG}"}\n${PING}\n`], [PARSED], [[5, -32600]]],
    [
      "too long, version and id first",
      [`{"jsonrpc":"2.0","id":"a-1","a":"${LONG}"}\n`],
      [],
      [["a-1", -32600]],
    ],
    ["too long, id last", [`{"a":"${LONG}","jsonrpc":"2.0","id":6}\n`], [], [[6, -32600]]],
    ["too long, id last but one", [`{"a":"${LONG}","id":6,"jsonrpc":"2.0"}\r\n`], [], [[6, -32600]]],
    ["too long, id inside only", [`{"a":{"b":"${LONG}","id":6}}\n`], [], [[null, -32600]]],
    ["too long, id in a text only", [`{"a":"${LONG},\\"id\\":6}"}\n`], [], [[null, -32600]]],
  ])("%s", async (_, lines, taken, errors) => {
    expect(await answersTo(...lines)).toEqual({ taken, errors });
  });

  it("writes an answer whole, however slow its reader, and others behind it", async () => {
    const chunks: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 1024,
      write: (chunk: Buffer, _, done) => {
        chunks.push(chunk);
        setTimeout(done, 5);
      },
    });
    const { transport, stdin, closed } = await open({ stdout: slow });
    const text = "ö".repeat(1024 * 1024);
    void transport.send({ jsonrpc: "2.0", id: 1, result: { text } });
    void transport.send({ jsonrpc: "2.0", id: 2, result: {} });
    stdin.end();
    await closed;
    const [first, second] = Buffer.concat(chunks).toString().split("\n");
    expect(JSON.parse(first ?? "")).toEqual({ jsonrpc: "2.0", id: 1, result: { text } });
    expect(JSON.parse(second ?? "")).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
  });

  it("reads no further while much is unread", async () => {
    const { stdin, transport } = await open({ stdout: new Writable({ write: () => {} }) });
    void transport.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(65 * 1024 * 1024) } });
    stdin.write(`${PING}\n`);
    await sleep(20);
    expect(stdin.isPaused()).toBe(true);
    stdin.destroy();
  });

  it("closes where the reader is gone", async () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    const { transport, closed } = await open({ stdout: gone });
    void transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    await closed;
  });

  it("closes soon where nobody reads what is left", async () => {
    const { transport, stdin, closed } = await open({ stdout: new Writable({ write: () => {} }) });
    void transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    stdin.end();
    await closed;
  });

  it("answers an error of the receiver, and stays open", async () => {
    const { stdin, stdout, transport } = await open();
    transport.onmessage = () => {
      throw new Error("unexpected");
    };
    stdin.write(`${PING}\n${PING}\n`);
    await sleep(5);
    const lines = stdout instanceof PassThrough ? String(stdout.read()).trim().split("\n") : [];
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, error: { code: -32603 } },
      { id: 1, error: { code: -32603 } },
    ]);
  });
});
