// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { isToolOf, nameMcpTool } from "../../src/hosts/mcp-name.ts";

describe("nameMcpTool", () => {
  it.each([
    ["github_list_issues", "", ["github"], "mcp__github__list_issues"],
    ["my_srv_fat_list", "", ["my.srv"], "mcp__my_srv__fat_list"],
    ["my_srv_fat_list", "", ["my", "my.srv"], "mcp__my_srv__fat_list"],
    ["my_srv_fat_list", "", [], "mcp__my__srv_fat_list"],
    ["isthmos_reveal", "", [], "mcp__isthmos__reveal"],
    ["mcp_github_list", "mcp_", ["github"], "mcp__github__list"],
    ["github_list", "mcp_", ["github"], undefined],
    ["plain", "", ["plain"], undefined],
    ["plain_", "", ["plain"], undefined],
    ["_x", "", [], undefined],
    ["", "", [], undefined],
  ])("%s of prefix %j and servers %j: %s", (name, prefix, servers, expected) => {
    expect(nameMcpTool(name, prefix, servers)).toBe(expected);
  });
});

describe("isToolOf", () => {
  it.each([
    ["my_srv_list", ["my.srv"], true],
    ["isthmos_reveal", [], true],
    ["my_srv", ["my.srv"], false],
    ["apply_patch", ["my.srv"], false],
  ])("%s of %j: %s", (name, servers, expected) => {
    expect(isToolOf(name, "", servers)).toBe(expected);
  });
});
