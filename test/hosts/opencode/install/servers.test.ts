// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  hasServer,
  registerServer,
  unregisterServer,
} from "../../../../src/hosts/opencode/install/servers.ts";
import { JsoncError } from "../../../../src/jsonc/document.ts";

const PROGRAM = ["/opt/isthmos"] as const;
const ENTRY = '"isthmos": {"type": "local", "command": ["/opt/isthmos", "mcp"]';
const OLD =
  '{ "mcp": { "isthmos": { "type": "local", "command": ["/old/isthmos", "mcp"], "enabled": false, "environment": { "A": "1" } } } }';

const client = (version: string) => ({ path: "/bin/opencode", version });

describe("registerServer", () => {
  it.each([
    [
      "servers under mcp",
      '{\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] }, // mine\n  },\n}\n',
      '{\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] }, // mine\n    "isthmos": {\n      "type": "local",\n      "command": ["/opt/isthmos", "mcp"],\n      "enabled": true\n    },\n  },\n}\n',
    ],
    [
      "servers under mcp.servers",
      '{ "mcp": { "servers": { "a": { "type": "remote", "url": "x" } } } }',
      `{ "mcp": { "servers": { "a": { "type": "remote", "url": "x" }, ${ENTRY}} } } }`,
    ],
    ["an empty mcp.servers", '{ "mcp": { "servers": {} } }', `{ "mcp": { "servers": {${ENTRY}}} } }`],
    [
      "a server that is called servers",
      '{ "mcp": { "servers": { "type": "local", "command": ["s"] } } }',
      `{ "mcp": { "servers": { "type": "local", "command": ["s"] }, ${ENTRY}, "enabled": true} } }`,
    ],
    ["no servers", '{ "model": "x" }', `{ "model": "x", "mcp": {${ENTRY}, "enabled": true}} }`],
    ["an old place of ours, whose other members stay", OLD, OLD.replace("/old/", "/opt/")],
    ["what is right", OLD.replace("/old/", "/opt/"), OLD.replace("/old/", "/opt/")],
  ])("%s", (_, text, expected) => {
    expect(registerServer(text, PROGRAM)).toBe(expected);
  });

  it.each([
    [undefined, "mcp.isthmos"],
    [client("1.18.33"), "mcp.isthmos"],
    [client("2.0.0"), "mcp.servers.isthmos"],
  ])("writes into a new file what client %j reads: %s", (found, path) => {
    const value = JSON.parse(registerServer(undefined, PROGRAM, found));
    expect(value.$schema).toBe("https://opencode.ai/config.json");
    expect(path.split(".").reduce((inner, name) => inner[name], value)).toMatchObject({ type: "local" });
  });

  it.each([
    ["no object", "[]", "the file must hold an object"],
    ["mcp is no object", '{"mcp": 1}', "line 1: mcp must be an object"],
    ["servers of another kind", '{"mcp":{"a":{"type":"local"},"isthmos":[]}}', "starts another program"],
    ["another's entry", '{"mcp":{"isthmos":{"type":"local","command":["x"]}}}', "starts another program"],
    ["broken", '{"mcp":', "line 1"],
    ["a name twice", '{"mcp":{},"mcp":{}}', "stands twice"],
  ])("refuses %s", (_, text, message) => {
    expect(() => registerServer(text, PROGRAM)).toThrow(JsoncError);
    expect(() => registerServer(text, PROGRAM)).toThrow(message);
  });
});

describe("unregisterServer", () => {
  it.each([
    ["{}", '{\n  "$schema": "x"\n}\n'],
    ["trailing commas", '{\n  "mcp": {\n    "a": { "type": "local" },\n  },\n}\n'],
    ["version 2", '{ "mcp": { "servers": { "a": {} } } }'],
    ["version 2, empty", '{ "mcp": { "servers": {} } }'],
    ["CRLF and tabs", '{\r\n\t"mcp": {\r\n\t\t"a": { "type": "local" } // x\r\n\t}\r\n}\r\n'],
    ["a byte order mark", '\uFEFF{ "model": "x" }'],
  ])("gives the text as it was: %s", (_, text) => {
    const wired = registerServer(text, PROGRAM);
    expect(hasServer(wired, PROGRAM)).toBe(true);
    expect(unregisterServer(wired, text, PROGRAM)).toBe(text);
  });

  it.each([
    ["another's entry", '{"mcp":{"isthmos":{"type":"local","command":["x"]}}}'],
    ["another's entry of the same end", '{"mcp":{"isthmos":{"type":"local","command":["other", "mcp"]}}}'],
    ["a broken file without our name", "{"],
  ])("leaves %s", (_, text) => {
    expect(unregisterServer(text, undefined, PROGRAM)).toBe(text);
  });

  it("takes ours out of both dialects, wherever it lies", () => {
    const entry = { type: "local", command: ["/usr/bin/node", "/x/isthmos/dist/cli.cjs", "mcp"] };
    const text = JSON.stringify({ mcp: { isthmos: entry, servers: { isthmos: entry } }, x: 1 });
    expect(unregisterServer(text, undefined, PROGRAM)).toBe('{"mcp":{"servers":{}},"x":1}');
    expect(unregisterServer(text, "{}", PROGRAM)).toBe('{"x":1}');
  });
});
