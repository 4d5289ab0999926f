// SPDX-License-Identifier: Apache-2.0
// The executable in the surroundings that a hook may find itself in: each row a stray variable, a missing folder or
// an odd pipe. Needs dist/isthmos or $ISTHMOS_BIN; without it the tests are skipped, except in CI.
import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVersion } from "../../scripts/build/project.ts";
import { bashEvent, githubIssues, logLines } from "../../scripts/payloads.ts";
import { EXECUTABLE, EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const RULES = [
  { tool: "Bash", max_lines: 40 },
  { tool: "mcp__github__*", drop_keys: ["node_id"] },
];
const CUT = bashEvent(logLines(300, true));
const UNCUT = bashEvent("ok\n");
const STOP = JSON.stringify({ session_id: "s", hook_event_name: "Stop", cwd: "/", transcript_path: "/t" });
const MIB = 1024 * 1024;
const O_NONBLOCK = 0o4000;

describe.skipIf(EXECUTABLE_MISSING)("the executable", () => {
  let home: Home;
  let answer: Buffer;

  beforeAll(() => {
    home = makeHome(RULES);
    answer = home.run({ input: CUT }).stdout;
  });
  afterAll(() => home.remove());

  it("answers a result that its rules cut, with one JSON document", () => {
    const { hookSpecificOutput } = JSON.parse(answer.toString()) as {
      hookSpecificOutput: Record<string, unknown>;
    };
    expect(hookSpecificOutput.hookEventName).toBe("PostToolUse");
    expect(JSON.stringify(hookSpecificOutput.updatedToolOutput)).toMatch(
      /lines truncated.*isthmos reveal [0-9a-f]{16}\]/,
    );
  });

  it("says its version", () => {
    expect(home.run({ args: ["version"] })).toMatchObject({ code: 0, stderr: "" });
    expect(home.run({ args: ["version"] }).stdout.toString()).toContain(readVersion());
  });

  describe("is not changed by its environment", () => {
    it.each([
      ["NODE_OPTIONS", "--require=./stray.cjs"],
      ["NODE_OPTIONS", "--no-such-flag"],
      ["NODE_OPTIONS", "--inspect-brk=0"],
      ["NODE_OPTIONS", "--max-old-space-size=64"],
      ["OPENSSL_CONF", "malformed.cnf"],
      ["OPENSSL_CONF", "missing.cnf"],
      ["NODE_ICU_DATA", "missing"],
      ["NODE_EXTRA_CA_CERTS", "missing.pem"],
      ["NODE_DEBUG", "fs"],
      ["NODE_V8_COVERAGE", "coverage"],
      ["NODE_COMPILE_CACHE", "compile-cache"],
      ["NODE_PATH", "missing"],
      ["NODE_PENDING_DEPRECATION", "1"],
      ["NODE_REDIRECT_WARNINGS", "missing/warnings"],
      ["NODE_CHANNEL_FD", "9"],
      ["UV_THREADPOOL_SIZE", "0"],
      ["LD_LIBRARY_PATH", "missing"],
      ["LANG", "tr_TR.ISO-8859-9"],
      ["TZ", "Nowhere/Bogus"],
    ])("%s=%s", (name, value) => {
      writeFileSync(join(home.path, "stray.cjs"), "require('node:fs').writeSync(1, 'stray');");
      writeFileSync(join(home.path, "malformed.cnf"), "[ not a configuration\n= =\n");
      const run = home.run({ input: CUT, env: { HOME: home.path, [name]: value } });
      expect(run.code).toBe(0);
      expect(run.stdout.toString()).toBe(answer.toString());
    });
  });

  // Node.js itself refuses to start with it, before any script; nobody sets it for a program that is no REPL.
  it("C1: prints nothing where NODE_REPL_EXTERNAL_MODULE is set", () => {
    const run = home.run({ input: CUT, env: { HOME: home.path, NODE_REPL_EXTERNAL_MODULE: "./stray.cjs" } });
    expect(run.stdout.length).toBe(0);
  });

  describe("works in odd places", () => {
    it("an empty environment", () => {
      expect(home.run({ input: STOP, env: {} })).toMatchObject({
        code: 0,
        stdout: Buffer.alloc(0),
        stderr: "",
      });
    });

    it("no HOME, all paths given", () => {
      const env = {
        ISTHMOS_RULES: join(home.path, ".config/isthmos/rules.json"),
        ISTHMOS_STATE_DIR: home.stateDir,
        ISTHMOS_KEY_FILE: join(home.path, ".local/share/isthmos/store.key"),
      };
      expect(home.run({ input: CUT, env })).toMatchObject({ code: 0, stdout: answer, stderr: "" });
    });

    it("a folder with a space in its name", () => {
      const executable = join(home.path, "with a space", "isthmos");
      mkdirSync(join(home.path, "with a space"));
      copyFileSync(EXECUTABLE, executable, constants.COPYFILE_FICLONE);
      expect(home.run({ input: CUT, executable })).toMatchObject({ code: 0, stdout: answer, stderr: "" });
    });

    it("a working folder that takes no files", () => {
      expect(home.run({ input: CUT, cwd: "/proc" })).toMatchObject({ code: 0, stdout: answer, stderr: "" });
    });

    it("a working folder that is deleted", () => {
      const run = home.runShell('mkdir gone && cd gone && rmdir ../gone && exec "$0" hook', CUT);
      expect(run).toMatchObject({ code: 0, stdout: answer, stderr: "" });
    });

    it("leaves nothing in its working folder", () => {
      const cwd = join(home.path, "work");
      mkdirSync(cwd);
      home.run({ input: CUT, cwd });
      expect(readdirSync(cwd)).toEqual([]);
    });
  });

  describe("C1: fails open", () => {
    const nothing = { code: 0, stdout: Buffer.alloc(0) };

    it.each([
      ["nothing", ""],
      ["not JSON", "\u0000\u0001 garbage"],
      ["half an event", CUT.slice(0, CUT.length / 2)],
      ["another kind of JSON", "[1,2,3]"],
    ])("stdin is %s", (_, input) => {
      expect(home.run({ input })).toMatchObject(nothing);
    });

    it("stdin is closed", () => {
      expect(home.runShell('exec "$0" hook <&-')).toMatchObject(nothing);
    });

    it("the hook has an argument too much", () => {
      const run = home.run({ args: ["hook", "--no-such-flag"], input: CUT });
      expect(run).toMatchObject(nothing);
      expect(run.stderr).toMatch(/^isthmos: error: /);
    });

    it("C6: the state folder cannot be made", () => {
      writeFileSync(join(home.path, "file"), "");
      const env = { HOME: home.path, ISTHMOS_STATE_DIR: join(home.path, "file/state") };
      const run = home.run({ input: CUT, env });
      expect(run).toMatchObject(nothing);
      expect(run.stderr).toMatch(/^isthmos: error: /);
    });

    it("the filter copies its input when the state folder cannot be made", () => {
      const env = { HOME: home.path, ISTHMOS_STATE_DIR: join(home.path, "file/state") };
      const input = logLines(300, true);
      const run = home.run({ args: ["filter", "-tool", "Bash"], input, env });
      expect(run.code).toBe(0);
      expect(run.stdout.toString()).toBe(input);
    });

    it("C15: the payload is above the bound", () => {
      const input = Buffer.alloc(40 * MIB, "a line of forty mebibytes of log output\n");
      const filtered = home.run({ args: ["filter", "-tool", "Bash"], input });
      expect(filtered.code).toBe(0);
      expect(filtered.stdout.equals(input)).toBe(true);
      expect(home.run({ input: bashEvent(input.toString()) })).toMatchObject(nothing);
    });
  });

  describe("with odd pipes", () => {
    it("is quiet when the reader is gone", async () => {
      const child = spawn(EXECUTABLE, ["filter", "-tool", "other"], { env: { HOME: home.path } });
      child.stdout.destroy();
      let stderr = "";
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdin.on("error", () => {});
      child.stdin.end(Buffer.alloc(4 * MIB, 10));
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    });

    it("C1: says that a full disk took nothing", () => {
      const { stdout, stderr } = home.runShell('"$0" filter -tool Bash </dev/null >/dev/full; echo $?', "");
      expect([stdout.toString(), stderr]).toEqual(["0\n", ""]);
      const filtered = home.runShell('echo text | "$0" filter -tool Bash >/dev/full; echo $?');
      expect(filtered.stdout.toString()).toBe("0\n");
      expect(filtered.stderr).toContain("could not be written (ENOSPC");
      const listed = home.runShell('"$0" config >/dev/full; echo $?');
      expect(listed.stdout.toString()).toBe("1\n");
      expect(listed.stderr).toContain("ENOSPC");
      expect(readFileSync(join(home.stateDir, "health.jsonl"), "utf8")).toContain('"output_failed"');
    });

    it("is quiet when stdout is closed", () => {
      expect(home.runShell('exec "$0" hook >&-', CUT)).toMatchObject({ code: 0, stderr: "" });
    });

    it("writes more than a pipe holds to a reader that waits", () => {
      const issues = JSON.stringify(githubIssues(800));
      writeFileSync(join(home.path, "issues.json"), issues);
      const filtering = '"$0" filter -tool mcp__github__list < issues.json';
      home.runShell(`${filtering} > whole.json`);
      const whole = readFileSync(join(home.path, "whole.json"));
      expect(whole.length).toBeGreaterThan(MIB);
      expect(whole.length).toBeLessThan(Buffer.byteLength(issues));
      const piped = home.runShell(`${filtering} | { sleep 0.3; cat; }`);
      expect(piped.stdout.equals(whole)).toBe(true);
    });

    it("reads a non-blocking pipe that is fed slowly", async () => {
      const fifo = join(home.path, "fifo");
      execFileSync("mkfifo", [fifo]);
      const reading = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
      const writing = openSync(fifo, constants.O_WRONLY);
      const child = spawn(EXECUTABLE, ["hook"], {
        env: { HOME: home.path },
        stdio: [reading, "pipe", "inherit"],
      });
      // Spawning makes it blocking; a socket on our side of the shared description makes it non-blocking again.
      const socket = new Socket({ fd: reading, readable: false, writable: false });
      const chunks: Buffer[] = [];
      child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
      const closed = new Promise((resolve) => child.on("close", resolve));
      const half = CUT.length >> 1;
      writeSync(writing, CUT.slice(0, half));
      await sleep(200);
      const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/${child.pid}/fdinfo/0`, "utf8"));
      writeSync(writing, CUT.slice(half));
      closeSync(writing);
      expect(await closed).toBe(0);
      socket.destroy();
      expect(Number.parseInt(flags?.[1] ?? "0", 8) & O_NONBLOCK).toBe(O_NONBLOCK);
      expect(Buffer.concat(chunks).toString()).toBe(answer.toString());
    });

    it("leaves the default command to stdin: without arguments it is the hook", () => {
      expect(home.run({ args: [], input: UNCUT })).toMatchObject({
        code: 0,
        stdout: Buffer.alloc(0),
        stderr: "",
      });
      expect(home.run({ args: [], input: CUT })).toMatchObject({ code: 0, stdout: answer, stderr: "" });
    });
  });
});
