// SPDX-License-Identifier: Apache-2.0
// init and uninstall over files as users have them: exact undo, other programs' edits, failures between any two file
// operations.
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InitArgs } from "../../src/commands/init.ts";
import { setFaultPoint } from "../../src/faults.ts";
import { parseText, toValue } from "../../src/jsonc/document.ts";
import { type InstallHome, makeInstallHome } from "../support/install-home.ts";

const USER = ".claude/settings.json";
const SERVERS = ".claude.json";
const PROJECT = "work/deep/project";

let home: InstallHome;
beforeEach(() => {
  home = makeInstallHome();
});
afterEach(() => {
  setFaultPoint(undefined);
  home.remove();
});

/** Ours apart: what the user has and what the tests compare. */
function userFiles(of = home): Record<string, string> {
  const kept = Object.entries(of.snapshot()).filter(([name]) => !/^\.(?:config|local)\//.test(name));
  return Object.fromEntries(kept);
}

/** Emptied containers stay where nobody knows whose they are. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  const isEmpty = (member: unknown) =>
    typeof member === "object" && member !== null && Object.keys(member).length === 0;
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function copies(): string[] {
  return Object.keys(userFiles()).filter((name) => name.endsWith(".bak"));
}

const OURS_OLD =
  '{\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "/old/isthmos hook" }] }\n    ]\n  }\n}\n';

interface Start {
  readonly files: Readonly<Record<string, string>>;
  readonly args?: InitArgs;
  readonly prepare?: () => void;
}

const STARTS: Readonly<Record<string, Start>> = {
  "no file": { files: {} },
  "an empty file": { files: { [USER]: "" } },
  "an empty object": { files: { [USER]: "{}" } },
  comments: { files: { [USER]: '// mine\n{\n  // model\n  "model": "opus" /* x */ // y\n}\n// end\n' } },
  "comments only": { files: { [USER]: "// to be filled in\n" } },
  tabs: { files: { [USER]: '{\n\t"permissions": {\n\t\t"deny": ["Bash(rm *)"]\n\t}\n}\n' } },
  CRLF: { files: { [USER]: '{\r\n  "model": "opus",\r\n  "hooks": {}\r\n}\r\n' } },
  "a byte order mark": { files: { [USER]: '\uFEFF{\n  "model": "opus"\n}\n' } },
  "trailing commas": {
    files: { [USER]: '{\n  "permissions": {\n    "deny": [\n      "X",\n    ],\n  },\n}\n' },
  },
  "other hooks on the same events": {
    files: {
      [USER]:
        '{\n  "hooks": {\n    "PostToolUse": [\n      { "matcher": "Edit", "hooks": [{ "type": "command", "command": "fmt" }] }\n    ],\n    "SessionStart": [{ "hooks": [{ "type": "command", "command": "hello" }] }]\n  }\n}\n',
    },
  },
  "other MCP servers": {
    files: { [SERVERS]: '{"numStartups":3,"mcpServers":{"other":{"command":"x","args":[]}}}' },
  },
  "a link": {
    files: { "dotfiles/claude.json": '{\n  "model": "opus"\n}\n' },
    prepare: () => {
      mkdirSync(join(home.path, ".claude"));
      symlinkSync("../dotfiles/claude.json", join(home.path, USER));
    },
  },
  "a deep project": { files: { [`${PROJECT}/src/a.ts`]: "x" }, args: { scope: "project" } },
  "a project with files of its own": {
    files: {
      [`${PROJECT}/.claude/settings.json`]: "{}\n",
      [`${PROJECT}/.mcp.json`]: '{\n  "mcpServers": {}\n}\n',
    },
    args: { scope: "project" },
  },
  "the local scope": {
    files: { [`${PROJECT}/.claude/settings.json`]: "{}\n", [SERVERS]: '{"projects":{"/other":{}}}' },
    args: { scope: "local" },
  },
  minified: { files: { [USER]: '{"model":"opus","hooks":{"Stop":[]},"permissions":{"allow":["Bash"]}}' } },
  "no final newline": { files: { [USER]: '{\n    "model": "opus"\n}' } },
  unicode: {
    files: { [USER]: '{\n  "naïve ☃": "日本 \\u00e9 \ud83d\ude00",\n  "n": 12345678901234567890\n}\n' },
  },
  "an empty hooks object": { files: { [USER]: '{\n  "hooks": {}\n}\n' } },
  "our old entries from another path": {
    files: {
      [USER]: OURS_OLD,
      [SERVERS]: '{"mcpServers":{"isthmos":{"command":"/old/isthmos","args":["mcp"]}}}',
    },
  },
};

function begin({ files, prepare }: Start): void {
  for (const [name, text] of Object.entries(files)) home.write(name, text);
  prepare?.();
}

describe.each(Object.entries(STARTS))("from %s", (_, start) => {
  beforeEach(() => begin(start));

  it("init, init again, uninstall: wired, unchanged, byte for byte as before", async () => {
    const before = userFiles();
    expect((await home.init(start.args)).code).toBe(0);
    const wired = home.snapshot();
    expect(userFiles()).not.toEqual(before);

    const again = await home.init(start.args);
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/^already set up/);
    expect(home.snapshot()).toEqual(wired);

    expect((await home.uninstall()).code).toBe(0);
    expect(userFiles()).toEqual(before);
  });

  it("by the other route in between, still byte for byte as before", async () => {
    const before = userFiles();
    await home.init({ ...start.args, route: "resident" });
    await home.init({ ...start.args, route: "command" });
    await home.init({ ...start.args, route: "resident" });
    await home.uninstall();
    expect(userFiles()).toEqual(before);
  });

  it("without the record, uninstall takes exactly our entries out", async () => {
    const before = userFiles();
    await home.init(start.args);
    home.write(".local/state/isthmos/installs.json", "{broken");
    expect((await home.uninstall()).code).toBe(0);
    for (const [name, text] of Object.entries(userFiles())) {
      if (!name.endsWith(".json")) continue;
      expect(text.replaceAll(home.project, ""), name).not.toContain("isthmos");
      // What is left of a file that was not there, or of one with old entries of ours, is of no matter.
      const was = before[name];
      if (was === undefined || was.includes("isthmos")) continue;
      const value = (of: string) =>
        withoutEmpty(toValue(parseText(of.replace(/^(\uFEFF|\u00ef\u00bb\u00bf)/, ""))) ?? {});
      expect(value(text), name).toEqual(value(was));
    }
  });
});

describe("what others do in between", () => {
  it("stays at uninstall: only our entries go", async () => {
    home.write(USER, '{\n  "model": "opus" // mine\n}\n');
    await home.init();
    home.write(USER, home.read(USER).replace('"opus"', '"haiku"').replace("{\n", '{\n  "added": [1, 2],\n'));
    const { out } = await home.uninstall();
    expect(out).toContain("only our entries");
    expect(home.read(USER)).toBe('{\n  "added": [1, 2],\n  "model": "haiku" // mine\n}\n');
  });

  it("a copy from before init stays then, and is named", async () => {
    home.write(USER, "{}\n");
    await home.init();
    home.write(USER, home.read(USER).replace("{\n", '{\n  "added": 1,\n'));
    const { out } = await home.uninstall();
    const [copy = ""] = Object.keys(userFiles()).filter((name) => name.endsWith(".bak"));
    expect(home.read(copy)).toBe("{}\n");
    expect(out).toContain(copy);
  });

  it("a copy that was removed meanwhile is not named", async () => {
    home.write(USER, "{}\n");
    await home.init();
    home.write(USER, home.read(USER).replace("{\n", '{\n  "added": 1,\n'));
    rmSync(join(home.path, copies()[0] ?? ""));
    expect((await home.uninstall()).out).not.toContain("copy");
    expect(JSON.parse(home.read(USER))).toMatchObject({ added: 1 });
    expect(home.read(USER)).not.toContain("isthmos");
  });

  it("a copy goes where the user has put the very bytes back", async () => {
    home.write(USER, '{ "a": 12345678901234567890 }\n');
    const before = userFiles();
    await home.init();
    home.write(USER, '{ "a": 12345678901234567890 }\n');
    const { out } = await home.uninstall();
    expect(userFiles()).toEqual(before);
    expect(out).not.toContain("copy");
  });

  it("a copy of what the user has taken out in another way stays, and is named", async () => {
    home.write(USER, '{ "a": 1 }\n');
    await home.init();
    home.write(USER, '{"a":1}\n');
    const { out } = await home.uninstall();
    expect(copies().length).toBe(1);
    expect(out).toContain(`a copy from before init stays: ~/${copies()[0]}`);
    expect((await home.uninstall()).out).toMatch(/^not set up.*\n\n.*\n.*a copy from before init stays/);
  });

  it("the copy of a file that was removed meanwhile is not forgotten", async () => {
    home.write(USER, '{ "a": 1 }\n');
    await home.init();
    rmSync(join(home.path, USER));
    await home.init();
    const { out } = await home.uninstall();
    expect(home.has(USER)).toBe(false);
    expect(out).toContain(`a copy from before init stays: ~/${copies()[0]}`);
  });

  it("what others wrote before one of two scopes went is there when the other goes", async () => {
    home.write(SERVERS, "{}");
    await home.init({ scope: "user" });
    await home.init({ scope: "local" });
    home.write(SERVERS, home.read(SERVERS).replace("{", '{"theirs":1,'));
    await home.uninstall({ scope: "user" });
    await home.uninstall();
    expect(JSON.parse(home.read(SERVERS))).toEqual({ theirs: 1 });
    expect(home.read(copies()[0] ?? "")).toBe("{}");
  });

  it("a file that init made, and others filled, stays with what is theirs", async () => {
    await home.init();
    home.write(USER, home.read(USER).replace("{\n", '{\n  "theirs": 1,\n'));
    await home.uninstall();
    expect(home.read(USER)).toBe('{\n  "theirs": 1\n}\n');
  });

  it("a file written between two init runs is never put back to a state without that", async () => {
    home.write(USER, '{\n  "a": 1\n}\n');
    await home.init({ route: "command" });
    home.write(USER, home.read(USER).replace('"a": 1', '"a": 2'));
    await home.init({ route: "resident" });
    await home.uninstall();
    expect(home.read(USER)).toBe('{\n  "a": 2\n}\n');
  });

  it("one scope goes, the other stays", async () => {
    home.write(SERVERS, "{}");
    await home.init({ scope: "user" });
    await home.init({ scope: "local" });
    await home.uninstall({ scope: "user" });
    expect(JSON.parse(home.read(SERVERS)).mcpServers).toBeUndefined();
    expect(JSON.parse(home.read(SERVERS)).projects[home.project].mcpServers.isthmos).toBeDefined();
    expect(home.has(USER)).toBe(false);
    await home.uninstall();
    expect(home.read(SERVERS)).toBe("{}");
  });

  it("is noticed: another program writes just before us, and both changes are there", async () => {
    home.write(USER, '{\n  "a": 1\n}\n');
    let writes = 0;
    setFaultPoint((operation) => {
      if (operation === "sync" && ++writes === 3) home.write(USER, '{\n  "a": 2\n}\n');
    });
    const { code } = await home.init();
    setFaultPoint(undefined);
    expect(writes).toBeGreaterThan(3);
    expect(code).toBe(0);
    expect(JSON.parse(home.read(USER))).toMatchObject({ a: 2, hooks: { PostToolUse: [{}] } });
    await home.uninstall();
    expect(home.read(USER)).toBe('{\n  "a": 2\n}\n');
  });

  it("is never written over: a program that writes all the time makes init fail", async () => {
    home.write(USER, "{}\n");
    let writes = 0;
    setFaultPoint((operation) => {
      if (operation === "sync") home.write(USER, `{"n":${++writes}}\n`);
    });
    const { code } = await home.init();
    setFaultPoint(undefined);
    expect(code).toBe(1);
    expect(home.read(USER)).toBe(`{"n":${writes}}\n`);
    expect(Object.keys(userFiles()).filter((name) => name !== USER && !name.endsWith(".bak"))).toEqual([]);
  });
});

describe("the files", () => {
  it("keep their mode, and the copy has it too", async () => {
    chmodSync(home.write(USER, "{}"), 0o640);
    await home.init();
    const modes = Object.keys(home.snapshot())
      .filter((name) => name.startsWith(USER))
      .map((name) => statSync(join(home.path, name)).mode & 0o777);
    expect(modes).toEqual([0o640, 0o640]);
  });

  it("C13: new ones are for the user only, a project's for its team", async () => {
    await home.init();
    await home.init({ scope: "project" });
    const mode = (name: string) => statSync(join(home.path, name)).mode & 0o777;
    expect([USER, SERVERS, ".local/state/isthmos/installs.json"].map(mode)).toEqual([0o600, 0o600, 0o600]);
    const umask = process.umask();
    expect(mode(`${PROJECT}/.mcp.json`)).toBe(0o666 & ~umask);
  });

  it("that a link leads to are edited, and the link stays", async () => {
    home.write("dotfiles/s.json", "{}\n");
    mkdirSync(join(home.path, ".claude"));
    symlinkSync(join(home.path, "dotfiles/s.json"), join(home.path, USER));
    const { out } = await home.init();
    expect(home.read("dotfiles/s.json")).toContain("PostToolUse");
    expect(out).toContain("-> ~/dotfiles/s.json");
  });

  it("that a link leads to need not be there yet", async () => {
    mkdirSync(join(home.path, ".claude"));
    mkdirSync(join(home.path, "dotfiles"));
    symlinkSync("../dotfiles/s.json", join(home.path, USER));
    expect((await home.init()).code).toBe(0);
    expect(readFileSync(join(home.path, "dotfiles/s.json"), "utf8")).toContain("PostToolUse");
  });

  const REFUSED: readonly (readonly [string, string, string, () => void])[] = [
    ["broken JSON", USER, '{\n  "a": 1,,\n}', () => {}],
    ["no object", USER, "[]", () => {}],
    ["hooks of another type", USER, '{"hooks":[]}', () => {}],
    ["no UTF-8", USER, "", () => writeFileSync(join(home.path, USER), new Uint8Array([0x7b, 0xff, 0x7d]))],
    ["a read-only file", USER, "{}", () => chmodSync(join(home.path, USER), 0o444)],
    ["a read-only folder", USER, "{}", () => chmodSync(join(home.path, ".claude"), 0o555)],
    ["broken JSON in the second file", SERVERS, '{"mcpServers":', () => {}],
    [
      "another program's server",
      SERVERS,
      '{"mcpServers":{"isthmos":{"command":"x","args":["mcp"]}}}',
      () => {},
    ],
    ["a broken rules file", ".config/isthmos/rules.json", '{"rules":', () => {}],
  ];
  it.each(REFUSED)("%s: refused, and nothing is changed anywhere", async (_, name, text, prepare) => {
    home.write(name, text);
    prepare();
    const before = home.snapshot();
    expect((await home.init()).code).toBe(1);
    expect(home.snapshot()).toEqual(before);
    chmodSync(join(home.path, name, ".."), 0o755);
  });

  it("a folder of the file's name is refused", async () => {
    mkdirSync(join(home.path, USER), { recursive: true });
    expect((await home.init()).code).toBe(1);
  });
});

describe("the client's own command", () => {
  it("registers the server, and takes it out again", async () => {
    home.write(SERVERS, '{"numStartups":1}');
    home.addClient("2.1.332");
    const before = userFiles();
    const { out } = await home.init();
    expect(out).toMatch(/Claude Code 2\.1\.332, user scope, resident route/);
    expect(out).toContain("by the agent's own command");
    expect(JSON.parse(home.read(SERVERS))).toMatchObject({
      startups: 1,
      mcpServers: { isthmos: { command: "/opt/isthmos/isthmos", args: ["mcp"] } },
    });
    await home.uninstall();
    expect(userFiles()).toEqual(before);
    expect(home.read("bin/calls").trim().split("\n")).toEqual([
      '["mcp","add","--scope","user","isthmos","--","/opt/isthmos/isthmos","mcp"]',
    ]);
  });

  const EXACT = '{\n    "numStartups": 1, "id": 12345678901234567890 }';

  it("costs no byte where nobody else wrote its file since", async () => {
    home.write(SERVERS, EXACT);
    home.addClient("2.1.332");
    await home.init();
    expect(home.read(SERVERS)).toContain("12345678901234567000");
    const { out } = await home.uninstall();
    expect(home.read(SERVERS)).toBe(EXACT);
    expect([copies(), out.includes("copy")]).toEqual([[], false]);
  });

  it("leaves the only exact copy, and names it, where the client wrote its file since", async () => {
    home.write(SERVERS, EXACT);
    home.addClient("2.1.332");
    await home.init();
    home.write(SERVERS, home.read(SERVERS).replace('"startups": 1', '"startups": 7'));
    const { out } = await home.uninstall();
    expect(home.read(copies()[0] ?? "")).toBe(EXACT);
    expect(out).toContain(`a copy from before init stays: ~/${copies()[0]}`);
  });

  it("is asked again where the client has written its file since", async () => {
    home.addClient("2.1.332");
    await home.init({ scope: "local" });
    home.write(SERVERS, home.read(SERVERS).replace('"startups": 1', '"startups": 7'));
    const { out } = await home.uninstall();
    expect(out).toContain("by the agent's own command");
    const value = JSON.parse(home.read(SERVERS));
    expect(value.startups).toBe(8);
    expect(value.projects[home.project].mcpServers).toEqual({});
  });

  it("replaces an entry of ours from another path", async () => {
    home.write(SERVERS, '{"mcpServers":{"isthmos":{"command":"/old/isthmos","args":["mcp"]}}}');
    home.addClient("2.1.332");
    await home.init();
    expect(JSON.parse(home.read(SERVERS)).mcpServers.isthmos.command).toBe("/opt/isthmos/isthmos");
  });

  it("is not needed: where it fails, the file is edited", async () => {
    home.addClient("2.1.332", "fails");
    const { code, out } = await home.init();
    expect(code).toBe(0);
    expect(out).not.toContain("own command");
    expect(JSON.parse(home.read(SERVERS)).mcpServers.isthmos.command).toBe("/opt/isthmos/isthmos");
  });

  it("does not write a project's file", async () => {
    home.addClient("2.1.332");
    await home.init({ scope: "project" });
    expect(home.has("bin/calls")).toBe(false);
  });

  it.each([
    ["2.1.196", "command", "/opt/isthmos/isthmos hook"],
    ["2.1.197", "resident", undefined],
    ["2.2.0", "resident", undefined],
    ["not a version", "command", "/opt/isthmos/isthmos"],
  ])("of version %s is wired by the %s route", async (version, route, command) => {
    home.addClient(version);
    const { out } = await home.init();
    expect(out).toContain(`${route} route`);
    expect(JSON.parse(home.read(USER)).hooks.PostToolUse[0].hooks[0].command).toBe(command);
  });
});

describe("CLAUDE_CONFIG_DIR", () => {
  it("holds both files of the user's scope", async () => {
    home.remove();
    home = makeInstallHome((path) => ({ CLAUDE_CONFIG_DIR: join(path, "conf") }));
    await home.init();
    expect(home.read("conf/settings.json")).toContain("PostToolUse");
    expect(home.read("conf/.claude.json")).toContain("isthmos");
    expect(home.has(SERVERS)).toBe(false);
    await home.uninstall();
  });
});
