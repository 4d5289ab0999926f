// SPDX-License-Identifier: Apache-2.0
// One run of the real client in a fresh home: settings and rules written, scripts played by the mock, results kept.
// Control runs and live runs use the same paths and session id, so that their texts can be compared.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "./json.ts";
import { CONNECT_MS, startMock } from "./mock-api.ts";
import { runIsthmos } from "./product.ts";
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
  /** Takes the wiring of the run's route out again; answers what is left of it. */
  leave(): string[];
}

export interface Programs {
  readonly client: string;
  readonly isthmos: string;
}

/**
 * How events reach isthmos: by a command hook that is written by hand, as docs/integrations.md shows it, or by the
 * resident server that `isthmos init` wires; `control`: not at all.
 */
export type Route = "control" | "command" | "resident";

/** Runs `scenario` in `folder`, which is made anew. */
export async function runClient(
  scenario: Scenario,
  folder: string,
  programs: Programs,
  route: Route,
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
  const rulesFile = join(home, ".config/isthmos/rules.json");
  writeFileSync(rulesFile, RULES);
  const settingsFile = join(home, ".claude/settings.json");
  const byHand = route === "command" ? settings(scenario.shell ? undefined : programs.isthmos) : {};
  writeFileSync(settingsFile, JSON.stringify(byHand));
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({ hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } }),
  );
  writeFileSync(
    join(folder, "mcp.json"),
    JSON.stringify({ mcpServers: { tiny: tinyServer(), bare: tinyServer() } }),
  );

  const delay = route === "resident" ? CONNECT_MS : 0;
  const mock = await startMock(new Map(Object.entries(scenario.scripts)), work, delay);
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
  const faults: string[] = [];
  const before = readFileSync(settingsFile, "utf8");
  const plain = { HOME: home, PATH: env.PATH ?? "" };
  if (route === "resident") {
    const args = ["init", "--live", "--route", "resident", "--matcher", ".*"];
    const { code, stderr } = runIsthmos({ program: programs.isthmos, env: plain }, args);
    if (code !== 0) faults.push(`init: exit ${code}: ${stderr}`);
  }
  if (scenario.rules !== undefined) writeFileSync(rulesFile, scenario.rules);
  const clientEnv = { ...env, ...mockVariables(mock.port) };
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
      args.push("--mcp-config", join(folder, "mcp.json"));
      const fault = await runOnce(programs.client, args, work, clientEnv);
      if (fault !== undefined) faults.push(`the client, at "${prompt}": ${fault}`);
    }
  } finally {
    mock.close();
  }
  const leave = (): string[] => {
    if (route !== "resident") return [];
    const { code, stderr } = runIsthmos({ program: programs.isthmos, env: plain }, ["uninstall"]);
    const left = code === 0 ? [] : [`uninstall: exit ${code}: ${stderr}`];
    if (!existsSync(settingsFile) || readFileSync(settingsFile, "utf8") !== before)
      left.push("uninstall: the settings are not as they were before init");
    if (readFileSync(join(home, ".claude.json"), "utf8").includes('"isthmos"'))
      left.push("uninstall: .claude.json still names isthmos");
    return left;
  };
  return {
    home,
    env,
    leave,
    results: mock.results,
    faults: [...mock.faults.map((fault) => `the API refuses ${fault}`), ...faults],
  };
}

/** Variables that turn the client to the mock, and off what would reach for the network. */
export function mockVariables(port: number): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    ENABLE_TOOL_SEARCH: "false",
    IS_SANDBOX: "1",
  };
}

/** A server with one tool for each shape of result. */
export function tinyServer(): Json {
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

/** Runs the client once; undefined, or what went wrong. */
export function runOnce(
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
