// SPDX-License-Identifier: Apache-2.0
// The plugin, loaded as OpenCode loads it, with stand-ins for isthmos: whatever they do, the output stays whole unless
// they answer with a smaller one.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pluginText } from "../../../../src/hosts/opencode/install/plugin.ts";
import { sealOf } from "../../../../src/hosts/own-file.ts";

interface Hooks {
  config(config: unknown): Promise<void>;
  "tool.execute.after"(input: object, output: object): Promise<void>;
}

const INPUT = { tool: "bash", sessionID: "ses_1", callID: "call_1", args: { command: "seq 9" } };
const LONG = "line\n".repeat(100);

let folder = "";
let count = 0;
const logged: string[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "isthmos plugin "));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The plugin's hooks, with `script` as isthmos; it finds the event in `event`. */
async function load(script: string, timeoutMs = 20_000): Promise<Hooks> {
  const own = join(folder, String(++count));
  mkdirSync(own);
  const standIn = join(own, "isthmos.cjs");
  writeFileSync(standIn, `const event = require("node:fs").readFileSync(0, "utf8");\n${script}`);
  return loadText(pluginText([process.execPath, standIn]), timeoutMs);
}

async function loadText(text: string, timeoutMs: number): Promise<Hooks> {
  const file = join(folder, `plugin-${++count}.mjs`);
  writeFileSync(file, text.replace("TIMEOUT_MS = 5000", `TIMEOUT_MS = ${timeoutMs}`));
  const module: Record<string, (context: unknown) => Promise<Hooks>> = await import(pathToFileURL(file).href);
  // OpenCode takes every export for a plugin.
  expect(Object.keys(module)).toEqual(["Isthmos"]);
  const log = async (entry: { body: { message: string } }) => void logged.push(entry.body.message);
  return module.Isthmos!({ client: { app: { log } } });
}

const answers = (answer: string) => `process.stdout.write(${JSON.stringify(answer)});`;

describe("the plugin", () => {
  it("is sealed, and starts the program by its own words", () => {
    const text = pluginText(["/opt/a b/$& `isthmos`", "x"]);
    expect(sealOf(text)).toBe("whole");
    expect(text).toContain('const PROGRAM = ["/opt/a b/$& `isthmos`","x"];');
  });

  it("sends what the agent knows, and takes the smaller text", async () => {
    const saw = join(folder, "event.json");
    const hooks = await load(
      `require("node:fs").writeFileSync(${JSON.stringify(saw)}, JSON.stringify([process.argv.slice(2), event]));` +
        answers('{"output":"short é\\ud800"}'),
    );
    await hooks.config({ mcp: { "my.srv": { type: "local" }, other: { type: "remote" } } });
    const output = { title: "t", output: LONG, metadata: { output: LONG } };
    await hooks["tool.execute.after"](INPUT, output);
    expect(output).toEqual({ title: "t", output: "short é\ud800", metadata: { output: LONG } });
    const [args, event] = JSON.parse(readFileSync(saw, "utf8"));
    expect(args).toEqual(["hook"]);
    expect(event).toMatch(/^\{"host":"opencode","tool":"bash",/);
    expect(JSON.parse(event)).toEqual({
      host: "opencode",
      tool: "bash",
      session: "ses_1",
      call: "call_1",
      command: "seq 9",
      servers: ["my.srv", "other"],
      output: { output: LONG },
    });
  });

  it.each([
    [{ mcp: { servers: { a: { type: "local" } } } }, ["a"]],
    [{ mcp: { servers: { type: "local" }, b: { type: "local" } } }, ["servers", "b"]],
    [{}, []],
    [undefined, []],
  ])("reads the servers of %j", async (config, expected) => {
    const saw = join(folder, `servers-${++count}`);
    const hooks = await load(`require("node:fs").writeFileSync(${JSON.stringify(saw)}, event);`);
    await hooks.config(config);
    await hooks["tool.execute.after"](INPUT, { output: LONG });
    expect(JSON.parse(readFileSync(saw, "utf8")).servers).toEqual(expected);
  });

  it("C7: changes the text blocks of an MCP result and keeps all else", async () => {
    const image = { type: "image", data: "AAAA" };
    const hooks = await load(
      `const { content } = JSON.parse(event).output;
       if (JSON.stringify(content[1]) !== '{"type":"other"}') process.exit(1);
       content[2].text = "2";
       process.stdout.write(JSON.stringify({ content }));`,
    );
    const first = { type: "text", text: LONG, annotations: { x: 1 } };
    const output = { content: [first, image, { type: "text", text: LONG }], structuredContent: { a: 1 } };
    await hooks["tool.execute.after"]({ ...INPUT, tool: "my_srv_list" }, output);
    expect(output).toEqual({
      content: [first, image, { type: "text", text: "2" }],
      structuredContent: { a: 1 },
    });
  });

  it("treats a result once, though it is loaded twice", async () => {
    const script = answers('{"output":"a"}');
    const [one, two] = [await load(script), await load(answers('{"output":""}'))];
    const output = { output: LONG };
    await one["tool.execute.after"](INPUT, output);
    await two["tool.execute.after"](INPUT, output);
    expect(output.output).toBe("a");
  });

  it.each(["edit", "write", "todowrite"])("does not ask about %s", async (tool) => {
    const output = { output: LONG };
    await (await load(answers('{"output":"a"}')))["tool.execute.after"]({ ...INPUT, tool }, output);
    expect(output.output).toBe(LONG);
  });
});

describe("C1: the output stays as it was", () => {
  it.each([
    ["no answer", ""],
    ["no JSON", answers("oops")],
    ["JSON and more", answers('{"output":"a"} b')],
    ["another kind", answers('{"output":["a"]}')],
    ["no text", answers("{}")],
    ["null", answers("null")],
    ["the answer of another host", answers('{"hookSpecificOutput":{"updatedToolOutput":"a"}}')],
    ["as long a text", answers(JSON.stringify({ output: LONG }))],
    ["a longer text of fewer characters", answers(JSON.stringify({ output: "é".repeat(300) }))],
    ["endless output", 'for (;;) require("node:fs").writeSync(1, "x".repeat(65536));'],
    ["another exit code", `${answers('{"output":"a"}')} process.exitCode = 3;`],
    ["a stack trace", 'throw new Error("boom");'],
    ["a killed process", 'process.kill(process.pid, "SIGKILL");'],
  ])("%s", async (_, script) => {
    const output = { output: LONG };
    const blocks = { content: [{ type: "text", text: LONG }] };
    await (await load(script))["tool.execute.after"](INPUT, output);
    await (await load(script))["tool.execute.after"](INPUT, blocks);
    expect(output).toEqual({ output: LONG });
    expect(blocks).toEqual({ content: [{ type: "text", text: LONG }] });
  });

  it.each([
    ["fewer blocks", '{"content":[]}'],
    ["a block without a text", '{"content":[{"type":"text"}]}'],
    ["null for a block", '{"content":[null]}'],
  ])("%s", async (_, answer) => {
    const output = { content: [{ type: "text", text: LONG }] };
    await (await load(answers(answer)))["tool.execute.after"](INPUT, output);
    expect(output).toEqual({ content: [{ type: "text", text: LONG }] });
  });

  it.each([[undefined], [null], ["text"], [{}], [{ output: 1 }], [{ output: "" }], [{ content: [null, 1] }]])(
    "a result %j",
    async (output) => {
      const hooks = await load(answers('{"output":""}'));
      await expect(
        Reflect.apply(hooks["tool.execute.after"], hooks, [INPUT, output]),
      ).resolves.toBeUndefined();
    },
  );

  it("a program that is missing; it is asked no more for a while, and the log says so", async () => {
    const hooks = await loadText(pluginText(["/nowhere/isthmos"]), 20_000);
    const output = { output: LONG };
    logged.length = 0;
    await hooks["tool.execute.after"](INPUT, output);
    await hooks["tool.execute.after"](INPUT, { output: LONG });
    expect(output.output).toBe(LONG);
    expect(logged).toEqual(["isthmos left a result as it was: it could not be started"]);
  });

  it("a program that hangs, whatever it started", async () => {
    const child = 'require("node:child_process").spawn("sleep", ["30"], { stdio: "inherit" });';
    const hooks = await load(`${child} setInterval(() => {}, 1000);`, 1000);
    const output = { output: LONG };
    logged.length = 0;
    await hooks["tool.execute.after"](INPUT, output);
    expect(output.output).toBe(LONG);
    expect(logged).toEqual(["isthmos left a result as it was: no answer in time"]);
  });
});
