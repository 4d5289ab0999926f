// SPDX-License-Identifier: Apache-2.0
// Real servers, started as the client starts them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAround } from "../../../src/commands/doctor/reality.ts";
import { checkServer } from "../../../src/commands/doctor/server.ts";
import { fillInput } from "../../../src/commands/doctor/try-server.ts";
import { writeServer } from "../../../src/servers.ts";
import { ANSWER, type DoctorHome, makeDoctorHome } from "../../support/doctor-home.ts";
import { type McpScript, mcpScript } from "../../support/mcp-script.ts";

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

const field = (name: string) => `\${${name}}`;
const INPUT = Object.fromEntries(
  ["hook_event_name", "tool_name", "tool_input", "tool_response", "agent_id"].map((name) => [
    name,
    field(name),
  ]),
);
const HOOK = { type: "mcp_tool", server: "isthmos", tool: "compress", input: INPUT };
const DENY = { permissions: { deny: ["mcp__isthmos__compress"] } };
const RIGHT = `{ content: [{ type: "text", text: ${JSON.stringify(ANSWER)} }] }`;

function register(script: McpScript, entry: object = {}): void {
  const file = at.put("server.mjs", mcpScript(script));
  const isthmos = { type: "stdio", command: process.execPath, args: [file], env: {}, ...entry };
  at.put(".claude.json", { mcpServers: { isthmos } });
}

async function checked(variables: Record<string, string> = {}) {
  const facts = at.facts(variables);
  return checkServer(facts, await lookAround(facts));
}

/** The sentence after the server's words. */
async function said(): Promise<(readonly [string, string])[]> {
  return (await checked()).map(({ level, message }) => [
    level,
    message.replace(/^.* \(~\/\.claude\.json\) /, "").replace(/\d+(?:\.\d)? m?s$/, "<time>"),
  ]);
}

describe("what a server answers", () => {
  it.each<[string, McpScript, string, string]>([
    ["what is right", { call: RIGHT }, "ok", "answers rightly in <time>"],
    [
      "nothing",
      { call: '{ content: [{ type: "text", text: "" }] }' },
      "broken",
      "answered nothing for a result that must be cut",
    ],
    ["no text", { call: "{ content: [] }" }, "broken", "answered nothing for a result that must be cut"],
    [
      "words",
      { call: '{ content: [{ type: "text", text: "hello" }] }' },
      "broken",
      "answers in a form that the client does not use (no json)",
    ],
    [
      "an error result",
      { call: RIGHT.replace("{ ", "{ isError: true, ") },
      "broken",
      "answers in a form that the client does not use (wrong shape)",
    ],
    [
      "no such tool",
      { tools: '[{"name":"reveal"}]' },
      "broken",
      "has no tool that the hooks ask: it is another program or version",
    ],
    [
      "words around messages",
      { begin: 'console.log("welcome");' },
      "broken",
      "prints what is no message of the protocol",
    ],
    [
      "an end of its own",
      { begin: 'console.error("no rules"); process.exit(3);' },
      "broken",
      "ended at initialize, and said: no rules",
    ],
    [
      "an end in a call",
      { each: 'if (m.method === "tools/call") process.exit(0);' },
      "broken",
      "ended at tools/call",
    ],
  ])("%s", async (_, script, level, words) => {
    register(script);
    at.wire(HOOK, ["PostToolUse"], DENY);
    expect(await said()).toEqual([[level, words]]);
  });

  it("an error of the protocol", async () => {
    const refuse = `if (m.method === "tools/call") {
      console.log(JSON.stringify({ jsonrpc: "2.0", id: m.id, error: { code: -32602, message: "bad" } }));
      continue;
    }`;
    register({ each: refuse });
    at.wire(HOOK, ["PostToolUse"], DENY);
    expect(await said()).toEqual([["broken", "refuses tools/call: bad"]]);
  });

  it("rightly, and does not end with its input", async () => {
    register({ call: RIGHT, end: "setTimeout(() => {}, 60_000);" });
    at.wire(HOOK, ["PostToolUse"], DENY);
    const [first, second] = await said();
    expect([first?.[0], second]).toEqual([
      "ok",
      ["warning", "did not end with its input: it would outlive the client"],
    ]);
  });

  it("nothing, and the hook's command neither: all trials end together", async () => {
    register({ each: "continue;" });
    const hang = { type: "command", command: `${at.put("isthmos", "#!/bin/sh\nsleep 60\n", 0o755)} hook` };
    const groups = (...hooks: object[]) => [{ hooks }];
    const [one, other] = [hang, { ...hang, command: `X=1 ${hang.command}` }];
    at.put("bin/claude", "#!/bin/sh\nsleep 60\n", 0o755);
    at.put(".claude/settings.json", {
      hooks: { PostToolUse: groups(HOOK, one), SessionStart: groups(other) },
      ...DENY,
    });
    const facts = at.facts({ PATH: `${join(at.home, "bin")}:/usr/bin:/bin` });
    const startedAt = Date.now();
    const reality = await lookAround(facts);
    // One after the other would take four times 3 s.
    expect(Date.now() - startedAt).toBeLessThan(6000);
    expect(reality.commands.map(({ verdict }) => verdict)).toEqual(["timeout", "timeout"]);
    const found = checkServer(facts, reality);
    expect(found.map(({ level, message }) => [level, message.replace(/^.*\) /, "")])).toEqual([
      ["broken", expect.stringMatching(/^does not answer initialize within [23]\.\d s$/)],
    ]);
  });

  it("a program that is not there", async () => {
    register({}, { command: "/gone/isthmos", args: ["mcp"] });
    at.wire(HOOK, ["PostToolUse"], DENY);
    expect(await said()).toEqual([["broken", "could not be started (ENOENT)"]]);
  });

  it("another version", async () => {
    register({
      call: RIGHT,
      each: "if (m.method === 'initialize') { console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { serverInfo: { version: '0.4.0' } } })); continue; }",
    });
    at.wire(HOOK, ["PostToolUse"], DENY);
    expect((await said())[1]).toEqual([
      "warning",
      "the registered server is version 0.4.0, and this one is 0.0.0-dev",
    ]);
  });
});

describe("how it is started and asked", () => {
  it("C13: with the entry's environment, and in a folder to throw away", async () => {
    const keep =
      'import { writeFileSync } from "node:fs"; writeFileSync(process.env.HOME + "/seen", JSON.stringify({ ...process.env, cwd: process.cwd() }));';
    const state = join(at.home, "state");
    register({ begin: keep, call: RIGHT }, { env: { MINE: field("HOME"), ISTHMOS_STATE_DIR: state } });
    await checked({ ISTHMOS_STATE_DIR: state });
    const seen = JSON.parse(readFileSync(join(at.home, "seen"), "utf8"));
    expect(seen).toMatchObject({ MINE: at.home, cwd: at.project });
    expect(seen.ISTHMOS_STATE_DIR).not.toBe(state);
    expect(existsSync(seen.ISTHMOS_STATE_DIR)).toBe(false);
  });

  it("with the arguments that the hook fills in", () => {
    const filled = fillInput({
      ...INPUT,
      path: field("tool_input.command"),
      gone: field("a.b"),
      both: `x ${field("tool_name")}`,
      flag: true,
    });
    expect(filled).toMatchObject({ hook_event_name: "PostToolUse", tool_name: "Bash", agent_id: "" });
    expect(filled).toMatchObject({ path: "sample", gone: "", both: "x Bash", flag: true });
    expect(JSON.parse(String(filled.tool_response))).toMatchObject({ stderr: "", interrupted: false });
  });
});

describe("registration", () => {
  it("none, and hooks that ask it", async () => {
    at.wire(HOOK, ["PostToolUse", "PostToolBatch"]);
    expect(await said()).toEqual([
      [
        "broken",
        "no MCP server isthmos is registered, yet the hooks on PostToolUse, PostToolBatch ask it: nothing is changed",
      ],
    ]);
  });

  it("none, and hooks that do without", async () => {
    at.wire({ type: "command", command: "isthmos hook" });
    expect((await said())[0]?.[0]).toBe("note");
  });

  it("none, and no hooks", async () => expect(await said()).toEqual([]));

  it("none, and the hooks ask that of a plugin", async () => {
    at.wire({ ...HOOK, server: "plugin:isthmos:isthmos" }, ["PostToolUse"], {
      enabledPlugins: { "isthmos@x": true },
    });
    expect(await said()).toEqual([]);
  });

  it.each<[string, object, object, string]>([
    ["nobody has agreed to", {}, {}, "broken"],
    ["a settings file agrees to", { enabledMcpjsonServers: ["isthmos"] }, {}, "ok"],
    ["a settings file agrees to, as to all", { enableAllProjectMcpServers: true }, {}, "ok"],
    ["the user has agreed to", {}, { enabledMcpjsonServers: ["isthmos"] }, "ok"],
    [
      "the user has refused",
      { enableAllProjectMcpServers: true },
      { disabledMcpjsonServers: ["isthmos"] },
      "broken",
    ],
    [
      "a settings file refuses",
      { enableAllProjectMcpServers: true, disabledMcpjsonServers: ["isthmos"] },
      {},
      "broken",
    ],
    [
      "the user has agreed to and disabled",
      {},
      { enabledMcpjsonServers: ["isthmos"], disabledMcpServers: ["isthmos"] },
      "broken",
    ],
  ])("in the project's file, which %s", async (_, settings, here, level) => {
    const file = at.put("server.mjs", mcpScript({ call: RIGHT }));
    at.put("project/.mcp.json", { mcpServers: { isthmos: { command: process.execPath, args: [file] } } });
    at.put(".claude.json", { projects: { [at.project]: here } });
    at.wire(HOOK, ["PostToolUse"], { ...DENY, ...settings });
    expect((await checked())[0]?.level).toBe(level);
  });

  const DISABLED =
    "the server isthmos of ~/.claude.json is disabled for this project, yet the hooks on PostToolUse ask it: nothing is changed";
  const ENTRY = () => ({
    command: process.execPath,
    args: [at.put("server.mjs", mcpScript({ call: RIGHT }))],
  });

  it.each<[string, string | undefined, boolean]>([
    ["user", undefined, true],
    ["local", undefined, true],
    ["user, in another project", "/elsewhere", false],
  ])("disabled for this project: %s", async (scope, elsewhere, isDisabled) => {
    const servers = { mcpServers: { isthmos: ENTRY() } };
    const project = elsewhere ?? at.project;
    const here = { disabledMcpServers: ["isthmos"], ...(scope === "local" && servers) };
    at.put(".claude.json", { ...(scope !== "local" && servers), projects: { [project]: here } });
    at.wire(HOOK, ["PostToolUse"], DENY);
    const [first, ...rest] = await checked();
    expect(rest).toEqual([]);
    if (!isDisabled) expect(first?.level).toBe("ok");
    else {
      const hint = "enable it in /mcp of Claude Code, or run isthmos init --route command";
      expect(first).toEqual({ check: "server", level: "broken", message: DISABLED, hint });
    }
  });

  it("disabled for this project, and hooks that do without", async () => {
    at.put(".claude.json", {
      mcpServers: { isthmos: ENTRY() },
      projects: { [at.project]: { disabledMcpServers: ["isthmos"] } },
    });
    at.wire({ type: "command", command: "isthmos hook" });
    expect((await checked()).map(({ level }) => level)).toEqual(["note"]);
  });

  it.each([
    ["its root", ".git/HEAD", "ref: x", "project"],
    ["a folder below", "project/.git/HEAD", "ref: x", "project"],
    ["a linked working tree", "project/.git", "gitdir: <home>/main/.git/worktrees/w\n", "main"],
    ["a submodule", "project/.git", "gitdir: ../.git/modules/project\n", "project"],
  ])("disabled for the repository that holds the working folder: %s", async (where, file, text, folder) => {
    const key = where === "its root" ? at.home : join(at.home, folder);
    at.put(file, text.replace("<home>", at.home));
    const projects = { [key]: { disabledMcpServers: ["isthmos"] } };
    at.put(".claude.json", { mcpServers: { isthmos: ENTRY() }, projects });
    at.wire(HOOK, ["PostToolUse"], DENY);
    expect((await checked()).map(({ message }) => message)).toEqual([DISABLED]);
  });

  it("a plugin's, disabled for this project", async () => {
    const projects = { [at.project]: { disabledMcpServers: ["plugin:isthmos:isthmos"] } };
    at.put(".claude.json", { projects });
    at.put(".claude/settings.json", { enabledPlugins: { "isthmos@x": true } });
    expect((await checked()).map(({ level, message }) => [level, message])).toEqual([
      ["broken", "the server plugin:isthmos:isthmos is disabled for this project: its hooks change nothing"],
    ]);
  });

  it.each<[object, object, string]>([
    [{ deniedMcpServers: [{ serverName: "isthmos" }] }, {}, "is kept from starting by deniedMcpServers"],
    [{ allowedMcpServers: [{ serverName: "other" }] }, {}, "is kept from starting by allowedMcpServers"],
    [{}, { type: "http" }, "is of type http, not stdio"],
    [{}, { command: 7 }, "names no command"],
  ])("registered in vain: %j, %j", async (settings, entry, words) => {
    at.put(".claude.json", { mcpServers: { isthmos: { ...ENTRY(), ...entry } } });
    at.wire(HOOK, ["PostToolUse"], { ...DENY, ...settings });
    const found = await checked();
    expect(found).toMatchObject([{ level: "broken", message: expect.stringContaining(words) }]);
  });

  it("in the file of a folder above", async () => {
    at.put(".mcp.json", { mcpServers: { isthmos: ENTRY() } });
    at.put("project/.mcp.json", { mcpServers: { other: ENTRY() } });
    at.wire(HOOK, ["PostToolUse"], { ...DENY, enableAllProjectMcpServers: true });
    expect((await checked()).map(({ level }) => level)).toEqual(["ok"]);
  });

  it("in the client's own folder, where CLAUDE_CONFIG_DIR names it", async () => {
    const file = at.put("server.mjs", mcpScript({ call: RIGHT }));
    at.put("claude/.claude.json", { mcpServers: { isthmos: { command: process.execPath, args: [file] } } });
    const [first] = await checked({ CLAUDE_CONFIG_DIR: join(at.home, "claude") });
    expect(first?.message).toContain("(~/claude/.claude.json) answers rightly");
  });

  it("in a file that is no JSON", async () => {
    at.put(".claude.json", "{");
    expect(await said()).toEqual([["warning", "~/.claude.json: not JSON"]]);
  });
});

describe("the tool for hooks", () => {
  const SHOWN = "the model may see the tool compress, which is for hooks only";
  it.each<[string, string, string | undefined, boolean]>([
    ["a client that hides it", '["app"]', "2.1.332", false],
    ["an older one", '["app"]', "2.1.331", true],
    ["a newer one", '["app"]', "2.2.0", false],
    ["an unknown one", '["app"]', undefined, true],
    ["a tool that says nothing of it", "undefined", "2.1.332", true],
  ])("%s", async (_, visibility, version, isShown) => {
    register({ call: RIGHT, tools: `[{ name: "compress", _meta: { ui: { visibility: ${visibility} } } }]` });
    if (version !== undefined) at.put("bin/claude", `#!/bin/sh\necho '${version} (Claude Code)'\n`, 0o755);
    const findings = await checked({ PATH: join(at.home, "bin") });
    expect(findings.some(({ message }) => message.startsWith(SHOWN))).toBe(isShown);
  });
});

it("says which servers run", async () => {
  const state = { version: "0.0.0-dev", started: "", updated: "", child_calls: 0, sweeps: 0, decisions: {} };
  const counts = { calls: 3, reveals: { ok: 1, not_found: 1 }, rss_bytes: 1024 * 1024 };
  writeServer(join(at.home, "state"), { pid: process.pid, ...state, ...counts });
  const [{ level, message } = {}] = await checked({ ISTHMOS_STATE_DIR: join(at.home, "state") });
  expect([level, message]).toEqual([
    "ok",
    `process ${process.pid} runs: 3 calls, 2 reveals, 1.0 MB resident`,
  ]);
});
