// SPDX-License-Identifier: Apache-2.0
// Bad input and bad surroundings, on the executable: `hook` prints nothing, `filter` copies, both exit with 0; the
// other commands say in one clear line what is wrong, with the next step, and exit with 1 or 2.
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bashEvent, logLines, mcpEvent } from "../../scripts/payloads.ts";
import { readHealth } from "../../src/health.ts";
import { answeredText, citedIds } from "../support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";
import { age, HOUR_MS } from "../support/temp-store.ts";

const LOG = logLines(300);
const CUT = bashEvent(LOG);
const RULES = [{ tool: "Bash", max_lines: 40 }];
const NOTHING = { code: 0, stdout: Buffer.alloc(0) };
/** What isthmos says: one line of error, perhaps one of advice. */
const VOICE = /^isthmos: error: [^\n]+\n(isthmos: hint: [^\n]+\n)?$/;
const isRoot = process.getuid?.() === 0;

let home: Home;
beforeEach(() => {
  home = makeHome(RULES);
});
afterEach(() => home.remove());

const rulesFile = () => join(home.path, ".config/isthmos/rules.json");
const keyFile = () => join(home.path, ".local/share/isthmos/store.key");
const storeDir = () => join(home.stateDir, "store");
const codes = () => readHealth(home.stateDir).map(({ code }) => code);

/** Hook and filter leave the result as it is; both say why. */
function expectOriginal(reason: RegExp, code?: string): void {
  const hook = home.run({ input: CUT });
  expect(hook).toMatchObject(NOTHING);
  expect(hook.stderr).toMatch(VOICE);
  expect(hook.stderr).toMatch(reason);
  const filter = home.run({ args: ["filter", "-tool", "Bash"], input: LOG });
  expect(filter.code).toBe(0);
  expect(filter.stdout.toString()).toBe(LOG);
  expect(filter.stderr).toMatch(VOICE);
  if (code !== undefined) expect(codes()).toEqual([code, code]);
}

/** The id of a cut that is made now. */
function cutOnce(): string {
  const [id] = citedIds(answeredText(home.run({ input: CUT }).stdout) ?? "");
  if (id === undefined) throw new Error("nothing was cut");
  return id;
}

describe.skipIf(EXECUTABLE_MISSING)("C1: hook with bad input prints nothing", () => {
  it.each([
    ["empty", ""],
    ["white space", " \n"],
    ["not JSON", "hello\n"],
    ["not UTF-8", "\u00ff\u00fe\u0000"],
    ["an array", "[]"],
    ["a word", "null"],
    ["an event cut in the middle", CUT.slice(0, 5000)],
    ["two events in one", CUT + CUT],
    ["an event without a name", CUT.replace("hook_event_name", "event")],
    ["an event without a tool", CUT.replace('"tool_name":"Bash",', "")],
    ["a tool of another type", CUT.replace('"tool_name":"Bash"', '"tool_name":7')],
    ["10,000 levels", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    ["100,000 open brackets", "[".repeat(100_000)],
  ])("%s", (_, input) => {
    const run = home.run({ input });
    expect(run).toMatchObject(NOTHING);
    expect(run.stderr).toMatch(VOICE);
    expect(codes()).toEqual(["input_invalid"]);
  });

  it.each([
    ["a response of another shape", CUT.replace(/"tool_response":\{/, '"tool_response":{"x":{')],
    ["a response that is a number", bashEvent("").replace(/"tool_response":\{[^}]*\}/, '"tool_response":5')],
    ["no response", bashEvent("").replace(/"tool_response":\{[^}]*\},/, "")],
    ["a tool that no rule names", mcpEvent("mcp__other__tool", LOG)],
    ["a tool named __proto__", mcpEvent("__proto__", LOG)],
    ["a tool named constructor", mcpEvent("constructor", LOG)],
    ["an event of an unknown name", CUT.replace("PostToolUse", "PostToolPraise")],
  ])("%s: quietly or not, but nothing", (_, input) => {
    expect(home.run({ input })).toMatchObject(NOTHING);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "a rule may name the tool %s",
    (tool) => {
      writeFileSync(rulesFile(), JSON.stringify({ rules: [{ tool, max_lines: 40, drop_keys: [tool] }] }));
      const run = home.run({ args: ["filter", "-tool", tool], input: LOG });
      expect(run).toMatchObject({ code: 0, stderr: "" });
      expect(citedIds(run.stdout.toString())).toHaveLength(1);
      expect(home.run({ args: ["stats"] }).stdout.toString()).toContain(tool);
    },
  );

  it("a document of 10,000 levels inside a result passes", () => {
    const deep = `{"node_id":1,"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
    writeFileSync(rulesFile(), JSON.stringify({ rules: [{ tool: "mcp__*", drop_keys: ["node_id"] }] }));
    const run = home.run({ input: mcpEvent("mcp__x__y", deep) });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const text = answeredText(run.stdout);
    expect(text === undefined || text === deep.replace('"node_id":1,', "")).toBe(true);
  });
});

describe.skipIf(EXECUTABLE_MISSING)("C1: a rules file that cannot be used changes nothing", () => {
  it.each([
    ["missing", () => rmSync(rulesFile())],
    ["empty", () => writeFileSync(rulesFile(), "")],
    ["broken", () => writeFileSync(rulesFile(), '{"rules":[{"tool":"Bash","max_lines":40}')],
    ["no object", () => writeFileSync(rulesFile(), "42")],
    ["not UTF-8", () => writeFileSync(rulesFile(), Buffer.of(0x7b, 0xff, 0x7d))],
    ["too large", () => writeFileSync(rulesFile(), `{"rules":[${" ".repeat(2_000_000)}]}`)],
    [
      "a folder",
      () => {
        rmSync(rulesFile());
        mkdirSync(rulesFile());
      },
    ],
    [
      "a circle of links",
      () => {
        rmSync(rulesFile());
        symlinkSync(rulesFile(), rulesFile());
      },
    ],
    [
      "a device",
      () => {
        rmSync(rulesFile());
        symlinkSync("/dev/zero", rulesFile());
      },
    ],
  ])("%s", (name, spoil) => {
    spoil();
    expect(home.run({ input: CUT })).toMatchObject(NOTHING);
    const filter = home.run({ args: ["filter", "-tool", "Bash"], input: LOG });
    expect(filter).toMatchObject({ code: 0, stdout: Buffer.from(LOG) });
    // Without a file there are no rules, which is nothing wrong.
    expect(home.run({ args: ["rules", "check"] }).code).toBe(name === "missing" ? 0 : 1);
  });

  it.each([
    ["a limit that is a string", { tool: "Bash", max_lines: "40" }],
    ["a negative limit", { tool: "Bash", max_lines: -1 }],
    ["a limit that is a fraction", { tool: "Bash", max_lines: 1.5 }],
    ["a glob that would take seconds", { tool: `${"*a".repeat(30)}b`, max_lines: 40 }],
    ["a glob that does not end", { tool: "Ba[", max_lines: 40 }],
    ["no tool", { max_lines: 40 }],
    ["keys that are no list", { tool: "Bash", max_lines: 40, drop_keys: "x" }],
  ])("a rule with %s is left out whole, and the next one works", (_, rule) => {
    writeFileSync(rulesFile(), JSON.stringify({ rules: [rule] }));
    expect(home.run({ input: CUT })).toMatchObject(NOTHING);
    expect(home.run({ args: ["rules", "check"] }).code).toBe(1);
    writeFileSync(rulesFile(), JSON.stringify({ rules: [rule, ...RULES] }));
    expect(answeredText(home.run({ input: CUT }).stdout)).toBeDefined();
  });
});

describe.skipIf(EXECUTABLE_MISSING)("C1, C6: what cannot be stored is not cut", () => {
  it("a state folder that is a file", () => {
    mkdirSync(dirname(home.stateDir), { recursive: true });
    writeFileSync(home.stateDir, "");
    expectOriginal(/store|key/);
  });

  it("a disk that is full", () => {
    // No file may grow beyond a few bytes: every write fails as on a full disk, with the signal for it ignored.
    const script = 'trap "" XFSZ; ulimit -f 0; exec "$0" hook';
    const run = home.runShell(script, CUT);
    expect(run).toMatchObject(NOTHING);
    expect(
      existsSync(storeDir()) ? readdirSync(storeDir()).filter((name) => name.endsWith(".bin")) : [],
    ).toEqual([]);
    const filter = home.runShell('trap "" XFSZ; ulimit -f 0; "$0" filter -tool Bash', LOG);
    expect(filter).toMatchObject({ code: 0, stdout: Buffer.from(LOG) });
  });

  it("a store folder that is a link", () => {
    mkdirSync(home.stateDir, { recursive: true });
    mkdirSync(join(home.path, "elsewhere"));
    symlinkSync(join(home.path, "elsewhere"), storeDir());
    expectOriginal(/symbolic link/, "store_foreign");
    expect(readdirSync(join(home.path, "elsewhere"))).toEqual([]);
  });

  it.each([
    ["too short", 31],
    ["too long", 33],
    ["empty", 0],
  ])("a key that is %s", (_, length) => {
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), Buffer.alloc(length, 1), { mode: 0o600 });
    expectOriginal(/32 bytes/, "key_unusable");
    expect(readFileSync(keyFile())).toHaveLength(length);
  });

  it("a key that others can write", () => {
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), Buffer.alloc(32, 1));
    chmodSync(keyFile(), 0o622);
    expectOriginal(/others/, "key_unusable");
  });

  it.skipIf(!isRoot && !process.env.CI)("a key or a store of another user (needs root)", () => {
    mkdirSync(dirname(keyFile()), { recursive: true });
    writeFileSync(keyFile(), Buffer.alloc(32, 1), { mode: 0o600 });
    chownSync(keyFile(), 4242, 4242);
    expectOriginal(/another user/, "key_unusable");
    rmSync(home.stateDir, { recursive: true });
    rmSync(keyFile());
    mkdirSync(storeDir(), { recursive: true });
    chownSync(storeDir(), 4242, 4242);
    expectOriginal(/another user/, "store_foreign");
  });

  it("an original that is larger than one may be", () => {
    const env = { HOME: home.path, ISTHMOS_STORE_MAX_ENTRY_BYTES: "100" };
    const run = home.run({ input: CUT, env });
    expect(run).toMatchObject(NOTHING);
    expect(run.stderr).toMatch(VOICE);
  });

  it("a log that cannot be written does not cost the answer", () => {
    mkdirSync(join(home.stateDir, "measure.jsonl"), { recursive: true });
    expect(answeredText(home.run({ input: CUT }).stdout)).toBeDefined();
    expect(codes()).toEqual(["log_failed"]);
  });
});

describe.skipIf(EXECUTABLE_MISSING)("C1: wrong flags", () => {
  it.each([[["hook", "now"]], [["hook", "--json"]]])("%s: nothing, and a word on it", (args) => {
    const run = home.run({ args, input: CUT });
    expect(run).toMatchObject(NOTHING);
    expect(run.stderr).toMatch(VOICE);
    expect(codes()).toEqual(["usage"]);
  });

  it.each([
    [["filter", "-tol", "Bash"]],
    [["filter", "-tool"]],
    [["filter", "Bash"]],
    [["filter", "-tool", "Bash", "more"]],
  ])("%s: a copy, and a word on it", (args) => {
    const run = home.run({ args, input: LOG });
    expect(run).toMatchObject({ code: 0, stdout: Buffer.from(LOG) });
    expect(run.stderr).toMatch(VOICE);
    expect(codes()).toEqual(["usage"]);
  });

  it.each([
    [["no-such-command"]],
    [["reveal"]],
    [["reveal", "00112233445566aa", "more"]],
    [["reveal", "00112233445566aa", "--lines", "9:1"]],
    [["reveal", "00112233445566aa", "--lines", "1:2", "--bytes", "1:2"]],
    [["stats", "--since", "yesterday"]],
    [["stats", "--no-such-flag"]],
    [["doctor", "--no-such-flag"]],
    [["rules", "check", "--no-such-flag"]],
  ])("%s: usage, exit code 2", (args) => {
    const run = home.run({ args });
    expect(run).toMatchObject({ code: 2, stdout: Buffer.alloc(0) });
    expect(run.stderr).toMatch(VOICE);
    expect(run.stderr).toMatch(/hint/);
  });
});

describe.skipIf(EXECUTABLE_MISSING)("C1: an id that gives nothing back is told apart from others", () => {
  it.each([
    ["too short", "0011", /16 digits/],
    ["in upper case", "00112233445566AA", /16 digits/],
    ["a path", "../../../../etc/passwd", /16 digits/],
    ["a path of an id's length", "../store/../aaaa", /16 digits/],
    ["empty", "", /16 digits/],
    ["the example", "0123456789abcdef", /example/],
    ["unknown", "00112233445566aa", /no original|nothing is stored/],
  ])("%s", (_, id, reason) => {
    cutOnce();
    const run = home.run({ args: ["reveal", id] });
    expect(run).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(run.stderr).toMatch(VOICE);
    expect(run.stderr).toMatch(reason);
    const json: { status: string } = JSON.parse(
      home.run({ args: ["reveal", id, "--json"] }).stdout.toString(),
    );
    expect(json.status).toBe("not_found");
  });

  it("expired", () => {
    const id = cutOnce();
    age(join(storeDir(), `${id}.bin`), 169 * HOUR_MS);
    const run = home.run({ args: ["reveal", id] });
    expect(run).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(run.stderr).toMatch(/older than 168 hours/);
  });

  it.each([
    ["cut short", (path: string) => truncateSync(path, 40)],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["of another program", (path: string) => writeFileSync(path, "PK\x03\x04 something else")],
    [
      "changed in one bit",
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.writeUInt8(bytes.readUInt8(bytes.length - 20) ^ 1, bytes.length - 20);
        writeFileSync(path, bytes);
      },
    ],
    [
      "a folder",
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    [
      "a link",
      (path: string) => {
        rmSync(path);
        symlinkSync("/etc/hostname", path);
      },
    ],
  ])("an entry that is %s, and saving again heals or refuses", (_, spoil) => {
    const id = cutOnce();
    const path = join(storeDir(), `${id}.bin`);
    spoil(path);
    const run = home.run({ args: ["reveal", id] });
    expect(run).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(run.stderr).toMatch(VOICE);
    const again = home.run({ input: CUT });
    expect(again.code).toBe(0);
    if (again.stdout.length > 0) {
      expect(home.run({ args: ["reveal", id] })).toMatchObject({ code: 0, stdout: Buffer.from(LOG) });
    }
  });

  it("sealed under a key that is gone", () => {
    const id = cutOnce();
    rmSync(keyFile());
    const other = home.run({ input: bashEvent(`${LOG}more\n`) });
    expect(answeredText(other.stdout)).toBeDefined();
    expect(codes()).toEqual(["key_replaced"]);
    const run = home.run({ args: ["reveal", id] });
    expect(run).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(run.stderr).toMatch(/damaged, or sealed under another key/);
  });
});

describe.skipIf(EXECUTABLE_MISSING)("filter", () => {
  it.each([
    ["nothing", Buffer.alloc(0)],
    ["one byte", Buffer.of(0x0a)],
    ["NULs", Buffer.alloc(5000)],
    ["bytes that are not UTF-8", Buffer.alloc(5000, 0xff)],
    ["a text without a rule's tool", Buffer.from(LOG)],
  ])("C3: gives back %s as it came", (_, input) => {
    const run = home.run({ args: ["filter"], input });
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    expect(run.stdout.equals(input)).toBe(true);
  });

  it("C1: has all the time that its producer takes", () => {
    writeFileSync(join(home.path, "log.txt"), LOG);
    const run = home.runShell(
      '{ head -n 100 log.txt; sleep 2.5; tail -n +101 log.txt; } | "$0" filter -tool Bash',
    );
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(citedIds(run.stdout.toString())).toHaveLength(1);
  });
});
