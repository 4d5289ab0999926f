// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCodeInstaller as installer } from "../../../../src/hosts/opencode/install/installer.ts";
import { type InstallHome, makeInstallHome } from "../../../support/install-home.ts";

const USER = ".config/opencode/opencode.json";
const PLUGIN = ".config/opencode/plugin/isthmos.js";
const PROJECT = "work/deep/project";

let home: InstallHome;
beforeEach(() => {
  home = makeInstallHome();
});
afterEach(() => home.remove());

/** The user's files, ours apart. */
function files(of = home): Record<string, string> {
  const kept = Object.entries(of.snapshot()).filter(
    ([name]) => !/^\.(?:config|local\/state)\/isthmos\//.test(name),
  );
  return Object.fromEntries(kept);
}

const STARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no file": {},
  "version 1 with comments and trailing commas": {
    [USER]: '// mine\n{\n  "mcp": {\n    "a": { "type": "local", "command": ["a"] }, // a\n  },\n}\n',
  },
  "version 2": { [USER]: '{"mcp":{"servers":{"a":{"type":"local","command":["a"]}}}}' },
  "an empty file": { [USER]: "" },
  "both files": { [USER]: "{}\n", ".config/opencode/opencode.jsonc": '{\n\t"model": "x" // y\n}\n' },
  "other plugins": { ".config/opencode/plugin/other.js": "export const Other = async () => ({});\n" },
};

describe("init --agent opencode", () => {
  it.each(Object.entries(STARTS))(
    "%s: twice changes nothing, uninstall gives every byte back",
    async (_, start) => {
      for (const [name, text] of Object.entries(start)) home.write(name, text);
      const before = files();
      expect((await home.init({ installer })).code).toBe(0);
      expect(home.read(PLUGIN)).toContain('["/opt/isthmos/isthmos"]');
      const wired = files();
      const again = await home.init({ installer });
      expect(again.out).toContain("already set up: OpenCode");
      expect(files()).toEqual(wired);
      expect((await home.uninstall({ agent: "opencode" })).code).toBe(0);
      expect(files()).toEqual(before);
    },
  );

  it("writes the server into the file that is there, .jsonc first", async () => {
    home.write(USER, "{}");
    home.write(".config/opencode/opencode.jsonc", "{}");
    await home.init({ installer });
    expect(home.read(USER)).toBe("{}");
    expect(JSON.parse(home.read(".config/opencode/opencode.jsonc")).mcp.isthmos).toEqual({
      type: "local",
      command: ["/opt/isthmos/isthmos", "mcp"],
      enabled: true,
    });
  });

  it("mends the entry where it is", async () => {
    const old = '{ "mcp": { "isthmos": { "type": "local", "command": ["/old/isthmos", "mcp"] } } }';
    home.write(USER, old);
    home.write(".config/opencode/opencode.jsonc", "{}");
    await home.init({ installer });
    expect(home.read(USER)).toBe(old.replace("/old/", "/opt/isthmos/"));
  });

  it("wires a project in its own folder", async () => {
    await home.init({ installer, scope: "project" });
    expect(Object.keys(files()).sort()).toEqual([
      `${PROJECT}/.opencode/plugin/isthmos.js`,
      `${PROJECT}/opencode.json`,
    ]);
    await home.uninstall({ agent: "opencode", scope: "project" });
    expect(files()).toEqual({});
  });

  it("looks where XDG_CONFIG_HOME says", async () => {
    const other = makeInstallHome((path) => ({ XDG_CONFIG_HOME: `${path}/conf` }));
    try {
      await other.init({ installer });
      expect(other.has("conf/opencode/opencode.json")).toBe(true);
      expect(other.has("conf/opencode/plugin/isthmos.js")).toBe(true);
    } finally {
      other.remove();
    }
  });

  it.each([
    ["the local scope", { scope: "local" }],
    ["the resident route", { route: "resident" }],
    ["a matcher", { matcher: "bash" }],
  ] as const)("refuses %s, and changes nothing", async (_, args) => {
    expect((await home.init({ installer, ...args })).code).toBe(1);
    expect(home.snapshot()).toEqual({});
  });

  it("refuses to write over another's plugin, and changes nothing", async () => {
    home.write(PLUGIN, "export const Mine = async () => ({});\n");
    const before = home.snapshot();
    expect((await home.init({ installer })).code).toBe(1);
    expect(home.snapshot()).toEqual(before);
  });
});

describe("uninstall --agent opencode", () => {
  it("takes out only our entry where the file was edited since", async () => {
    home.write(USER, '{ "model": "x" }\n');
    await home.init({ installer });
    home.write(USER, home.read(USER).replace('"x"', '"y"'));
    await home.uninstall({ agent: "opencode" });
    expect(home.read(USER)).toBe('{ "model": "y" }\n');
    expect(home.has(PLUGIN)).toBe(false);
  });

  it("leaves a plugin that was changed", async () => {
    await home.init({ installer });
    home.write(PLUGIN, `${home.read(PLUGIN)}// mine\n`);
    await home.uninstall({ agent: "opencode" });
    expect(home.has(PLUGIN)).toBe(true);
    expect(home.has(USER)).toBe(false);
  });

  it("finds all of it without the record", async () => {
    home.write(USER, '{ "model": "x" }\n');
    await home.init({ installer });
    home.write(".local/state/isthmos/installs.json", "lost");
    await home.uninstall({ agent: "opencode" });
    expect(home.read(USER)).toBe('{ "model": "x", "mcp": {} }\n');
    expect(home.has(PLUGIN)).toBe(false);
  });

  it("leaves the other agents' wiring, and a broken file of this one's does not keep theirs", async () => {
    await home.init();
    await home.init({ installer });
    await home.uninstall({ agent: "opencode" });
    expect(home.has(".claude/settings.json")).toBe(true);
    home.write(USER, "{ broken");
    expect((await home.uninstall()).code).toBe(0);
    expect(home.has(".claude/settings.json")).toBe(false);
  });
});
