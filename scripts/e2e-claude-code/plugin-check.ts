// SPDX-License-Identifier: Apache-2.0
// The plugin in the real client: `claude plugin validate --strict` passes, and a session that has it and nothing else
// gets its results cut through the plugin's server, and back through the tool that the plugin brings.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkCall } from "./check-call.ts";
import { readDelivered } from "./delivered.ts";
import { at, listOf, textAt, tryParse } from "./json.ts";
import { CONNECT_MS, startMock } from "./mock-api.ts";
import { runIsthmos } from "./product.ts";
import { BASH, RULES } from "./rules.ts";
import { mockVariables, type Programs, runOnce } from "./run-client.ts";
import { callId, type Turn } from "./scenario.ts";

const PLUGIN = resolve(import.meta.dirname, "../../plugin");
const VALIDATE_TIMEOUT_MS = 60_000;
const LINES = 900;
const ORIGINAL = Array.from({ length: LINES }, (_, n) => n + 1).join("\n");
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
      tool: "mcp__plugin_isthmos_isthmos__reveal",
      input: { id: "$ID", lines: "100:120" },
      expect: { kind: "recovered", of: "main 0.0", lines: [100, 120] },
    },
  ],
];

/** Plays the session in `folder`, which is made anew; answers what went wrong. */
export async function checkPlugin({ client, isthmos }: Programs, folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  const [home, work, bin] = [join(folder, "home"), join(folder, "work"), join(folder, "bin")];
  for (const path of [join(home, ".config/isthmos"), work, bin]) mkdirSync(path, { recursive: true });
  symlinkSync(isthmos, join(bin, "isthmos"));
  writeFileSync(join(home, ".config/isthmos/rules.json"), RULES);
  const trusted = { hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(trusted));
  const env = { HOME: home, PATH: `${bin}:${process.env.PATH ?? "/usr/bin:/bin"}` };
  return [
    ...validatePlugin(client, env),
    ...(await playSession(client, work, env)),
    ...checkStats(isthmos, env),
  ];
}

function validatePlugin(client: string, env: Readonly<Record<string, string>>): string[] {
  const { status, stdout, stderr } = spawnSync(client, ["plugin", "validate", "--strict", PLUGIN], {
    env,
    encoding: "utf8",
    timeout: VALIDATE_TIMEOUT_MS,
  });
  return status === 0 ? [] : [`plugin validate --strict: exit ${status}: ${stdout}${stderr}`];
}

async function playSession(
  client: string,
  work: string,
  env: Readonly<Record<string, string>>,
): Promise<string[]> {
  const mock = await startMock(new Map([["main", TURNS]]), work, CONNECT_MS);
  const args = ["-p", "SCRIPT:main please", "--plugin-dir", PLUGIN, "--model", "claude-sonnet-4-5"];
  args.push("--tools", "Bash", "--dangerously-skip-permissions");
  try {
    const fault = await runOnce(client, args, work, {
      ...env,
      ...mockVariables(mock.port),
    });
    if (fault !== undefined) return [`the client: ${fault}`];
  } finally {
    mock.close();
  }
  const faults = mock.faults.map((fault) => `the API refuses ${fault}`);
  const original = { failed: false, parts: [{ text: ORIGINAL, raw: ORIGINAL, isText: true }] };
  for (const [turn, calls] of TURNS.entries()) {
    const [call] = calls;
    const result = mock.results.get(callId("main", turn, 0));
    if (call === undefined || result === undefined) faults.push(`turn ${turn} was never answered`);
    else {
      const checked = checkCall(call, original, readDelivered(result), () => original);
      faults.push(...checked.faults.map((fault) => `turn ${turn}: ${fault}\n${JSON.stringify(result)}`));
    }
  }
  return faults;
}

// Delivered sizes are there only if the plugin's PostToolBatch hook was heard.
function checkStats(isthmos: string, env: Readonly<Record<string, string>>): string[] {
  const { stdout } = runIsthmos({ program: isthmos, env }, ["stats", "--json"]);
  const tools = listOf(at(tryParse(stdout), "live", "tools"));
  const isDelivered = tools.some((row) => textAt(row, "tool") === "Bash" && at(row, "delivered") === 1);
  return isDelivered ? [] : [`stats does not know what was delivered: ${stdout}`];
}
