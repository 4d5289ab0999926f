// SPDX-License-Identifier: Apache-2.0
// The plugin's files agree with what `isthmos init` wires and with what the server offers. That the client takes
// them, and a session with them, is in scripts/e2e-claude-code/plugin-check.ts.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readVersion } from "../scripts/build/project.ts";
import { DEFAULT_MATCHER, wantedGroups } from "../src/hosts/claude-code/install/hooks.ts";
import { matcherMatches } from "../src/hosts/claude-code/matcher.ts";
import { isOwnTool } from "../src/hosts/own-call.ts";
import { COMPRESS, REVEAL } from "../src/mcp/tools.ts";

const PLUGIN = join(import.meta.dirname, "../plugin");
const NAME = "isthmos";
const TOOLS = [REVEAL, COMPRESS].map((tool) => `mcp__plugin_${NAME}_${NAME}__${tool}`);

function read(path: string): string {
  return readFileSync(join(PLUGIN, path), "utf8");
}

describe("the plugin", () => {
  it("has the product's name and version", () => {
    expect(JSON.parse(read(".claude-plugin/plugin.json"))).toMatchObject({
      name: NAME,
      version: readVersion(),
    });
  });

  it("starts the server by name: the client finds the program in PATH", () => {
    expect(JSON.parse(read(".mcp.json"))).toEqual({
      mcpServers: { [NAME]: { command: "isthmos", args: ["mcp"] } },
    });
  });

  it("wires what init wires by the resident route, under the name that the client gives a plugin's server", () => {
    const wanted = [...wantedGroups("resident", DEFAULT_MATCHER, ["isthmos"], undefined)].map(
      ([event, group]) => [
        event,
        [
          {
            ...group,
            hooks: group.hooks.map((hook) =>
              hook.type === "mcp_tool" ? { ...hook, server: `plugin:${NAME}:${NAME}` } : hook,
            ),
          },
        ],
      ],
    );
    expect(JSON.parse(read("hooks/hooks.json")).hooks).toEqual(Object.fromEntries(wanted));
  });

  it("has a skill that shows the marker and the call, in a few lines", () => {
    const skill = read("skills/reveal/SKILL.md");
    expect(skill).toMatch(/^---\nname: reveal\ndescription: .{20,150}\n---\n/);
    expect(skill).toContain("[isthmos: ");
    expect(skill).toContain('"lines": "21-380"');
    expect(Buffer.byteLength(skill)).toBeLessThan(1500);
  });

  it("has a README that says what it needs", () => {
    expect(read("README.md")).toContain("PATH");
    expect(existsSync(join(PLUGIN, "bin"))).toBe(false);
  });
});

describe("C10: the plugin's own tools", () => {
  it.each(TOOLS)("%s is ours, and the hook is not even asked", (tool) => {
    expect(isOwnTool(tool)).toBe(true);
    expect(matcherMatches(DEFAULT_MATCHER, tool)).toBe(false);
  });

  it.each(["mcp__plugin_other_tools__reveal", "mcp__github__isthmos", "mcp__plugin_isthmos"])(
    "%s is not",
    (tool) => expect(isOwnTool(tool)).toBe(false),
  );
});
