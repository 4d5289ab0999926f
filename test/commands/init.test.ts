// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InstallHome, makeInstallHome } from "../support/install-home.ts";

const RULES = ".config/isthmos/rules.json";
const USER = ".claude/settings.json";

let home: InstallHome;
beforeEach(() => {
  home = makeInstallHome();
});
afterEach(() => home.remove());

describe("init", () => {
  it("says what it did, file by file, and the next step", async () => {
    home.write(USER, "{}\n");
    const { code, out } = await home.init();
    expect(code).toBe(0);
    expect(
      out.replace(/\d{8}T\d{6}Z/, "TIME"),
    ).toBe(`set up: Claude Code, user scope, command route, mode shadow

  created  ~/.config/isthmos/rules.json  (rules, mode shadow)
  changed  ~/.claude/settings.json  (hooks, command route)
             backup: ~/.claude/settings.json.isthmos-TIME.bak
  created  ~/.claude.json  (MCP server isthmos)

next: start a new Claude Code session, ask it something, then: isthmos stats, and to change results: isthmos init --live
`);
  });

  it("joins the matchers of hooks wired by hand", async () => {
    const hook = (command: string) => ({ type: "command", command });
    const PostToolUse = [
      { matcher: "Bash", hooks: [hook("isthmos hook")] },
      { matcher: "^mcp__.*$", hooks: [hook("isthmos hook")] },
      { matcher: "Read", hooks: [hook("ISTHMOS_SHADOW=1 isthmos hook")] },
    ];
    home.write(USER, JSON.stringify({ hooks: { PostToolUse } }));
    await home.init();
    const { matcher } = JSON.parse(home.read(USER)).hooks.PostToolUse[0];
    expect(matcher).toBe("^(?:Bash)$|(?:^mcp__.*$)|^(?:Read)$");
    expect((await home.init()).out).toMatch(/^already set up/);
  });

  it("--dry-run shows the differences and writes nothing", async () => {
    home.write(USER, '{\n  "model": "opus"\n}\n');
    const before = home.snapshot();
    const { code, out } = await home.init({ dryRun: true });
    expect(code).toBe(0);
    expect(out).toMatch(/^would set up/);
    expect(out).toContain('    -  "model": "opus"\n    +  "model": "opus",\n    +  "hooks": {');
    expect(home.snapshot()).toEqual(before);
  });

  it("--print answers an entry for other clients and writes nothing", async () => {
    const { out } = await home.init({ print: true });
    expect(JSON.parse(out)).toEqual({
      mcpServers: { isthmos: { command: "/opt/isthmos/isthmos", args: ["mcp"] } },
    });
    expect(home.snapshot()).toEqual({});
  });

  it("the first use is in shadow mode, and a later one leaves the mode alone", async () => {
    home.write(RULES, '{\n  "rules": [] // mine\n}\n');
    await home.init();
    expect(home.read(RULES)).toBe('{\n  "rules": [], // mine\n  "mode": "shadow"\n}\n');
    const { out } = await home.init({ mode: "live" });
    expect(home.read(RULES)).toContain('"mode": "live"');
    expect(out).toContain("mode live");
    expect(out).not.toContain("init --live");
    const rules = home.read(RULES);
    expect((await home.init()).out).toMatch(/^already set up.*mode live/);
    expect(home.read(RULES)).toBe(rules);
  });

  it("after an uninstall it is not the first use, if the rules are still its own", async () => {
    await home.init({ mode: "live" });
    await home.uninstall();
    expect((await home.init()).out).toContain("mode live");
  });

  it("a route that was chosen stays until another is asked for", async () => {
    await home.init({ route: "resident" });
    expect((await home.init({ mode: "live" })).out).toContain("resident route");
    expect((await home.init({ route: "command" })).out).toContain("command route");
    home.addClient("2.1.332");
    expect((await home.init()).out).toMatch(/^already set up: Claude Code 2\.1\.332.*command route/);
  });

  it("takes the user's matcher, and keeps it", async () => {
    const matcherOf = () =>
      JSON.parse(home.read(USER)).hooks.PostToolUse.map(({ matcher }: { matcher: string }) => matcher);
    await home.init({ matcher: "^Bash$" });
    await home.init({ route: "resident" });
    expect(matcherOf()).toEqual(["^Bash$"]);
    await home.init({ matcher: "Bash|Read" });
    expect(matcherOf()).toEqual(["Bash|Read"]);
    const before = home.snapshot();
    expect((await home.init({ matcher: "[" })).code).toBe(1);
    expect(home.snapshot()).toEqual(before);
  });

  it("follows a program that moved", async () => {
    await home.init();
    await home.init({}, ["/new/place/isthmos"]);
    const text = home.read(USER) + home.read(".claude.json");
    expect(text).not.toContain("/opt/isthmos");
    expect(text.split("/new/place/isthmos").length - 1).toBe(7);
    expect((await home.uninstall()).code).toBe(0);
    expect(home.has(USER)).toBe(false);
  });
});
