// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  hasServer,
  registerServer,
  serverEntry,
  unregisterServer,
} from "../../../../src/hosts/claude-code/install/servers.ts";
import { JsoncError } from "../../../../src/jsonc/document.ts";

const SELF = ["/opt/isthmos"] as const;
const USER = ["mcpServers", "isthmos"];
const LOCAL = ["projects", "/home/dev/a.b c", "mcpServers", "isthmos"];

describe.each([
  ["user", USER],
  ["local", LOCAL],
])("the entry of the %s scope", (_, path) => {
  it.each([
    undefined,
    "",
    "{}",
    '{"mcpServers":{"other":{"command":"x"}},"projects":{}}',
    '{\n\t"a": 1\n}\n',
  ])("goes into %j and out again", (text) => {
    const more = registerServer(text, path, SELF);
    expect(hasServer(more, path, SELF)).toBe(true);
    expect(registerServer(more, path, SELF)).toBe(more);
    expect(unregisterServer(more, path, text ?? "", SELF)).toBe(text || "{}\n");
  });

  it("goes, and what may be the user's stays where nothing is known", () => {
    const out = unregisterServer(registerServer('{"a":1}', path, SELF), path, undefined, SELF);
    expect(out).toBe(registerServer('{"a":1}', path, SELF).replace(/"isthmos":\{.*?"env":\{\}\}/, ""));
  });
});

describe("registerServer", () => {
  it("keeps what the user added to the entry, and mends the rest", () => {
    const text = JSON.stringify({
      mcpServers: {
        isthmos: { type: "stdio", command: "/old/isthmos", args: ["mcp"], env: { A: "1" }, alwaysLoad: true },
      },
    });
    expect(registerServer(text, USER, SELF)).toBe(text.replace("/old/isthmos", "/opt/isthmos"));
  });

  it.each([
    ["another program", { command: "other", args: ["mcp"] }],
    ["another command of ours", { command: "/opt/isthmos", args: ["stats"] }],
    ["a remote server", { type: "http", url: "https://example.com" }],
    ["no entry at all", 1],
  ])("refuses the name where it is %s", (_, entry) => {
    const text = JSON.stringify({ mcpServers: { isthmos: entry } });
    expect(() => registerServer(text, USER, SELF)).toThrow(/line 1: an MCP server "isthmos"/);
    expect(unregisterServer(text, USER, undefined, SELF)).toBe(text);
  });

  it.each(["[]", '{"mcpServers":[]}', '{"mcpServers":', '{"mcpServers":{},"mcpServers":{}}'])(
    "refuses %j",
    (text) => expect(() => registerServer(text, USER, SELF)).toThrow(JsoncError),
  );

  it("knows this very program under any name", () => {
    const self = ["/usr/bin/node", "/src/main.cjs"] as const;
    const text = registerServer("{}", USER, self);
    expect(hasServer(text, USER, self)).toBe(true);
    expect(() => hasServer(text, USER, SELF)).toThrow(JsoncError);
    expect(serverEntry(self)).toEqual({ type: "stdio", command: self[0], args: [self[1], "mcp"], env: {} });
  });
});
