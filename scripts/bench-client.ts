// SPDX-License-Identifier: Apache-2.0
// What a hook costs inside the real Claude Code client, as the client itself logs it: the same session of tool calls,
// whose results isthmos cuts and stores, with each kind of hook in turn. Needs no account (a mock of the Messages API
// on 127.0.0.1); installs the pinned client unless ISTHMOS_CLIENT_DIR has it. Exit code 1 if the resident route is
// above its limits.
//
//   node scripts/bench-client.ts [--calls N] [--rounds N] [--client VERSION] [--command 'COMMAND LINE']...
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readHookTimes } from "./bench/client-log.ts";
import { DIST, runStep } from "./build/project.ts";
import { CLIENT_VERSION, installClient } from "./e2e-claude-code/client.ts";
import type { Json } from "./e2e-claude-code/json.ts";
import { CONNECT_MS, startMock } from "./e2e-claude-code/mock-api.ts";
import { runIsthmos } from "./e2e-claude-code/product.ts";
import { mockVariables, runOnce, tinyServer } from "./e2e-claude-code/run-client.ts";
import type { Turn } from "./e2e-claude-code/scenario.ts";

/** The first calls of a session pay for what is loaded once. */
const WARM_CALLS = 3;
const HOOK_TIMEOUT_S = 20;
const FLOOR = "/bin/true, exec form";
const RESIDENT = "isthmos mcp, mcp_tool";
/** Of the resident route to the floor, medians: 6 ms where /bin/true takes 5. */
const LIMIT = 6 / 5;
/** About 2 KB of lines, of which the rule keeps a part. */
const RULES = JSON.stringify({ rules: [{ tool: "mcp__tiny__*", max_lines: 20 }] });
const LINES = 80;

interface Case {
  readonly name: string;
  /** The PostToolUse hook by hand, or the route that `isthmos init` wires. */
  readonly hook: Json | "resident";
}

interface Bench {
  readonly folder: string;
  readonly client: string;
  readonly isthmos: string;
  readonly calls: number;
}

async function runSession({ folder, client, isthmos, calls }: Bench, { hook }: Case): Promise<number[]> {
  const run = join(folder, "run");
  const [home, work] = [join(run, "home"), join(run, "work")];
  rmSync(run, { recursive: true, force: true });
  for (const path of [join(home, ".claude"), join(home, ".config/isthmos"), work])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(home, ".config/isthmos/rules.json"), RULES);
  const hooks = hook === "resident" ? {} : { PostToolUse: [{ matcher: "mcp__tiny__.*", hooks: [hook] }] };
  writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ hooks }));
  const state = { hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(state));
  writeFileSync(join(run, "mcp.json"), JSON.stringify({ mcpServers: { tiny: tinyServer() } }));
  const env = { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", SHELL: "/bin/bash" };
  if (hook === "resident") {
    const { code, stderr } = runIsthmos({ program: isthmos, env }, ["init", "--live", "--route", "resident"]);
    if (code !== 0) throw new Error(`isthmos init: ${stderr}`);
  }
  // Each call has a text of its own, so that each original is written.
  const turns = Array.from({ length: calls + WARM_CALLS }, (_, n): Turn => {
    return [{ tool: "mcp__tiny__long", input: { n: LINES + n }, expect: { kind: "same" } }];
  });
  const mock = await startMock(new Map([["main", turns]]), work, CONNECT_MS);
  try {
    const debugLog = join(run, "debug.log");
    const args = ["-p", "SCRIPT:main please", "--model", "claude-sonnet-4-5", "--tools", "Bash"];
    args.push(
      "--dangerously-skip-permissions",
      "--debug-file",
      debugLog,
      "--mcp-config",
      join(run, "mcp.json"),
    );
    const fault = await runOnce(client, args, work, {
      ...env,
      ...mockVariables(mock.port),
    });
    if (fault !== undefined) throw new Error(`the client: ${fault}`);
    return readHookTimes(debugLog);
  } finally {
    mock.close();
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

await runStep(async () => {
  const { values } = parseArgs({
    options: {
      calls: { type: "string", default: "40" },
      rounds: { type: "string", default: "3" },
      client: { type: "string", default: CLIENT_VERSION },
      command: { type: "string", multiple: true, default: [] },
    },
  });
  const isthmos = process.env.ISTHMOS_BIN || join(DIST, "isthmos");
  if (!existsSync(isthmos)) throw new Error("dist/isthmos is missing: run npm run build");
  const folder = mkdtempSync(join(tmpdir(), "isthmos-bench-client-"));
  const command = (words: Json): Json => ({ type: "command", timeout: HOOK_TIMEOUT_S, ...words });
  const cases: readonly Case[] = [
    { name: FLOOR, hook: command({ command: "/bin/true", args: [] }) },
    { name: "isthmos hook, exec form", hook: command({ command: isthmos, args: ["hook"] }) },
    { name: RESIDENT, hook: "resident" },
    ...values.command.map(
      (line): Case => ({ name: `${line}, shell form`, hook: command({ command: line }) }),
    ),
  ];
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  const firsts = new Map<string, number>();
  try {
    const client = installClient(process.env.ISTHMOS_CLIENT_DIR || join(folder, "client"), values.client);
    const bench: Bench = { folder, client, isthmos, calls: Number(values.calls) };
    for (let round = 1; round <= Number(values.rounds); round++) {
      for (const one of cases) {
        console.error(`round ${round}: ${one.name}`);
        const [first = Number.NaN, ...more] = await runSession(bench, one);
        if (more.length < bench.calls) throw new Error(`${one.name}: only ${more.length + 1} hooks ran`);
        firsts.set(one.name, Math.max(first, firsts.get(one.name) ?? 0));
        times.get(one.name)?.push(...more.slice(WARM_CALLS - 1));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const floor = median(times.get(FLOOR) ?? []);
  console.log(`client ${values.client}\n`);
  console.log(
    "| hook | calls | median, ms | ratio to /bin/true | slowest first call, ms |\n|---|--:|--:|--:|--:|",
  );
  for (const { name } of cases) {
    const all = times.get(name) ?? [];
    const ratio = (median(all) / floor).toFixed(2);
    console.log(`| ${name} | ${all.length} | ${median(all)} | ${ratio} | ${firsts.get(name)} |`);
  }
  const ratio = median(times.get(RESIDENT) ?? []) / floor;
  if (ratio > LIMIT)
    throw new Error(`the resident route takes ${ratio.toFixed(2)} times /bin/true, above ${LIMIT}`);
});
