// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { scan } from "../../src/core/json/scan.ts";
import { answerCompress, openLargeCall } from "../../src/mcp/calls.ts";
import type { Child } from "../../src/mcp/child.ts";
import type { Compress } from "../../src/mcp/compress.ts";
import { LARGE_MIN_BYTES } from "../../src/mcp/lines.ts";
import { StdioTransport } from "../../src/mcp/transport.ts";

function setUp() {
  const done: string[] = [];
  const child: Child = {
    write: (part) => void done.push(`wrote ${part.length}`),
    end: () => Promise.reject(new Error("asked elsewhere")),
    kill: () => void done.push("killed"),
  };
  const compress: Compress = {
    answer: ({ size }) => `here: ${size}`,
    answerLarge: async () => "its own process",
    open: () => child,
    answerOpened: async () => "opened",
  };
  const stdout = new PassThrough();
  const streams = { stdin: new PassThrough(), stdout };
  const transport = new StdioTransport(streams, { take: () => false, open: () => undefined });
  const answer = async () => {
    await new Promise(setImmediate);
    const text: Buffer | null = stdout.read();
    return text === null ? undefined : JSON.parse(text.toString());
  };
  return { compress, transport, answer, done };
}

function index(message: object) {
  const found = scan(Buffer.from(JSON.stringify(message)));
  if (found === undefined) throw new Error("no JSON");
  return found;
}

const call = (args: unknown, id: unknown = 1) => ({
  method: "tools/call",
  params: { name: "compress", arguments: args },
  jsonrpc: "2.0",
  id,
});

describe("answerCompress", () => {
  it("leaves other tools to the SDK", () => {
    const { compress, transport } = setUp();
    expect(answerCompress(index({ params: { name: "reveal" }, id: 1 }), compress, transport)).toBe(false);
  });

  it.each([
    ["here", call({ cwd: "/" }), { id: 1, result: { content: [{ type: "text", text: "here: 1" }] } }],
    ["with an id that is text", call({}, "a"), { id: "a" }],
    ["without one, to nobody", { params: { name: "compress" } }, undefined],
    ["an error for wrong arguments", call({ cwd: 1 }), { id: 1, error: { code: -32602 } }],
    ["an error for no tool", { params: {}, id: 1 }, { id: 1, error: { code: -32602 } }],
  ])("answers %s", async (_, message, expected) => {
    const { compress, transport, answer } = setUp();
    expect(answerCompress(index(message), compress, transport)).toBe(true);
    if (expected === undefined) expect(await answer()).toBeUndefined();
    else expect(await answer()).toMatchObject(expected);
  });

  const empty = JSON.stringify(call({ cwd: "" })).length;
  it.each([
    [-1, "here: 1"],
    [0, "here: 1"],
    [1, "its own process"],
  ])("%d bytes above the bound", async (more, text) => {
    const { compress, transport, answer } = setUp();
    const message = call({ cwd: "x".repeat(LARGE_MIN_BYTES - empty + more) });
    expect(answerCompress(index(message), compress, transport)).toBe(true);
    expect(await answer()).toMatchObject({ result: { content: [{ text }] } });
  });
});

describe("openLargeCall", () => {
  const start = '"params":{"name":"compress","arguments":{"tool_response":"';
  it.each([
    `{"method":"tools/call",${start}`,
    `{"jsonrpc":"2.0","id":12,"method":"tools/call",${start}`,
    `{"jsonrpc": "2.0", "id": "a-1", "method": "tools/call", "params": {"name": "compress", "arguments": {`,
    '{"method":"tools/call","params":{"_meta":{"progressToken":3},"name":"compress",',
  ])("takes %s", (head) => {
    const { compress, transport } = setUp();
    expect(openLargeCall(head, compress, transport)).toBeDefined();
  });

  it.each([
    '{"method":"tools/call","params":{"name":"reveal","arguments":{"id":"\\"name\\":\\"compress\\""',
    `{"method":"tools/list",${start}`,
    '{"a":{"method":"tools/call","params":{"name":"compress"',
    '{"result":"{\\"method\\":\\"tools/call\\"',
  ])("leaves %s", (head) => {
    const { compress, transport } = setUp();
    expect(openLargeCall(head, compress, transport)).toBeUndefined();
  });

  const HEAD = `{"method":"tools/call",${start}`;

  it("reads it like any other where no process may start", () => {
    const { compress, transport } = setUp();
    expect(openLargeCall(HEAD, { ...compress, open: () => undefined }, transport)).toBeUndefined();
  });

  it("answers under the id that was found", async () => {
    const { compress, transport, answer, done } = setUp();
    const sink = openLargeCall(HEAD, compress, transport);
    sink?.write(Buffer.from("abc"));
    sink?.end(7);
    expect(await answer()).toMatchObject({ id: 7, result: { content: [{ type: "text", text: "opened" }] } });
    expect(done).toEqual(["wrote 3"]);
  });

  it("answers an error where no id was found, and ends the process", async () => {
    const { compress, transport, answer, done } = setUp();
    openLargeCall(HEAD, compress, transport)?.end(null);
    expect(await answer()).toMatchObject({ id: null, error: { code: -32600 } });
    expect(done).toEqual(["killed"]);
  });

  it("ends the process where the message is too long", () => {
    const { compress, transport, done } = setUp();
    openLargeCall(HEAD, compress, transport)?.abort();
    expect(done).toEqual(["killed"]);
  });
});
