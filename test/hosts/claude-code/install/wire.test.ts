// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { DEFAULT_MATCHER, wantedGroups } from "../../../../src/hosts/claude-code/install/hooks.ts";
import {
  findMatchers,
  findRoute,
  findVariables,
  unwireHooks,
  wireHooks,
} from "../../../../src/hosts/claude-code/install/wire.ts";
import { matcherMatches } from "../../../../src/hosts/claude-code/matcher.ts";
import { findWiring } from "../../../../src/hosts/claude-code/settings.ts";
import { JsoncError } from "../../../../src/jsonc/document.ts";

const SELF = ["/opt/isthmos"] as const;
const client = (version: string) => ({ path: "/usr/bin/claude", version });
const COMMAND = wantedGroups("command", DEFAULT_MATCHER, SELF, undefined);
const RESIDENT = wantedGroups("resident", DEFAULT_MATCHER, SELF, client("2.1.332"));
const wire = (text: string | undefined, groups = COMMAND) => wireHooks(text, groups, SELF);
const ours = (text: string) => findWiring([{ scope: "user", path: "s", text }]).ours;
const EVENTS = [
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PreCompact",
  "PostCompact",
  "SessionStart",
];

describe("the hooks", () => {
  it("are for every event, each with a time-out, all found by doctor", () => {
    for (const groups of [COMMAND, RESIDENT]) {
      const found = ours(wire("{}", groups));
      expect(found.map(({ event }) => event)).toEqual(EVENTS);
      expect(found.every(({ timeout }) => timeout === 10)).toBe(true);
    }
  });

  it("on the command route only the report is async", () =>
    expect(
      ours(wire("{}"))
        .filter(({ async }) => async)
        .map(({ event }) => event),
    ).toEqual(["PostToolBatch"]));

  it("on the resident route only SessionStart is a command", () => {
    const commands = ours(wire("{}", RESIDENT)).filter(({ type }) => type === "command");
    expect(commands.map(({ event }) => event)).toEqual(["SessionStart"]);
  });

  it("hand the server every field that it reads", () => {
    const hook = RESIDENT.get("PostToolUse")?.hooks[0];
    const names = "hook_event_name session_id agent_id tool_use_id tool_name tool_input tool_response".split(
      " ",
    );
    expect(hook?.input).toEqual(Object.fromEntries(names.map((name) => [name, `\${${name}}`])));
    expect(RESIDENT.get("PostToolBatch")?.hooks[0]?.input).toHaveProperty("tool_calls", `\${tool_calls}`);
    expect(RESIDENT.get("PostToolUseFailure")?.hooks[0]?.input).toHaveProperty("error", `\${error}`);
  });

  it.each([
    ["2.1.196", { command: "'/opt/a b/isthmos' hook" }],
    ["2.1.197", { command: "/opt/a b/isthmos", args: ["hook"] }],
    ["2.1.332", { command: "/opt/a b/isthmos", args: ["hook"] }],
    [undefined, { command: "/opt/a b/isthmos", args: ["hook"] }],
  ])("are written for client %s", (version, expected) => {
    const groups = wantedGroups("command", "x", ["/opt/a b/isthmos"], version ? client(version) : undefined);
    const { command, args } = groups.get("PostToolUse")?.hooks[0] ?? {};
    expect({ command, ...(args !== undefined && { args }) }).toEqual(expected);
  });

  it("C10: are not for our own tools", () => {
    const fires = (tool: string) => matcherMatches(DEFAULT_MATCHER, tool);
    expect(["Bash", "Read", "mcp__github__list", "mcp__isthmosx__y"].filter((tool) => !fires(tool))).toEqual(
      [],
    );
    const spared = ["mcp__isthmos__reveal", "mcp__plugin_isthmos_isthmos__reveal", "Edit", "ReadX", "xBash"];
    expect(spared.filter(fires)).toEqual([]);
  });
});

describe("wireHooks", () => {
  it.each([undefined, "", "\n", "// mine\n", "{}"])("makes settings of %j", (text) => {
    expect(ours(wire(text)).length).toBe(6);
    if (text?.startsWith("//")) expect(wire(text)).toMatch(/^\/\/ mine\n\{/);
  });

  it.each([
    ["both routes", COMMAND],
    ["both routes", RESIDENT],
  ])("a second time changes nothing", (_, groups) => {
    const once = wire('{"hooks":{"PostToolUse":[]}}', groups);
    expect(wire(once, groups)).toBe(once);
  });

  it("keeps a time-out and a matcher of the user's own", () => {
    const text = wire("{}").replace('"timeout": 10', '"timeout": 30').replaceAll("Read|", "");
    const [matcher] = findMatchers(text, "PostToolUse", SELF);
    expect(matcher).toBe(DEFAULT_MATCHER.replace("Read|", ""));
    expect(wireHooks(text, wantedGroups("command", matcher ?? "", SELF, undefined), SELF)).toBe(text);
  });

  it("replaces the other route", () => {
    const text = wire("{}");
    expect(findRoute(text, SELF)).toBe("command");
    const other = wire(text, RESIDENT);
    expect(findRoute(other, SELF)).toBe("resident");
    expect(ours(other).length).toBe(6);
    expect(wire(other)).toBe(text);
  });

  it.each([
    "/old/place/isthmos hook",
    '"$HOME/.local/bin/isthmos" hook',
    "ISTHMOS_SHADOW=1 isthmos hook",
    "isthmos",
    "isthmos hook || true",
    "isthmos hook 2>/dev/null; exit 0",
    "/opt/isthmos-linux-x64 hook",
    "node /usr/lib/node_modules/isthmos/dist/bin.cjs hook",
  ])("replaces the old entry %s", (command) => {
    const old = JSON.stringify({
      hooks: { PostToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] },
    });
    const text = wire(old);
    expect(
      ours(text)
        .filter(({ event }) => event === "PostToolUse")
        .map(({ target }) => target),
    ).toEqual(["/opt/isthmos hook"]);
  });

  it.each([
    "log-it; isthmos hook",
    "isthmos hook | tee log",
    "isthmos stats",
    "my-isthmos hook",
    "sh -c 'isthmos hook'",
    "isthmos-logger",
  ])("leaves the user's own command %s", (command) => {
    const old = JSON.stringify({
      hooks: { PostToolUse: [{ matcher: "*", hooks: [{ type: "command", command }] }] },
    });
    expect(wire(old)).toContain(JSON.stringify(command));
    expect(unwireHooks(wire(old), old, SELF)).toBe(old);
  });

  it.each([
    ["ISTHMOS_SHADOW=1 isthmos hook", ["ISTHMOS_SHADOW=1"]],
    [`env A='x y' B="c d" /opt/isthmos hook || true`, ["A='x y'", 'B="c d"']],
    ["isthmos hook", []],
    ["/a=b/isthmos hook", []],
  ])("names what the command %s sets", (command, expected) => {
    const hooks = { PostToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] };
    const found = findVariables(JSON.stringify({ hooks }), SELF);
    expect(found.flatMap(({ variables }) => variables)).toEqual(expected);
    expect(found.every(({ on }) => on === "PostToolUse Read")).toBe(true);
  });

  it("takes only our hook out of a group that has others", () => {
    const other = { type: "command", command: "other" };
    const group = { matcher: "*", hooks: [{ type: "command", command: "isthmos hook" }, other] };
    const value = JSON.parse(wire(JSON.stringify({ hooks: { PostToolUse: [group] } })));
    expect(value.hooks.PostToolUse[0]).toEqual({ matcher: "*", hooks: [other] });
  });

  it.each([
    ["[]", /line 1: the settings must be an object/],
    ['{\n"hooks": []}', /line 2: hooks must be an object/],
    ['{"hooks": {"Stop": {}}}', /hooks\.Stop must be a list/],
    ['{"hooks": {}, "hooks": {}}', /"hooks" stands twice/],
    ['{"permissions": {"deny": "x"}}', /permissions\.deny must be a list/],
    ['{"permissions": []}', /an object must stand here/],
    ['{"a": 1', /not JSON/],
  ])("refuses %j", (text, words) => {
    expect(() => wire(text)).toThrow(JsoncError);
    expect(() => wire(text)).toThrow(words);
  });
});

describe("unwireHooks", () => {
  it.each([
    ["{}"],
    ['{"hooks":{}}'],
    ['{"hooks":{"PostToolUse":[]},"permissions":{"deny":[]}}'],
    ['{\n  "permissions": { "deny": ["Bash(rm *)"] } // mine\n}'],
    ['{\n\t"hooks": {\n\t\t"Stop": [{ "hooks": [] }],\n\t},\n}\n'],
    ['{"permissions":{"deny":["mcp__isthmos__compress"]}}'],
  ])("gives %j back, known as it was", (text) => expect(unwireHooks(wire(text), text, SELF)).toBe(text));

  it("leaves emptied containers where nothing is known: they may be the user's", () =>
    expect(JSON.parse(unwireHooks(wire('{"a":1}'), undefined, SELF))).toEqual({
      a: 1,
      hooks: Object.fromEntries(EVENTS.map((event) => [event, []])),
      permissions: { deny: [] },
    }));

  it.each([
    ['{ "permissions": { /* mine */ "deny": [ ] }, "hooks": { "PostToolUse": [ ], /* b */ "Stop": [] } }'],
    ['{\n  "hooks": {\n  },\n  "permissions": { "deny": [\n  ] }\n}'],
    ['{ "hooks": { "PostToolUse": [ /* mine */ ] }, "permissions": { } }'],
    ['{ "hooks": { /* mine */ }, "permissions": { /* a */ } }'],
  ])("after a change of the user's, %j keeps its blanks and comments", (text) =>
    expect(unwireHooks(wire(text).replace("{", '{"b":1,'), text, SELF)).toBe(text.replace("{", '{"b":1,')),
  );

  it("leaves a comment that was put in a container or group of ours", () => {
    const text = wire("{}")
      .replace('"deny": [', '"deny": [ /* d */')
      .replace('"hooks": [', '"hooks": [ /* g */');
    const out = unwireHooks(text, "{}", SELF);
    expect(out).toContain("/* d */");
    expect(out).toContain("/* g */");
    expect(out).not.toContain("isthmos hook");
    expect(ours(out)).toEqual([]);
  });

  it("leaves what came since", () => {
    const text = wire('{"a":1}').replace('{"a":1', '{"a":2,"b":[3]');
    expect(unwireHooks(text, '{"a":1}', SELF)).toBe('{"a":2,"b":[3]}');
  });
});
