// SPDX-License-Identifier: Apache-2.0
// The shim, run by Python as Hermes runs it, with stand-ins for isthmos: whatever they do, it says None (the result
// stays) unless they answer with a smaller text.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manifestText, shimText } from "../../../../src/hosts/hermes/install/plugin.ts";
import { sealOf } from "../../../../src/hosts/own-file.ts";

const PYTHON_MISSING = spawnSync("python3", ["--version"]).status !== 0 && !process.env.CI;
if (PYTHON_MISSING) console.warn("skipped: no python3 in PATH, so the shim for Hermes is not run");

const LONG = "line\n".repeat(100);
/** Calls the hook once for each list of arguments, as Hermes does, and prints what it gave. */
const DRIVER = `
import importlib.util, json, sys, time
spec = importlib.util.spec_from_file_location("isthmos_plugin", sys.argv[1])
shim = importlib.util.module_from_spec(spec)
spec.loader.exec_module(shim)
class Context:
    def register_hook(self, name, callback):
        self.hook = (name, callback)
context = Context()
shim.register(context)
name, callback = context.hook
calls = json.load(sys.stdin)
started = time.monotonic()
results = [callback(**call) for call in calls]
json.dump({"hook": name, "results": results, "seconds": time.monotonic() - started}, sys.stdout)
`;

let folder = "";
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "isthmos hermes "));
  // What Hermes has of its own that the shim asks.
  mkdirSync(join(folder, "hermes_cli"));
  writeFileSync(join(folder, "hermes_cli/__init__.py"), "");
  writeFileSync(
    join(folder, "hermes_cli/config.py"),
    'def load_config():\n    return {"mcp_servers": {"my-srv": {}, "other": {}}}\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly hook: string;
  readonly results: readonly unknown[];
  readonly seconds: number;
  readonly stderr: string;
}

function run(text: string, calls: readonly object[], pythonPath = ""): Ran {
  const file = join(folder, `shim-${++count}.py`);
  writeFileSync(file, text.replace("TIMEOUT_S = 5", "TIMEOUT_S = 2"));
  const { stdout, stderr, status } = spawnSync("python3", ["-c", DRIVER, file], {
    input: JSON.stringify(calls),
    env: { PATH: process.env.PATH, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: "1" },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("Traceback")]);
  return { ...JSON.parse(stdout), stderr };
}

/** The shim with `script` as isthmos; it finds the event in `event`. */
function shimOf(script: string): string {
  const file = join(folder, `isthmos-${++count}.cjs`);
  writeFileSync(file, `const event = require("node:fs").readFileSync(0, "utf8");\n${script}`);
  return shimText([process.execPath, file]);
}

const answers = (answer: string) => `process.stdout.write(${JSON.stringify(answer)});`;
const CALL = {
  tool_name: "terminal",
  args: { command: "seq 9" },
  result: LONG,
  task_id: "t",
  session_id: "s",
  tool_call_id: "c",
  duration_ms: 1,
};

describe("the texts", () => {
  it("are sealed; the program's words are Python's too", () => {
    expect([manifestText(), shimText(["/x"])].map(sealOf)).toEqual(["whole", "whole"]);
    expect(shimText(["/opt/a b/$&", 'x"y'])).toContain('\nPROGRAM = ["/opt/a b/$&","x\\"y"]\n');
  });
});

describe.skipIf(PYTHON_MISSING)("the shim", () => {
  it("sends what Hermes knows, and gives the smaller text", () => {
    const saw = join(folder, "event.json");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(saw)}, JSON.stringify([process.argv.slice(2), event]));`;
    const text = shimOf(script + answers('{"output":"short é\\ud83d\\ude00"}'));
    const ran = run(text, [{ ...CALL, result: `${LONG}é😀` }], folder);
    expect(ran).toMatchObject({ hook: "transform_tool_result", results: ["short é😀"] });
    const [args, event] = JSON.parse(readFileSync(saw, "utf8"));
    expect(args).toEqual(["hook"]);
    expect(event).toMatch(/^\{"host":"hermes","tool":"terminal",/);
    expect(JSON.parse(event)).toEqual({
      host: "hermes",
      tool: "terminal",
      session: "s",
      call: "c",
      command: "seq 9",
      path: "",
      servers: ["my-srv", "other"],
      output: { output: `${LONG}é😀` },
    });
  });

  it.each([
    ["no answer", ""],
    ["no JSON", answers("oops")],
    ["JSON and more", answers('{"output":"a"} b')],
    ["another kind", answers('{"output":["a"]}')],
    ["null", answers("null")],
    ["as long a text", answers(JSON.stringify({ output: LONG }))],
    ["a longer text of fewer characters", answers(JSON.stringify({ output: "é".repeat(300) }))],
    ["bytes that are no UTF-8", "process.stdout.write(Buffer.from([0xff, 0xfe]));"],
    ["endless output", 'for (;;) require("node:fs").writeSync(1, "x".repeat(65536));'],
    ["another exit code", `${answers('{"output":"a"}')} process.exitCode = 3;`],
    ["a stack trace", 'throw new Error("boom");'],
  ])("C1: the result stays: %s", (_, script) => {
    expect(run(shimOf(script), [CALL]).results).toEqual([null]);
  });

  it("C1: what is no text, or has no tool, stays", () => {
    const calls = [{}, { ...CALL, result: { a: 1 } }, { ...CALL, result: "" }, { ...CALL, tool_name: null }];
    expect(run(shimOf(answers('{"output":""}')), calls).results).toEqual([null, null, null, null]);
  });

  it("takes arguments that are none", () => {
    expect(run(shimOf(answers('{"output":"a"}')), [{ ...CALL, args: null }]).results).toEqual(["a"]);
  });

  it("C1: a program that is missing: asked no more for a while, and said once", () => {
    const ran = run(shimText(["/nowhere/isthmos"]), [CALL, CALL]);
    expect(ran.results).toEqual([null, null]);
    expect(ran.stderr.match(/isthmos left a result as it was/g)).toHaveLength(1);
  });

  it("C1: a program that hangs is ended with all that it started", () => {
    const child = 'require("node:child_process").spawn("sleep", ["60"], { stdio: "inherit" });';
    const ran = run(shimOf(`${child} setInterval(() => {}, 1000);`), [CALL]);
    expect(ran.results).toEqual([null]);
    // The child alone would hold the pipe for a minute.
    expect(ran.seconds).toBeLessThan(40);
  });
});
