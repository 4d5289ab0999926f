// SPDX-License-Identifier: Apache-2.0
// A user's whole way, for every set of starting files: `init`, a session with the real client whose results come cut
// through the resident server and are revealed by its tool, `uninstall`, and every file as it was, byte for byte.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkCall } from "./check-call.ts";
import { readDelivered } from "./delivered.ts";
import { CONNECT_MS, startMock } from "./mock-api.ts";
import { runIsthmos } from "./product.ts";
import { BASH, RULES } from "./rules.ts";
import { mockVariables, runOnce } from "./run-client.ts";
import { callId, type Turn } from "./scenario.ts";
import type { StartingFiles } from "./starting-files.ts";

const LINES = 900;
const TURNS: readonly Turn[] = [
  [
    {
      tool: "Bash",
      input: { command: `seq 1 ${LINES}`, description: "a step" },
      expect: { kind: "lines", ...BASH },
    },
  ],
  [
    {
      tool: "mcp__isthmos__reveal",
      input: { id: "$ID", lines: "100:120" },
      expect: { kind: "recovered", of: "main 0.0", lines: [100, 120] },
    },
  ],
];
/** Where no hook runs, the result stays as it is. */
const UNREAD_TURNS: readonly Turn[] = TURNS.slice(0, 1).map((calls) =>
  calls.map((call) => ({ ...call, expect: { kind: "same" } })),
);
const ORIGINAL = Array.from({ length: LINES }, (_, n) => n + 1).join("\n");

interface Installs {
  readonly client: string;
  readonly isthmos: string;
  /** A folder of this run; each set of files is played in one below it. */
  readonly folder: string;
}

/** Plays every set of starting files with this client; answers the faults of each, by name. */
export async function checkInstalls(
  installs: Installs,
  starts: readonly StartingFiles[],
  report: (name: string, faults: string[]) => void,
): Promise<void> {
  for (const start of starts) report(start.name, await checkInstall(start, installs));
}

async function checkInstall(start: StartingFiles, { client, isthmos, folder }: Installs): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  const [home, work, bin] = [join(folder, "home"), join(folder, "work"), join(folder, "bin")];
  const cwd = join(work, start.cwd ?? "");
  const resolve = (path: string) => path.replace(/^~/, home).replace(/^\./, work);
  for (const path of [join(home, ".config/isthmos"), cwd, bin]) mkdirSync(path, { recursive: true });
  for (const [path, text] of start.files) write(resolve(path), text);
  if (start.link) {
    const [path, target] = start.link.map(resolve);
    mkdirSync(dirname(path ?? ""), { recursive: true });
    symlinkSync(target ?? "", path ?? "");
  }
  write(join(home, ".config/isthmos/rules.json"), RULES);
  write(join(home, ".claude.json"), clientState(cwd, start.scope));
  symlinkSync(isthmos, join(bin, "isthmos"));
  symlinkSync(client, join(bin, "claude"));

  const env = {
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: home,
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    ISTHMOS_BUDGET_MS: "30000",
  };
  const run = (...args: string[]) => runIsthmos({ program: isthmos, env, cwd }, args);
  const faults: string[] = [];
  const expectOk = (name: string, { code, stderr }: ReturnType<typeof run>) => {
    if (code !== 0) faults.push(`${name}: exit ${code}: ${stderr}`);
  };
  const paths = [...start.files.keys(), settingsOf(start)].map(resolve);
  const before = paths.map(hash);
  expectOk("init --dry-run", run("init", "--live", "--scope", start.scope, "--dry-run"));
  if (paths.map(hash).join() !== before.join()) faults.push("init --dry-run changed a file");
  expectOk("init", run("init", "--live", "--scope", start.scope));
  const wired = paths.map(hash);
  if (wired.join() === before.join()) faults.push("init changed no file");
  expectOk("init again", run("init", "--live", "--scope", start.scope));
  if (paths.map(hash).join() !== wired.join()) faults.push("a second init changed a file");
  faults.push(...(await playSession(start.unread ? UNREAD_TURNS : TURNS, client, cwd, env)));
  if (start.unread && !run("doctor").stdout.includes("has comments or a trailing comma"))
    faults.push("doctor does not say that the client reads nothing of the file");
  if (paths.map(hash).join() !== wired.join()) faults.push("the session changed a settings file");
  expectOk("uninstall", run("uninstall", "--scope", start.scope));
  paths.forEach((path, i) => {
    if (hash(path) !== before[i]) faults.push(`uninstall: ${path} is not as before, byte for byte`);
  });
  if (readFileSync(join(home, ".claude.json"), "utf8").includes('"isthmos"'))
    faults.push("uninstall: the client's state still names isthmos");
  return faults;
}

async function playSession(
  turns: readonly Turn[],
  client: string,
  cwd: string,
  env: Record<string, string>,
): Promise<string[]> {
  const mock = await startMock(new Map([["main", turns]]), cwd, CONNECT_MS);
  try {
    const clientEnv = { ...env, ...mockVariables(mock.port) };
    const args = ["-p", "SCRIPT:main please", "--model", "claude-sonnet-4-5", "--tools", "Bash,Read"];
    const fault = await runOnce(client, [...args, "--dangerously-skip-permissions"], cwd, clientEnv);
    const faults = [...(fault === undefined ? [] : [`the client: ${fault}`]), ...mock.faults];
    const control = { failed: false, parts: [{ text: ORIGINAL, raw: ORIGINAL, isText: true }] };
    turns.flat().forEach((call, turn) => {
      const block = mock.results.get(callId("main", turn, 0));
      const found =
        block === undefined
          ? ["never answered"]
          : checkCall(call, control, readDelivered(block), () => control).faults;
      faults.push(...found.map((one) => `${call.tool}: ${one}: ${JSON.stringify(block).slice(0, 600)}`));
    });
    return faults;
  } finally {
    mock.close();
  }
}

/** What the client keeps of a user who has begun, trusts the folder and approved its servers. */
function clientState(cwd: string, scope: StartingFiles["scope"]): string {
  // The client moves approvals into the local settings at its first start; only a project's servers need one.
  const approved = scope === "project" && { enabledMcpjsonServers: ["isthmos", "other"] };
  const project = { hasTrustDialogAccepted: true, ...approved };
  const state = {
    hasCompletedOnboarding: true,
    mcpServers: { notes: { type: "stdio", command: "/bin/cat", args: [], env: {} } },
    projects: { [cwd]: project },
  };
  return JSON.stringify(state, undefined, 2);
}

function settingsOf({ scope, cwd }: StartingFiles): string {
  if (scope === "user") return "~/.claude/settings.json";
  return `./${cwd === undefined ? "" : `${cwd}/`}.claude/settings${scope === "local" ? ".local" : ""}.json`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function hash(path: string): string {
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : "absent";
}
