// SPDX-License-Identifier: Apache-2.0
// Each state is made of real files in a home of its own; what doctor says of it lies in doctor/<state>.txt.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/commands/doctor.ts";
import { readEnv } from "../../src/env.ts";
import { setFaultPoint } from "../../src/files.ts";
import { appendRow } from "../../src/measure/log.ts";
import type { CallRow, Row } from "../../src/measure/row.ts";
import { openStore, STORE_DEFAULTS } from "../../src/store/vault.ts";
import { ANSWERS, BEGIN } from "../support/doctor-home.ts";
import { makeErrno } from "../support/faults.ts";

const NOW = new Date("2026-11-30T12:00:00Z");
const HOUR_MS = 3_600_000;
const STATE = ".local/state/isthmos";
const KEY = ".local/share/isthmos/store.key";
const RULES = ".config/isthmos/rules.json";
const SETTINGS = ".claude/settings.json";

let home: string;
let project: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "isthmos-doctor-")));
  project = join(home, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true }));

function put(path: string, content: string | object, mode = 0o600): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  chmodSync(file, mode);
  return file;
}

const rules = (...list: object[]) => put(RULES, { rules: list });
const program = () => put(".local/bin/isthmos", "#!/bin/sh\n", 0o755);
const EVENTS = ["PostToolUse", "PostToolUseFailure", "PostToolBatch", "SessionStart"] as const;
const COMMAND = "$HOME/.local/bin/isthmos hook";

/** The hooks of a settings file; `matcher` is that of PostToolUse. */
function hooks(matcher: string, events: readonly string[] = EVENTS, hook: object = { command: COMMAND }) {
  const group = (event: string) => ({
    ...(event === "PostToolUse" && { matcher }),
    hooks: [{ type: "command", ...hook }],
  });
  return { hooks: Object.fromEntries(events.map((event) => [event, [group(event)]])) };
}

function log(...rows: Row[]): void {
  for (const row of rows) appendRow(join(home, STATE), row);
}

const called = (tool: string, more: Partial<CallRow> = {}): CallRow => ({
  ...{ kind: "call", ts: NOW.getTime() - HOUR_MS, tool, inBytes: 9000, outBytes: 9000, host: "claude-code" },
  ...more,
});
const revealed = (tool: string): Row => ({ kind: "reveal", ts: NOW.getTime(), tool, revealed: 9000 });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

function save(text: string): string {
  const options = { stateDir: join(home, STATE), keyFile: join(home, KEY), ...STORE_DEFAULTS };
  const bytes = new TextEncoder().encode(text);
  const id = openStore(options).save(bytes, { tool: "Bash", kind: "text" });
  const time = (NOW.getTime() - 2 * HOUR_MS) / 1000;
  utimesSync(join(home, STATE, "store", `${id}.bin`), time, time);
  return id;
}

function health(code: string, hoursAgo: number, tool?: string): string {
  return JSON.stringify({ ts: new Date(NOW.getTime() - hoursAgo * HOUR_MS).toISOString(), code, tool });
}

/** All that works: rules, hooks for every event, a program, a call, an original. */
function healthy(): void {
  rules({ tool: "Bash", max_lines: 400 }, { tool: "mcp__github__*", max_items: 30 });
  program();
  put(SETTINGS, hooks("^(Bash|mcp__.*)$"));
  log(called("Bash", { outBytes: 4000, rules: [0] }), called("mcp__github__list_issues"));
  save("one");
}

interface Options {
  readonly json?: boolean;
  readonly isTerminal?: boolean;
  readonly variables?: Record<string, string>;
  readonly cwd?: () => string;
  readonly fix?: boolean;
  /** Try what is wired. */
  readonly real?: boolean;
}

async function doctor({
  json = false,
  isTerminal = false,
  variables = {},
  cwd = () => project,
  fix = false,
  real = false,
}: Options = {}) {
  let out = "";
  const stdout = (data: string | Uint8Array) => {
    out += data.toString();
  };
  const env = readEnv({ HOME: home, ...variables }, () => home, cwd);
  const look = real ? undefined : async () => undefined;
  const code = await run({ json, fix }, env, { stdout, isTerminal, now: NOW }, look);
  return { code, out };
}

/** What of each thing in the tree must not change. */
function snapshot(): string[] {
  return readdirSync(home, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(home, name);
      const { mode, mtimeMs, ctimeMs, ino } = lstatSync(path);
      const body = lstatSync(path).isFile() ? readFileSync(path).toString("base64") : "";
      return [name, mode, mtimeMs, ctimeMs, ino, body].join(" ");
    });
}

const SERVER_HOOK = { type: "mcp_tool", server: "isthmos", tool: "compress", command: undefined };
const OFFENDER =
  '[\n  {"tool":"Bash","max_line":5},\n  {"tool":"mcp__[","max_items":3},\n  {"tool":"Read"}\n]';

describe("states", () => {
  it.each<[string, 0 | 1, () => void, (() => Options)?]>([
    ["nothing-there", 0, () => {}],
    ["healthy", 0, healthy],
    [
      "not-wired",
      1,
      () => {
        rules({ tool: "Bash", max_lines: 400 });
        put(SETTINGS, {});
      },
    ],
    [
      "another-agent-wired",
      0,
      () => {
        rules({ tool: "Bash", max_lines: 400 });
        put(SETTINGS, {});
        put(`${STATE}/installs.json`, {
          version: 1,
          wired: [{ agent: "opencode", scope: "user" }],
          files: [],
        });
      },
    ],
    [
      "wired-elsewhere",
      0,
      () => {
        healthy();
        put(SETTINGS, {});
      },
    ],
    [
      "shadow-from-file",
      0,
      () => {
        healthy();
        put(RULES, { mode: "shadow", rules: [{ tool: "Bash", max_lines: 400 }] });
      },
    ],
    [
      "off-from-variable",
      0,
      healthy,
      () => ({ variables: { ISTHMOS_DISABLE: "1", ISTHMOS_BUDGET_MS: "soon", ISTHMOS_NO_DEDUP: "1" } }),
    ],
    [
      "rules-with-problems",
      1,
      () => {
        healthy();
        put(RULES, OFFENDER);
      },
    ],
    [
      "rules-no-json",
      1,
      () => {
        healthy();
        put(RULES, '{"rules":[}');
      },
    ],
    [
      "rules-unreadable",
      1,
      () => {
        healthy();
        rmSync(join(home, RULES));
        mkdirSync(join(home, RULES));
      },
    ],
    [
      "key-lost",
      1,
      () => {
        healthy();
        rmSync(join(home, KEY));
      },
    ],
    [
      "key-replaced",
      1,
      () => {
        healthy();
        save("two");
        writeFileSync(join(home, KEY), new Uint8Array(32).fill(7));
        put(`${STATE}/health.jsonl`, `${health("key_replaced", 1)}\n`);
      },
    ],
    [
      "key-unusable",
      1,
      () => {
        healthy();
        put(KEY, "short");
      },
    ],
    [
      "key-readable-by-others",
      0,
      () => {
        healthy();
        chmodSync(join(home, KEY), 0o644);
      },
    ],
    [
      "key-cannot-be-made",
      1,
      () => {
        healthy();
        put("blocked", "");
        rmSync(join(home, STATE, "store"), { recursive: true });
      },
      () => ({ variables: { ISTHMOS_KEY_FILE: join(home, "blocked/store.key") } }),
    ],
    [
      "store-is-a-link",
      1,
      () => {
        healthy();
        renameSync(join(home, STATE, "store"), join(home, "elsewhere"));
        symlinkSync(join(home, "elsewhere"), join(home, STATE, "store"));
      },
    ],
    [
      "store-off-and-go-leftovers",
      0,
      () => {
        healthy();
        put(RULES, { store: { enabled: false }, rules: [{ tool: "Bash", dedup: true }] });
        for (const name of ["00112233445566aa.bin", "00112233445566aa.meta", "store.key"])
          put(`${STATE}/store/${name}`, "left");
      },
    ],
    [
      "log-cannot-be-written",
      1,
      () => {
        healthy();
        rmSync(join(home, STATE, "measure.jsonl"));
        mkdirSync(join(home, STATE, "measure.jsonl"), 0o700);
      },
    ],
    [
      "state-folder-is-a-file",
      1,
      () => {
        healthy();
        rmSync(join(home, STATE), { recursive: true });
        put(STATE, "");
      },
    ],
    [
      "state-behind-a-dead-link",
      1,
      () => {
        healthy();
        rmSync(join(home, STATE), { recursive: true });
        symlinkSync(join(home, "unmounted"), join(home, STATE));
      },
    ],
    [
      "health-record-is-a-folder",
      1,
      () => {
        healthy();
        mkdirSync(join(home, STATE, "health.jsonl"), { mode: 0o700 });
      },
    ],
    [
      "variables-in-settings",
      0,
      () => {
        healthy();
        const env = { ISTHMOS_DISABLE: "1", ISTHMOS_RULES: "/elsewhere.json", OTHER: "x" };
        put("project/.claude/settings.json", { env });
      },
    ],
    [
      "modes-mended-at-next-write",
      0,
      () => {
        healthy();
        chmodSync(join(home, STATE, "measure.jsonl"), 0o644);
        chmodSync(join(home, STATE, "store"), 0o755);
      },
    ],
    [
      "modes-wide",
      0,
      () => {
        healthy();
        chmodSync(join(home, STATE), 0o755);
        for (const name of ["a", "b", "c"]) put(`${STATE}/store/${name}.tmp`, "", 0o640);
        put(`${STATE}/measure.jsonl`, "no row\n{}\n", 0o600);
      },
    ],
    [
      "state-folder-shared",
      0,
      () => {
        healthy();
        chmodSync(join(home, STATE), 0o1777);
      },
    ],
    [
      "all-hooks-disabled",
      1,
      () => {
        healthy();
        put("project/.claude/settings.local.json", { disableAllHooks: true });
      },
    ],
    [
      "wired-in-project-and-local",
      0,
      () => {
        healthy();
        put(SETTINGS, '{ "hooks": {} }');
        put("project/.claude/settings.json", hooks("Bash", ["PostToolUse", "PostToolBatch"]));
        put("project/.claude/settings.local.json", hooks("", ["SessionStart", "PostToolUseFailure"]));
        rules({ tool: "Bash", max_lines: 400 });
      },
    ],
    [
      "settings-with-comments",
      1,
      () => {
        healthy();
        put(SETTINGS, `// the client reads nothing of this\n${JSON.stringify(hooks("*"))}`);
      },
    ],
    [
      "program-missing",
      1,
      () => {
        healthy();
        rmSync(join(home, ".local/bin/isthmos"));
      },
    ],
    [
      "program-not-executable",
      1,
      () => {
        healthy();
        const file = put("my tools/isthmos", "", 0o644);
        put(SETTINGS, hooks("*", EVENTS, { command: file, args: ["hook"] }));
      },
    ],
    [
      "program-not-expanded",
      1,
      () => {
        healthy();
        put(SETTINGS, hooks("*", EVENTS, { command: "~/.local/bin/isthmos", args: [] }));
      },
    ],
    [
      "events-missing",
      0,
      () => {
        healthy();
        put(SETTINGS, hooks("^(Bash|mcp__.*)$", ["PostToolUse"]));
      },
    ],
    [
      "no-result-hook",
      1,
      () => {
        healthy();
        put(SETTINGS, hooks("", ["PostToolBatch", "SessionStart"]));
      },
    ],
    [
      "async-double-and-rival",
      1,
      () => {
        healthy();
        const { hooks: ours } = hooks("*", EVENTS, { command: `ISTHMOS_SHADOW=1 ${COMMAND}`, async: true });
        const [start] = ours.SessionStart ?? [];
        put(SETTINGS, { hooks: { ...ours, SessionStart: [{ ...start, matcher: "startup|resume" }] } });
        put("project/.claude/settings.json", {
          hooks: {
            PostToolUse: [
              { matcher: "Bash", hooks: [{ type: "command", command: "isthmos", async: true }] },
              { matcher: "Bash", hooks: [{ type: "command", command: "rtk\u001b[2J post" }] },
              { matcher: "[", hooks: [] },
            ],
          },
        });
        put("project/.claude/settings.local.json", "{ hooks");
      },
    ],
    [
      "both-routes",
      0,
      () => {
        healthy();
        put("project/.claude/settings.json", hooks("Bash", ["PostToolUse"], SERVER_HOOK));
      },
    ],
    [
      "plugin-beside-settings",
      0,
      () => {
        healthy();
        put("project/.claude/settings.json", { enabledPlugins: { "isthmos@market": true } });
      },
    ],
    [
      "plugin-alone",
      0,
      () => {
        healthy();
        put(SETTINGS, { enabledPlugins: { "isthmos@market": true } });
      },
    ],
    [
      "matcher-fires-for-nothing",
      1,
      () => {
        healthy();
        put(SETTINGS, hooks("bash"));
      },
    ],
    [
      "conditions",
      0,
      () => {
        healthy();
        put(SETTINGS, hooks("Bash", EVENTS, { command: COMMAND, if: "Bash(nothing *)" }));
        rules({ tool: "Bash", max_lines: 400 });
      },
    ],
    [
      "dead-rules",
      0,
      () => {
        healthy();
        put(SETTINGS, hooks("Bash|mcp__github"));
        rules(
          { tool: "Bash", max_lines: 400 },
          { tool: "bash", max_lines: 400 },
          { tool: "mcp__github__*", max_items: 30 },
          { tool: "{Read,Web[FS]e?*}", max_lines: 100 },
          { tool: "mcp__jira__get", pass: true },
          { tool: "npm-test", max_lines: 100 },
          { tool: "", max_lines: 100 },
        );
        log(called("npm-test", { host: undefined }));
      },
    ],
    [
      "never-fired",
      0,
      () => {
        healthy();
        rmSync(join(home, STATE, "measure.jsonl"));
        log(called("Bash", { host: undefined }));
      },
    ],
    [
      "last-call-long-ago",
      0,
      () => {
        healthy();
        rmSync(join(home, STATE, "measure.jsonl"));
        log(called("Bash", { ts: NOW.getTime() - 73 * HOUR_MS }));
      },
    ],
    [
      "only-empty-payloads",
      1,
      () => {
        healthy();
        rmSync(join(home, STATE, "measure.jsonl"));
        log(...times(5, called("Bash", { inBytes: 0, outBytes: 0 })), called("Edit"));
        log(called("Bash", { failure: true }), called("Bash", { ts: NOW.getTime() - 80 * HOUR_MS }));
      },
    ],
    [
      "rewrites-rejected-and-reveals-piling-up",
      0,
      () => {
        healthy();
        log(...times(25, called("Read", { outBytes: 1000, rules: [1, 0] })), ...times(5, revealed("Read")));
        log(...times(26, called("Grep", { outBytes: 1000 })), ...times(5, revealed("Grep")));
        log(called("Bash", { outBytes: 1000, call: "00000001" }));
        log({ kind: "delivered", ts: NOW.getTime(), tool: "Bash", call: "00000001", delivered: 9000 });
      },
    ],
    [
      "recent-failures",
      0,
      () => {
        healthy();
        const rows = [health("internal", 73), health("budget", 2, "Bash"), health("budget", 1, "Read")];
        put(`${STATE}/health.jsonl`, `${[...rows, health("store_failed", 71)].join("\n")}\n`);
      },
    ],
  ])("%s", async (name, code, prepare, options = () => ({})) => {
    prepare();
    const before = snapshot();
    const answer = await doctor(options());
    expect(snapshot()).toEqual(before);
    const text = answer.out.replaceAll(home, "<home>");
    await expect(text).toMatchFileSnapshot(`./doctor/${name}.txt`);
    expect(answer.code).toBe(code);
  });
});

it("says the same as JSON, with counts", async () => {
  healthy();
  put(RULES, OFFENDER);
  const { code, out } = await doctor({ json: true });
  expect(code).toBe(1);
  const report = JSON.parse(out);
  expect(report).toMatchObject({ version: "0.0.0-dev", ok: false, counts: { warning: 2, broken: 1 } });
  expect(report.findings[0]).toEqual({
    check: "rules",
    level: "ok",
    message: `2 rules in ~/${RULES}`,
  });
  const { out: text } = await doctor();
  for (const { message, hint } of report.findings) {
    expect(text).toContain(message);
    expect(text).toContain(hint ?? "");
  }
});

it("holds as JSON when each tool last fired, and what the store holds", async () => {
  healthy();
  log(called("Bash", { ts: NOW.getTime() }));
  expect(JSON.parse((await doctor({ json: true })).out)).toMatchObject({
    tools: [
      { tool: "Bash", calls: 2, last: "2026-11-30T12:00:00.000Z" },
      { tool: "mcp__github__list_issues", calls: 1, last: "2026-11-30T11:00:00.000Z" },
    ],
    store: { entries: 1, bytes: 109 },
    servers: [],
  });
});

it("tries what is wired, and still changes nothing", async () => {
  healthy();
  put(".local/bin/isthmos", `#!/bin/sh\n${BEGIN}${ANSWERS}`, 0o755);
  put(".claude.json", { mcpServers: { isthmos: { command: "/gone/isthmos", args: ["mcp"] } } });
  put(".claude/projects/-w/s.jsonl", "{}\n");
  utimesSync(join(home, ".claude/projects/-w/s.jsonl"), NOW, NOW);
  const before = snapshot();
  const { code, out } = await doctor({ real: true, variables: { PATH: "/usr/bin:/bin" } });
  expect(snapshot()).toEqual(before);
  expect(code).toBe(1);
  expect(out).toMatch(/^ok {7}trial {5}\$HOME.* answers rightly in \d/m);
  expect(out).toMatch(/^broken {3}server {4}\/gone\/isthmos mcp .* could not be started \(ENOENT\)$/m);
  expect(out).toMatch(/^ok {7}rewrites {2}none refused, by 1 transcript/m);
});

it("C13: mends with --fix, says what it did, and finds it mended", async () => {
  healthy();
  put(".local/bin/isthmos", `#!/bin/sh\n${BEGIN}${ANSWERS}`, 0o755);
  chmodSync(join(home, STATE, "measure.jsonl"), 0o644);
  const first = await doctor({ real: true, fix: true, variables: { PATH: "/usr/bin:/bin" } });
  expect(first.out).toMatch(/^ok {7}fix {7}1 file or folder closed to other users$/m);
  expect(first.out).not.toContain("open to other users");
  const second = await doctor({ real: true, fix: true, variables: { PATH: "/usr/bin:/bin" } });
  expect(second.out).toMatch(/^ok {7}fix {7}nothing to mend$/m);
});

it("says so where nothing can be tried", async () => {
  healthy();
  let out = "";
  const stdout = (text: string | Uint8Array) => {
    out += text.toString();
  };
  const io = { stdout, isTerminal: false, now: NOW };
  const env = readEnv(
    { HOME: home },
    () => home,
    () => project,
  );
  const look = () => Promise.reject(new Error("no room"));
  expect(await run({ json: false, fix: false }, env, io, look)).toBe(1);
  expect(out).toContain("broken   trial     could not be looked at: no room");
});

it("is coloured on a terminal only, and not under NO_COLOR", async () => {
  healthy();
  expect((await doctor({ isTerminal: true })).out).toContain("\x1b[32mok     \x1b[39m  rules");
  expect((await doctor({ isTerminal: true, variables: { NO_COLOR: "1" } })).out).not.toContain("\x1b");
  expect((await doctor()).out).not.toContain("\x1b");
});

it.each([
  [
    "deleted",
    () => {
      throw new Error("ENOENT");
    },
  ],
  ["the home folder", () => home],
])("works where the working folder is %s", async (_, cwd) => {
  healthy();
  const { code, out } = await doctor({ cwd });
  expect(code).toBe(0);
  expect(out.match(/settings\.json/g)).toHaveLength(1);
});

it("finds the user's settings where CLAUDE_CONFIG_DIR says", async () => {
  healthy();
  put("claude/settings.json", hooks("Bash"));
  rmSync(join(home, ".claude"), { recursive: true });
  const { out } = await doctor({ variables: { CLAUDE_CONFIG_DIR: join(home, "claude") } });
  expect(out).toContain("~/claude/settings.json: PostToolUse (Bash)");
});

it("C13: no payload, and no name that could move the cursor", async () => {
  healthy();
  const name = "mcp__\u001bc\u202e__x";
  put(`${STATE}/health.jsonl`, `${health("budget", 1, name)}\n`);
  rules({ tool: name, max_lines: 5 });
  put(SETTINGS, hooks("Bash"));
  const { out } = await doctor();
  expect(out).toContain("rule 1 (mcp__\\x1bc\\u202e__x) never applies");
  expect(out).not.toMatch(/[\u001b\u202e]/);
});

it.each(["one", "rest"])("reports whatever file operation fails, %s of them", async (mode) => {
  healthy();
  put(`${STATE}/health.jsonl`, `${health("budget", 1)}\n`);
  const before = snapshot();
  for (let k = 1, failed = true; failed; k++) {
    failed = false;
    setFaultPoint((_, count) => {
      if (mode === "one" ? count !== k : count < k) return;
      failed = true;
      throw makeErrno("EIO");
    });
    const { code, out } = await doctor().finally(() => setFaultPoint(undefined));
    expect(out).toMatch(/^isthmos 0.0.0-dev\n(?:.*\n)*isthmos (?:works|does not work) as configured.*\n$/);
    expect(code).toBe(out.includes("\nbroken ") ? 1 : 0);
  }
  expect(snapshot()).toEqual(before);
});

it("a check that fails is a finding", async () => {
  healthy();
  setFaultPoint((operation) => {
    if (operation === "list") throw makeErrno("EIO");
  });
  const { code, out } = await doctor().finally(() => setFaultPoint(undefined));
  expect(code).toBe(1);
  expect(out).toContain("broken   private   could not be looked at: EIO: made to fail");
});
