// SPDX-License-Identifier: Apache-2.0
// One run of the real client in a fresh home: settings and rules written, scripts played by the mock, results kept.
// Control runs and live runs use the same paths and session id, so that their texts can be compared.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "./json.ts";
import { startMock } from "./mock-api.ts";
import { RULES } from "./rules.ts";
import type { Scenario } from "./scenario.ts";
import { makeWorkspace } from "./workspace.ts";

/** Generous, and the product's own time budget too: a busy machine must not turn an answer into the original. */
const CLIENT_TIMEOUT_MS = 300_000;
const HOOK_TIMEOUT_S = 60;
const BUDGET_MS = 30_000;
const SESSION = "00000000-0000-4000-8000-000000000001";
const MODEL = "claude-sonnet-4-5";
const TOOLS = "Bash,Read,Edit,Write,Grep,Glob,Agent";

export interface Run {
  readonly home: string;
  /** The environment of the client's hooks, for running the product's commands in the same home. */
  readonly env: Readonly<Record<string, string>>;
  readonly results: ReadonlyMap<string, Json>;
  /** What went wrong in the run itself: requests that the API would refuse, the client's own failure. */
  readonly faults: readonly string[];
}

export interface Programs {
  readonly client: string;
  readonly isthmos: string;
}

/** Runs `scenario` in `folder`, which is made anew; `hooked` false: the control. */
export async function runClient(
  scenario: Scenario,
  folder: string,
  programs: Programs,
  hooked: boolean,
): Promise<Run> {
  const home = join(folder, "home");
  const work = join(folder, "work");
  const bin = join(folder, "bin");
  const tmp = join(folder, "tmp");
  rmSync(folder, { recursive: true, force: true });
  for (const path of [join(home, ".claude"), join(home, ".config/isthmos"), bin, tmp])
    mkdirSync(path, { recursive: true });
  makeWorkspace(work);
  symlinkSync(programs.isthmos, join(bin, "isthmos"));
  writeFileSync(join(home, ".config/isthmos/rules.json"), scenario.rules ?? RULES);
  writeFileSync(
    join(home, ".claude/settings.json"),
    JSON.stringify(hooked ? settings(scenario.shell ? undefined : programs.isthmos) : {}),
  );
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({ hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } }),
  );
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { tiny: server(), bare: server() } }));

  const mock = await startMock(new Map(Object.entries(scenario.scripts)), work);
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env.PATH ?? "/usr/bin:/bin"}`,
    HOME: home,
    TMPDIR: tmp,
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    ISTHMOS_BUDGET_MS: `${BUDGET_MS}`,
    ...Object.fromEntries(
      Object.entries(scenario.variables ?? {}).map(([name, value]) => [name, value.replaceAll("$CWD", work)]),
    ),
  };
  const clientEnv = {
    ...env,
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${mock.port}`,
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    ENABLE_TOOL_SEARCH: "false",
    IS_SANDBOX: "1",
  };
  const faults: string[] = [];
  try {
    for (const [index, script] of ["main", ...(scenario.resumes ?? [])].entries()) {
      const prompt = script.startsWith("/") ? script : `SCRIPT:${script} please`;
      const session = index === 0 ? ["--session-id", SESSION] : ["--resume", SESSION];
      const args = [
        "-p",
        prompt,
        ...session,
        "--model",
        MODEL,
        "--tools",
        TOOLS,
        "--dangerously-skip-permissions",
      ];
      args.push("--mcp-config", join(folder, "mcp.json"), "--strict-mcp-config");
      const fault = await runOnce(programs.client, args, work, clientEnv);
      if (fault !== undefined) faults.push(`the client, at "${prompt}": ${fault}`);
    }
  } finally {
    mock.close();
  }
  return {
    home,
    env,
    results: mock.results,
    faults: [...mock.faults.map((fault) => `the API refuses ${fault}`), ...faults],
  };
}

function server(): Json {
  return { type: "stdio", command: process.execPath, args: [join(import.meta.dirname, "mcp-server.ts")] };
}

/** Every event that the product knows, wired to the program; no path: to the shell command. */
function settings(isthmos: string | undefined): Json {
  const command = isthmos === undefined ? { command: "isthmos hook" } : { command: isthmos, args: ["hook"] };
  const hook = { type: "command", ...command, timeout: HOOK_TIMEOUT_S };
  return {
    hooks: {
      PostToolUse: [{ matcher: "*", hooks: [hook] }],
      PostToolUseFailure: [{ matcher: "*", hooks: [hook] }],
      PostToolBatch: [{ hooks: [{ ...hook, async: true }] }],
      PreCompact: [{ hooks: [hook] }],
      PostCompact: [{ hooks: [hook] }],
      SessionStart: [{ hooks: [hook] }],
    },
  };
}

function runOnce(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return new Promise((settle) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const timer = setTimeout(() => {
      output += `still running after ${CLIENT_TIMEOUT_MS} ms`;
      child.kill("SIGKILL");
    }, CLIENT_TIMEOUT_MS);
    child.on("error", (error) => settle(String(error)));
    child.on("close", (code) => {
      clearTimeout(timer);
      settle(code === 0 ? undefined : `exit ${code}: ${output.slice(-2000)}`);
    });
  });
}
