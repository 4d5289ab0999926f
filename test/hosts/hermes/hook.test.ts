// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { hermes } from "../../../src/hosts/hermes/hook.ts";

function callOf(event: object) {
  const decoded = hermes.decode(
    new TextEncoder().encode(JSON.stringify({ host: "hermes", ...event, output: { output: "{}" } })),
  );
  if (decoded?.kind !== "result") throw new Error(`expected a result, got ${decoded?.kind}`);
  return decoded.call;
}

describe("Hermes' results", () => {
  it.each([
    ["terminal", [], "Bash"],
    ["read_file", [], "Read"],
    ["search_files", [], "Grep"],
    ["web_extract", [], "WebFetch"],
    ["web_search", [], "WebSearch"],
    ["delegate_task", [], "delegate_task"],
    ["mcp_my_srv_list", ["my-srv", "my_srv"], "mcp__my_srv__list"],
    ["mcp_my_srv_list", [], "mcp__my__srv_list"],
    ["mcp__github__list", [], "mcp__github__list"],
    ["mcp_", [], "mcp_"],
  ])("%s of servers %j is %s to rules", (tool, servers, expected) => {
    expect(callOf({ tool, servers }).tool).toBe(expected);
  });

  it.each([
    [{ tool: "mcp_isthmos_reveal" }, true],
    [{ tool: "terminal", command: "isthmos reveal x" }, true],
    [{ tool: "terminal", command: "ls" }, false],
    [{ tool: "web_search", command: "isthmos reveal x" }, false],
  ])("C10: %j is our own: %s", (event, expected) => {
    expect(callOf(event).own).toBe(expected);
  });

  it("are one text, in which anything may go", () => {
    expect(callOf({ tool: "terminal" }).regions).toMatchObject([{ cut: "any", content: "text" }]);
  });
});
