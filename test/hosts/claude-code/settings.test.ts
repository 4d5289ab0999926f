// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { findWiring } from "../../../src/hosts/claude-code/settings.ts";
import type { SettingsFile } from "../../../src/hosts/claude-code/wiring.ts";

const file = (text: string, scope = "user"): SettingsFile => ({
  scope,
  path: `/${scope}/settings.json`,
  text,
});
const wired = (event: string, matcher: string | undefined, ...hooks: object[]) =>
  JSON.stringify({ hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks }] } });
const command = (line: string, more: object = {}) => ({ type: "command", command: line, ...more });

describe("findWiring", () => {
  it("finds our hooks with event, matcher, time-out and scope", () => {
    const wiring = findWiring([
      file(wired("PostToolUse", "^(Bash|mcp__.*)$", command("~/bin/isthmos hook", { timeout: 5 }))),
      file(wired("PostToolBatch", undefined, command("isthmos", { args: ["hook"], async: true })), "project"),
    ]);
    expect(wiring).toEqual({
      ours: [
        {
          scope: "user",
          path: "/user/settings.json",
          event: "PostToolUse",
          matcher: "^(Bash|mcp__.*)$",
          type: "command",
          target: "~/bin/isthmos hook",
          timeout: 5,
          async: false,
        },
        {
          scope: "project",
          path: "/project/settings.json",
          event: "PostToolBatch",
          type: "command",
          target: "isthmos hook",
          program: "isthmos",
          args: ["hook"],
          async: true,
        },
      ],
      rivals: [],
      unread: [],
      disabledBy: [],
      reservedBy: [],
      plugins: [],
      denied: new Set(),
      servers: { approved: new Set(), refused: new Set(), denied: [] },
      variables: [],
      problems: [],
    });
  });

  it.each([
    ["{}", false],
    ["\uFEFF{}", false],
    ["", false],
    ["[]", false],
    ["{ broken", false],
    ["// why\n{}", true],
    ["{ /* why */ }", true],
    ['{ "env": {}, }', true],
  ])("tells whether the client reads %j", (text, isUnread) => {
    expect(findWiring([file(text)]).unread).toHaveLength(isUnread ? 1 : 0);
  });

  it("finds the variables of ours that the client hands on", () => {
    const { variables } = findWiring([
      file('{"env":{"ISTHMOS_DISABLE":1,"OTHER":"x"}}'),
      file('{"env":["ISTHMOS_RULES"]}', "project"),
    ]);
    expect(variables).toEqual([{ path: "/user/settings.json", name: "ISTHMOS_DISABLE", value: "1" }]);
  });

  it.each([
    ["shell form", command("isthmos hook"), true],
    ["exec form", command("/opt/isthmos", { args: [] }), true],
    ["exec form, another command", command("/opt/isthmos", { args: ["stats"] }), false],
    ["exec form, arguments of odd types", command("/opt/isthmos", { args: [7] }), false],
    ["our server", { type: "mcp_tool", server: "isthmos", tool: "squeeze" }, true],
    ["our server of a plugin", { type: "mcp_tool", server: "plugin:isthmos:isthmos", tool: "squeeze" }, true],
    ["another server", { type: "mcp_tool", server: "isthmos2", tool: "squeeze" }, false],
    ["an address", { type: "http", url: "http://localhost/isthmos" }, false],
    ["no type", { command: "isthmos hook" }, false],
    ["a command of an odd type", { type: "command", command: ["isthmos"] }, false],
  ])("ours or not: %s", (_name, hook, expected) => {
    expect(findWiring([file(wired("PostToolUse", "Bash", hook))]).ours).toHaveLength(expected ? 1 : 0);
  });

  const ours = file(wired("PostToolUse", "Bash|mcp__github__list", command("isthmos hook")));
  it.each([
    ["another command for the same tool", wired("PostToolUse", "Bash", command("rtk post")), true],
    ["for all tools", wired("PostToolUse", undefined, { type: "http", url: "http://127.0.0.1:9" }), true],
    [
      "a tool of another server",
      wired("PostToolUse", "mcp__.*", { type: "mcp_tool", server: "x", tool: "y" }),
      true,
    ],
    ["for other tools", wired("PostToolUse", "Edit|Write", command("prettier")), false],
    ["before the call", wired("PreToolUse", "Bash", command("guard")), false],
    ["that nothing waits for", wired("PostToolUse", "Bash", command("log", { async: true })), false],
    ["of a type that cannot answer", wired("PostToolUse", "Bash", { type: "prompt", prompt: "x" }), false],
  ])("rivals: a hook %s", (_name, text, expected) => {
    expect(findWiring([ours, file(text, "project")]).rivals).toHaveLength(expected ? 1 : 0);
  });

  it("without a hook of ours on results nothing is a rival", () => {
    const rival = file(wired("PostToolUse", "*", command("rtk post")));
    expect(findWiring([rival, file(wired("PostToolBatch", "*", command("isthmos hook")))]).rivals).toEqual(
      [],
    );
  });

  it("comments and trailing commas are fine", () => {
    const text =
      '\uFEFF{ // mine\n "hooks": { "PostToolUse": [ { "hooks": [ { "type": "command", "command": "isthmos hook" }, ] } ] } }';
    expect(findWiring([file(text)])).toMatchObject({ ours: [{ target: "isthmos hook" }], problems: [] });
  });

  it.each([
    ["", []],
    ["{}", []],
    ['{"hooks":{"PostToolUse":[]}}', []],
    ['{\n "hooks": {\n', ["not JSON at line 3"]],
    ["[]", ["the settings must be an object"]],
    ['{"hooks":[]}', ["hooks must be an object"]],
    ['{"hooks":{"Stop":{}}}', ["hooks.Stop must be a list"]],
    ['{"hooks":{"Stop":[7]}}', ["hooks.Stop: an entry has no list of hooks"]],
    ['{"hooks":{"Stop":[{"hooks":{}}]}}', ["hooks.Stop: an entry has no list of hooks"]],
    ['{"hooks":{"Stop":[{"matcher":7,"hooks":[]}]}}', ["hooks.Stop: a matcher must be a string"]],
    ['{"hooks":{"Stop":[{"hooks":["isthmos hook"]}]}}', ["hooks.Stop: a hook must be an object"]],
    [
      '{"hooks":{"PostToolUse":[{"matcher":"(","hooks":[]}]}}',
      ['hooks.PostToolUse: matcher "(" is no regular expression and never fires'],
    ],
  ])("problems of %j", (text, messages) => {
    const { problems, ours: none } = findWiring([file(text)]);
    expect(problems.map(({ message }) => message)).toEqual(messages);
    expect(problems.every(({ scope, path }) => scope === "user" && path === "/user/settings.json")).toBe(
      true,
    );
    expect(none).toEqual([]);
  });

  it("says which files turn hooks off", () => {
    const off = file('{"disableAllHooks":true,"hooks":{}}', "local");
    expect(findWiring([off, file('{"disableAllHooks":"true"}')]).disabledBy).toEqual([off]);
  });

  it("says which files let only an administrator's hooks run", () => {
    const managed = file('{"allowManagedHooksOnly":true}', "managed");
    expect(findWiring([managed, file("{}")]).reservedBy).toEqual([managed]);
  });

  it.each([
    [["node", "/x/cli.cjs", "hook"], true],
    [["node", "/x/cli.cjs", "stats"], false],
    [["node", "/y/cli.cjs", "hook"], false],
    [["node", "/x/cli.cjs", "hook", "x"], false],
  ])("this very program is ours under any name: %j", ([program, ...args], expected) => {
    const text = wired("PostToolUse", "Bash", command(program ?? "", { args }));
    expect(findWiring([file(text)], ["node", "/x/cli.cjs"]).ours).toHaveLength(expected ? 1 : 0);
    expect(findWiring([file(text)]).ours).toEqual([]);
  });

  it.each<[object, string | undefined]>([
    [{ if: "Bash(git *)" }, "Bash(git *)"],
    [{ if: "" }, undefined],
    [{ if: 7 }, undefined],
  ])("keeps the condition of a hook with %j", (more, condition) => {
    const { ours } = findWiring([file(wired("PostToolUse", "Bash", command("isthmos hook", more)))]);
    expect(ours.map((hook) => hook.condition)).toEqual([condition]);
  });

  it("keeps what a hook asks of a server", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the client fills it in
    const input = { tool_name: "${tool_name}" };
    const hook = { type: "mcp_tool", server: "isthmos", tool: "compress", input };
    const { ours } = findWiring([file(wired("PostToolUse", "Bash", hook))]);
    expect(ours).toMatchObject([
      { target: "isthmos compress", call: { server: "isthmos", tool: "compress", input } },
    ]);
  });

  it.each<[string, string[]]>([
    [
      '{"enabledPlugins":{"isthmos@market":true,"other@market":true,"isthmos@old":false}}',
      ["isthmos@market"],
    ],
    ['{"enabledPlugins":{"isthmosis@market":true}}', []],
    ['{"enabledPlugins":["isthmos"]}', []],
  ])("plugins of ours in %s", (text, names) => {
    expect(findWiring([file(text)]).plugins.map(({ name }) => name)).toEqual(names);
  });

  it("puts together what is denied and what is agreed to", () => {
    const wiring = findWiring([
      file('{"permissions":{"deny":["mcp__isthmos__compress",7]},"enabledMcpjsonServers":["isthmos"]}'),
      file('{"permissions":{"deny":["Bash"]},"enableAllProjectMcpServers":true}', "project"),
    ]);
    expect(wiring.denied).toEqual(new Set(["mcp__isthmos__compress", "Bash"]));
    expect(wiring.servers.approved).toEqual(new Set(["isthmos", "*"]));
  });
});
