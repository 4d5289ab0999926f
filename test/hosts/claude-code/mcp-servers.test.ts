// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { expandVariables, findServers } from "../../../src/hosts/claude-code/mcp-servers.ts";

const entry = (command: string) => ({ type: "stdio", command, args: ["mcp"], env: {} });
const servers = (command: string) => ({ mcpServers: { isthmos: entry(command) } });
const asFile = (path: string, root: unknown) => ({ path, text: JSON.stringify(root) });

describe("findServers", () => {
  it("ranks local before project before user", () => {
    const user = { ...servers("/user"), projects: { "/w": servers("/local"), "/other": servers("/no") } };
    const { entries, problems } = findServers(
      {
        user: asFile("/h/.claude.json", user),
        projects: [asFile("/w/.mcp.json", servers("/project")), asFile("/.mcp.json", servers("/above"))],
        key: "/w",
      },
      "isthmos",
    );
    expect(problems).toEqual([]);
    expect(entries.map(({ scope, path, command }) => [scope, path, command])).toEqual([
      ["local", "/h/.claude.json", "/local"],
      ["project", "/w/.mcp.json", "/project"],
      ["project", "/.mcp.json", "/above"],
      ["user", "/h/.claude.json", "/user"],
    ]);
    expect(entries[0]).toMatchObject({ type: "stdio", args: ["mcp"], env: {} });
  });

  it("reads what the user agreed to in this folder", () => {
    const projects = {
      "/w": {
        ...{ enabledMcpjsonServers: ["isthmos"], disabledMcpjsonServers: ["other", 7] },
        disabledMcpServers: ["off", null],
      },
    };
    const found = findServers({ user: asFile("/u", { projects }), key: "/w" }, "isthmos");
    expect([...found.approved, ...found.refused, ...found.disabled]).toEqual(["isthmos", "other", "off"]);
  });

  it.each<[string, unknown]>([
    ["no servers", {}],
    ["servers of another kind", { mcpServers: [] }],
    ["another name", { mcpServers: { other: entry("/x") } }],
    ["a name that every object has", { mcpServers: {}, projects: { constructor: {} } }],
    ["an entry of another kind", { mcpServers: { isthmos: "isthmos mcp" } }],
    ["no object", []],
  ])("finds none: %s", (_, root) => {
    expect(findServers({ user: asFile("/u", root), key: "constructor" }, "isthmos").entries).toEqual([]);
  });

  it("takes an entry's odd values for missing", () => {
    const odd = { mcpServers: { isthmos: { command: 7, args: "mcp", env: { A: "1", B: 2 }, url: "x" } } };
    expect(findServers({ user: asFile("/u", odd) }, "isthmos").entries).toEqual([
      { scope: "user", path: "/u", type: "stdio", command: "", args: [], env: { A: "1" } },
    ]);
  });

  it("says which file is not JSON, and reads the other", () => {
    const { entries, problems } = findServers(
      { user: { path: "/u", text: "{" }, projects: [asFile("/p", servers("/x"))], key: "/" },
      "isthmos",
    );
    expect(problems).toEqual([{ path: "/u", message: "not JSON" }]);
    expect(entries).toHaveLength(1);
  });

  it("an empty file says nothing", () => {
    const { entries, problems } = findServers({ user: { path: "/u", text: "\n" } }, "isthmos");
    expect([entries, problems]).toEqual([[], []]);
  });
});

it.each([
  ["$" + "{HOME}/x", "/h/x"],
  ["$" + "{GONE:-/opt}/x", "/opt/x"],
  ["$" + "{GONE}/x", "$" + "{GONE}/x"],
  ["$" + "{EMPTY:-}x", "x"],
  ["$HOME", "$HOME"],
])("%s in an entry is %s", (text, filled) => {
  expect(expandVariables(text, { HOME: "/h" })).toBe(filled);
});
