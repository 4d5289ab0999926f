// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a session on the resident route: the session goes on, with original results where isthmos could
// not do its work, and `doctor` says afterwards what happened.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkCall } from "./check-call.ts";
import { type Delivered, readDelivered } from "./delivered.ts";
import { CONNECT_MS, startMock } from "./mock-api.ts";
import { runIsthmos } from "./product.ts";
import { BASH, RULES } from "./rules.ts";
import { mockVariables, type Programs, runOnce, tinyServer } from "./run-client.ts";
import { type Call, callId, type Expectation, type Turn } from "./scenario.ts";

interface Mishap {
  readonly name: string;
  readonly turns: readonly Turn[];
  /** Done after `init` and before the session. */
  readonly prepare?: (home: string) => void;
  /** The state folder lies on a file system that is full. */
  readonly full?: true;
  /** What `doctor` must say afterwards. */
  readonly doctor: RegExp;
}

const LINES = 900;
const ORIGINAL = Array.from({ length: LINES }, (_, n) => n + 1).join("\n");
/** Lines of the tiny server's text, of some 28 bytes each: above it the client itself ends the connection (10 MiB). */
const LARGE_LINES = 300_000;
const STATE = ".local/state/isthmos";

const same: Expectation = { kind: "same" };
const spilled: Expectation = { kind: "untouched", holds: "Output too large" };
const cut: Expectation = { kind: "lines", ...BASH };
const seq = (expect: Expectation): Call => ({
  tool: "Bash",
  input: { command: `seq 1 ${LINES}`, description: "a step" },
  expect,
});
const shell = (command: string, expect: Expectation): Call => ({
  tool: "Bash",
  input: { command, description: "a step" },
  expect,
});

const MISHAPS: readonly Mishap[] = [
  {
    name: "server killed",
    turns: [
      [seq(cut)],
      // The shell of this very call has the words in its own command line: the brackets keep it from being found.
      [shell("pkill -KILL -f '[i]sthmos mcp'; seq 1 5", { kind: "same" })],
      // Started anew by the client, or not: cut or whole, never an error.
      [seq({ kind: "either" })],
      [seq({ kind: "either" })],
    ],
    doctor: /server_lost|ended without/,
  },
  {
    name: "rules unreadable",
    turns: [[seq(same)], [seq(same)]],
    prepare: (home) => {
      const file = join(home, ".config/isthmos/rules.json");
      rmSync(file);
      mkdirSync(file);
    },
    doctor: /rules_unreadable|not a regular file/,
  },
  {
    name: "rules lost midway",
    turns: [
      [seq(cut)],
      [shell('printf "{ broken" >"$HOME/.config/isthmos/rules.json"; seq 1 5', { kind: "same" })],
      [seq(same)],
    ],
    doctor: /rules_invalid|not JSON|cannot be used/,
  },
  { name: "disk full", full: true, turns: [[seq(same)], [seq(same)]], doctor: /is full|store_failed/ },
  {
    name: "30 MB result",
    turns: [
      [shell("yes 'a line of a very long output' | head -c 30000000", spilled)],
      [{ tool: "mcp__tiny__long", input: { n: LARGE_LINES }, expect: spilled }],
      [seq(cut)],
    ],
    doctor: /answers rightly/,
  },
];

/** Plays every mishap; answers the faults of each, by name. */
export async function checkMishaps(
  programs: Programs,
  folder: string,
  report: (name: string, faults: string[]) => void,
): Promise<void> {
  for (const mishap of MISHAPS) report(mishap.name, await checkMishap(mishap, programs, folder));
}

async function checkMishap(mishap: Mishap, { client, isthmos }: Programs, folder: string): Promise<string[]> {
  rmSync(folder, { recursive: true, force: true });
  const [home, work, bin] = [join(folder, "home"), join(folder, "work"), join(folder, "bin")];
  for (const path of [join(home, ".config/isthmos"), join(home, ".claude"), join(home, STATE), work, bin])
    mkdirSync(path, { recursive: true });
  symlinkSync(isthmos, join(bin, "isthmos"));
  writeFileSync(join(home, ".config/isthmos/rules.json"), RULES);
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({ hasCompletedOnboarding: true, projects: { [work]: { hasTrustDialogAccepted: true } } }),
  );
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers: { tiny: tinyServer() } }));
  const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin`, LANG: "C.UTF-8", SHELL: "/bin/bash" };
  const init = runIsthmos({ program: isthmos, env }, ["init", "--live", "--route", "resident"]);
  if (init.code !== 0) return [`init: exit ${init.code}: ${init.stderr}`];
  mishap.prepare?.(home);
  const faults = await playSession(mishap, client, work, folder, env);
  const doctor = mishap.full
    ? runFull(home, env, [isthmos, "doctor"])
    : runIsthmos({ program: isthmos, env, cwd: work }, ["doctor"]).stdout;
  if (!mishap.doctor.test(doctor)) faults.push(`doctor does not say what happened: ${doctor}`);
  return faults;
}

async function playSession(
  { turns, full }: Mishap,
  client: string,
  work: string,
  folder: string,
  env: Record<string, string>,
): Promise<string[]> {
  const mock = await startMock(new Map([["main", turns]]), work, CONNECT_MS);
  try {
    const args = ["-p", "SCRIPT:main please", "--model", "claude-sonnet-4-5", "--tools", "Bash,Read"];
    args.push("--dangerously-skip-permissions", "--mcp-config", join(folder, "mcp.json"));
    const [program, ...words] = full ? onFullDisk(env.HOME ?? "", [client, ...args]) : [client, ...args];
    const fault = await runOnce(program ?? client, words, work, {
      ...env,
      ...mockVariables(mock.port),
      // The client would turn large MCP results away before any hook.
      MAX_MCP_OUTPUT_TOKENS: "1000000000",
    });
    const faults = [...(fault === undefined ? [] : [`the client: ${fault}`]), ...mock.faults];
    turns.flat().forEach((call, turn) => {
      const block = mock.results.get(callId("main", turn, 0));
      if (block === undefined) faults.push(`turn ${turn} was never answered`);
      else faults.push(...checkResult(call, readDelivered(block)).map((one) => `turn ${turn}: ${one}`));
    });
    return faults;
  } finally {
    mock.close();
  }
}

function checkResult(call: Call, live: Delivered): string[] {
  const { expect, input } = call;
  if (expect.kind === "untouched") {
    const [part] = live.parts;
    return part?.text.includes(expect.holds) && !part.text.includes("[isthmos: ")
      ? []
      : [`got ${part?.text.slice(0, 500)}`];
  }
  const text = String(input.command).startsWith("seq 1 900") ? ORIGINAL : "1\n2\n3\n4\n5";
  const whole: Delivered = { failed: false, parts: [{ text, raw: text, isText: true }] };
  const check = (kind: Expectation) => [
    ...checkCall({ ...call, expect: kind }, whole, live, () => whole).faults,
  ];
  if (expect.kind !== "either") return check(expect);
  return check(same).length === 0 ? [] : check(cut);
}

/** The command with the state folder on a file system of its own, without a free block. */
function onFullDisk(home: string, words: readonly string[]): string[] {
  const state = join(home, STATE);
  const script = `mount -t tmpfs -o size=64k none "$0" && head -c 1000000 /dev/zero >"$0/filler" 2>/dev/null; exec "$@"`;
  return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, state, ...words];
}

function runFull(home: string, env: Record<string, string>, words: readonly string[]): string {
  const [program = "", ...args] = onFullDisk(home, words);
  return spawnSync(program, args, { env, encoding: "utf8" }).stdout;
}
