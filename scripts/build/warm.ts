// SPDX-License-Identifier: Apache-2.0
// Compiles the bundle to bytecode after running it: once per kind of work, in this one process and a temporary
// home, so that the functions of the hook path are in the cache and need no compiling at the first call.
// Runs under the base Node.js and without flags: V8 accepts the bytecode only from the same binary and flags.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Script } from "node:vm";
import { bashEvent, githubIssues, logLines, mcpEvent, SESSION_ID } from "../payloads.ts";
import { ROOT, runStep } from "./project.ts";

interface Sample {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
  /** True if the run must answer: then the work that it stands for was done. */
  readonly answers: boolean;
}

const SESSION = { session_id: SESSION_ID, cwd: "/home/dev/rocket" };

const SAMPLES: readonly Sample[] = [
  {
    name: "session start",
    args: ["hook"],
    input: JSON.stringify({ ...SESSION, hook_event_name: "SessionStart", source: "startup" }),
    answers: false,
  },
  {
    name: "no matching rule",
    args: ["hook"],
    input: mcpEvent("mcp__wiki__search", "nothing found"),
    answers: false,
  },
  { name: "nothing to cut", args: ["hook"], input: bashEvent("ok\n"), answers: false },
  { name: "text, cut and stored", args: ["hook"], input: bashEvent(logLines(300, true)), answers: true },
  {
    name: "JSON, cut and stored",
    args: ["hook"],
    input: mcpEvent("mcp__github__list_issues", JSON.stringify(githubIssues(20, 9))),
    answers: true,
  },
  {
    name: "100 KB of JSON",
    args: ["filter", "--tool", "mcp__github__list_issues"],
    input: JSON.stringify(githubIssues(60, 31)),
    answers: true,
  },
  {
    name: "batch",
    args: ["hook"],
    input: JSON.stringify({
      ...SESSION,
      hook_event_name: "PostToolBatch",
      tool_calls: [
        {
          tool_name: "Bash",
          tool_input: {},
          tool_use_id: "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
          tool_response: "ok\n",
        },
      ],
    }),
    answers: false,
  },
];

/** Writes the bytecode of `sourceFile`, a wrapped bundle, to `cacheFile`. Throws if a sample did not do its work. */
function warm(sourceFile: string, cacheFile: string): void {
  const home = mkdtempSync(join(tmpdir(), "isthmos-warm-"));
  try {
    mkdirSync(join(home, ".config", "isthmos"), { recursive: true });
    const rules = readFileSync(join(ROOT, "scripts/build/warm/rules.json"));
    writeFileSync(join(home, ".config", "isthmos", "rules.json"), rules);
    // Whatever is set here must not reach the samples.
    for (const name of Object.keys(process.env)) delete process.env[name];
    process.env.HOME = home;
    const script = new Script(readFileSync(sourceFile, "latin1"), { filename: "cli" });
    for (const sample of SAMPLES) runSample(script, sample, home);
    writeFileSync(cacheFile, script.createCachedData());
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function runSample(script: Script, sample: Sample, home: string): void {
  const input = join(home, "stdin");
  const output = join(home, "stdout");
  writeFileSync(input, sample.input);
  const stop = new Error("the program ended");
  const exit = (): never => {
    throw stop;
  };
  process.argv = [process.execPath, process.execPath, ...sample.args];
  Object.assign(process, { exit, reallyExit: exit });
  replaceDescriptor(0, input, "r");
  replaceDescriptor(1, output, "w");
  try {
    const run: unknown = script.runInThisContext();
    if (typeof run !== "function") throw new Error("the bundle is not wrapped");
    run(createRequire(import.meta.url), { exports: {} });
  } catch (error) {
    if (error !== stop) throw error;
  }
  process.exitCode = undefined;
  if (sample.answers && statSync(output).size === 0) {
    throw new Error(`the warming sample "${sample.name}" got no answer: try it with node dist/cli.cjs`);
  }
}

// The lowest free descriptor is the one just closed.
function replaceDescriptor(descriptor: number, file: string, flags: string): void {
  closeSync(descriptor);
  if (openSync(file, flags) !== descriptor) throw new Error(`cannot replace descriptor ${descriptor}`);
}

const [sourceFile, cacheFile] = process.argv.slice(2);
if (import.meta.main) {
  await runStep(() => {
    if (sourceFile === undefined || cacheFile === undefined) throw new Error("usage: warm.ts SOURCE CACHE");
    warm(sourceFile, cacheFile);
  });
}
