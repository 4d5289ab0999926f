// SPDX-License-Identifier: Apache-2.0
// 300 hooks that die: before each of their file operations, and at moments spread over the run of the executable.
// Whatever they leave: no earlier row or original is lost, no answer that came out whole cites what is not there,
// nothing half-made is taken for an entry, and the next run works.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleOptions } from "../../scripts/build/bundle.ts";
import { LOG_MAX_BYTES, readRows } from "../../src/measure/log.ts";
import { openStore, STORE_DEFAULTS, type Store } from "../../src/store/vault.ts";
import { answeredText, batch, citedIds, compaction, sessionStart, toolResult } from "../support/events.ts";
import { EXECUTABLE, EXECUTABLE_MISSING, makeHome } from "../support/run-cli.ts";
import { age, HOUR_MS } from "../support/temp-store.ts";

/** Kills of each half. */
const KILLS = 150;
/** Children at a time; more than the cores of a small machine gain nothing. */
const PARALLEL = 4;
const TIMEOUT_MS = 900_000;
const RULES = [{ tool: "Bash", max_lines: 20 }];

const cutText = (seed: string): string =>
  Array.from({ length: 120 }, (_, i) => `${seed}: step ${i} is done\n`).join("");
/** Long enough to be referred to, and cut by no rule. */
const WHOLE_TEXT = `${"a word of one long line ".repeat(300)}\n`;

interface Ended {
  readonly killed: boolean;
  readonly code: number | null;
  readonly stdout: Buffer;
}

/** Runs a program with `input`; `killAfterMs`: kills it then, if it still runs. */
async function run(
  file: string,
  args: readonly string[],
  home: string,
  input: string,
  killAfterMs?: number,
): Promise<Ended> {
  const child = spawn(file, args, {
    env: { HOME: home, ISTHMOS_BUDGET_MS: "60000" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A killed process need not read what it is sent.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code, signal) =>
      resolve({ killed: signal === "SIGKILL", code, stdout: Buffer.concat(chunks) }),
    );
  });
  if (killAfterMs !== undefined) {
    await sleep(killAfterMs);
    child.kill("SIGKILL");
  }
  return ended;
}

const stateDirOf = (home: string): string => join(home, ".local/state/isthmos");
const logOf = (home: string): string => join(stateDirOf(home), "measure.jsonl");

function storeOf(home: string): Store {
  const keyFile = join(home, ".local/share/isthmos/store.key");
  return openStore({ ...STORE_DEFAULTS, stateDir: stateDirOf(home), keyFile });
}

/** Every row of the log as its line, in order; none may be broken. */
function rowsOf(home: string): string[] {
  const reader = readRows({ stateDir: stateDirOf(home) });
  const rows = [...reader].map((row) => JSON.stringify(row));
  expect(reader.skipped).toBe(0);
  return rows;
}

/** The entries that open, as ids. */
function idsOf(home: string): string[] {
  const folder = join(stateDirOf(home), "store");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{16}\.bin$/.test(name));
  return names.map((name) => name.slice(0, 16));
}

function expectNothingHalf(home: string): void {
  const keyFile = join(home, ".local/share/isthmos/store.key");
  if (existsSync(keyFile)) expect(statSync(keyFile).size).toBe(32);
  expect(storeOf(home).unreadable()).toBe(0);
}

/** An answer that came out whole cites only what is there; one that did not is no answer to the client. */
function expectHonestAnswer(home: string, stdout: Buffer, original: string): void {
  let text: string | undefined;
  try {
    text = answeredText(stdout);
  } catch {
    return;
  }
  for (const id of citedIds(text ?? "")) {
    const loaded = storeOf(home).load(id);
    expect(loaded.status === "ok" && Buffer.from(loaded.bytes).toString()).toBe(original);
  }
}

interface Scenario {
  /** Events of the hook before, in order. */
  readonly before?: readonly string[];
  /** Changes what lies on the disk after them. */
  readonly prepare?: (home: string) => void;
  readonly args?: readonly string[];
  readonly input: string;
  /** The text that the input's result holds, where the rules cut it. */
  readonly cuts?: string;
  /** Ids that a sweep may take. */
  readonly expires?: boolean;
}

const cutCall = (seed: string) => ({ useId: seed, text: cutText(seed) });
const wholeCall = (useId: string) => ({ useId, text: WHOLE_TEXT });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "the first cut of all": { input: toolResult(cutCall("a")), cuts: cutText("a") },
  "a later cut": { before: [toolResult(cutCall("a"))], input: toolResult(cutCall("b")), cuts: cutText("b") },
  "the same cut again": {
    before: [toolResult(cutCall("a"))],
    input: toolResult(cutCall("a")),
    cuts: cutText("a"),
  },
  "a cut that sweeps": {
    before: ["a", "b", "c"].map((seed) => toolResult(cutCall(seed))),
    prepare: (home) => {
      const folder = join(stateDirOf(home), "store");
      for (const id of idsOf(home)) age(join(folder, `${id}.bin`), 200 * HOUR_MS);
      for (const name of readdirSync(folder)) if (name === ".swept") age(join(folder, name), 2 * HOUR_MS);
    },
    input: toolResult(cutCall("d")),
    cuts: cutText("d"),
    expires: true,
  },
  "a cut that fills the log": {
    before: [toolResult(cutCall("a"))],
    prepare: (home) => {
      const row = readFileSync(logOf(home), "utf8");
      writeFileSync(logOf(home), row.repeat(Math.ceil(LOG_MAX_BYTES / row.length)), { mode: 0o600 });
    },
    input: toolResult(cutCall("b")),
    cuts: cutText("b"),
  },
  "a session's start": { before: [sessionStart("startup")], input: sessionStart("resume") },
  "a result that passes": { before: [sessionStart("startup")], input: toolResult(wholeCall("w")) },
  "a turn's report": {
    before: [sessionStart("startup"), toolResult(wholeCall("w"))],
    input: batch([wholeCall("w")]),
  },
  "a reference": {
    before: [sessionStart("startup"), toolResult(wholeCall("w")), batch([wholeCall("w")])],
    input: toolResult(wholeCall("x")),
    cuts: WHOLE_TEXT,
  },
  "a compaction": {
    before: [sessionStart("startup"), toolResult(wholeCall("w")), batch([wholeCall("w")])],
    input: compaction("PreCompact"),
  },
  "an input that is no event": { before: [toolResult(cutCall("a"))], input: "not an event" },
  "a filter": { args: ["filter", "-tool", "Bash"], input: cutText("f") },
};

describe("killed before each file operation", () => {
  let folder: string;
  let driver: string;
  let kills = 0;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "isthmos-kills-"));
    driver = join(folder, "hook-driver.cjs");
    const entry = fileURLToPath(new URL("../support/hook-driver.ts", import.meta.url));
    buildSync({ ...bundleOptions(), entryPoints: [entry], outfile: driver, format: "cjs" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const drive = (home: string, k: number, { args = ["hook"], input }: Pick<Scenario, "args" | "input">) =>
    run(process.execPath, [driver, String(k), ...args], home, input);

  async function makeTemplate(name: string, { before = [], prepare }: Scenario): Promise<string> {
    const home = join(folder, name);
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(join(home, ".config/isthmos/rules.json"), JSON.stringify({ rules: RULES }));
    for (const input of before) expect(await drive(home, 0, { input })).toMatchObject({ code: 0 });
    prepare?.(home);
    return home;
  }

  /** False if the run was over before its k-th operation. */
  async function killAt(template: string, k: number, scenario: Scenario): Promise<boolean> {
    const home = mkdtempSync(join(folder, "home-"));
    cpSync(template, home, { recursive: true, preserveTimestamps: true });
    const rows = rowsOf(home);
    const ids = scenario.expires ? [] : idsOf(home);
    const { killed, code, stdout } = await drive(home, k, scenario);
    expect(killed || code === 0).toBe(true);
    expect(rowsOf(home).slice(0, rows.length)).toEqual(rows);
    expect(rowsOf(home).length).toBeLessThanOrEqual(rows.length + 1);
    expect(idsOf(home)).toEqual(expect.arrayContaining(ids));
    expectNothingHalf(home);
    if (scenario.cuts !== undefined) expectHonestAnswer(home, stdout, scenario.cuts);

    const next = await drive(home, 0, { input: toolResult(cutCall("next")) });
    expect(next.code).toBe(0);
    expect(citedIds(answeredText(next.stdout) ?? "")).toHaveLength(1);
    expectHonestAnswer(home, next.stdout, cutText("next"));
    expectNothingHalf(home);
    rmSync(home, { recursive: true });
    return killed;
  }

  it.each(Object.entries(SCENARIOS))(
    "C6: %s",
    async (name, scenario) => {
      const template = await makeTemplate(name, scenario);
      let before = kills;
      for (let k = 1, more = true; more; k += PARALLEL) {
        const killed = await Promise.all(
          Array.from({ length: PARALLEL }, (_, i) => killAt(template, k + i, scenario)),
        );
        kills += killed.filter(Boolean).length;
        more = !killed.includes(false);
        // Killed at every operation up to the last: none was passed over.
        expect(killed).toEqual([...killed].sort((a, b) => Number(b) - Number(a)));
      }
      before = kills - before;
      expect(before).toBeGreaterThan(1);
    },
    TIMEOUT_MS,
  );

  it(
    "makes up half of the kills",
    async () => {
      const scenario = SCENARIOS["a later cut"];
      if (scenario === undefined) throw new Error("no such scenario");
      const template = await makeTemplate("more", scenario);
      for (let k = 1; kills < KILLS; k++) kills += Number(await killAt(template, 1 + (k % 8), scenario));
      expect(kills).toBeGreaterThanOrEqual(KILLS);
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(EXECUTABLE_MISSING)("killed at any moment", () => {
  it(
    `C6: ${KILLS} runs of the executable on one folder`,
    async () => {
      const home = makeHome(RULES);
      const started = performance.now();
      const first = await run(EXECUTABLE, ["hook"], home.path, toolResult(cutCall("first")));
      const wholeMs = performance.now() - started;
      expectHonestAnswer(home.path, first.stdout, cutText("first"));
      const ids = new Set(citedIds(answeredText(first.stdout) ?? ""));
      const outcomes = { killed: 0, answered: 0 };

      const killOne = async (n: number): Promise<void> => {
        const log = readFileSync(logOf(home.path));
        // From the start to a little past the end, in steps that no run of runs falls in with.
        const after = ((n * 89) % KILLS) * ((1.2 * wholeMs) / KILLS);
        const { killed, stdout } = await run(
          EXECUTABLE,
          ["hook"],
          home.path,
          toolResult(cutCall(`n${n}`)),
          after,
        );
        if (killed) outcomes.killed++;
        expect(readFileSync(logOf(home.path)).subarray(0, log.length).equals(log)).toBe(true);
        expectHonestAnswer(home.path, stdout, cutText(`n${n}`));
        if (stdout.length > 0) outcomes.answered++;
      };
      for (let n = 0; n < KILLS; n += PARALLEL) {
        await Promise.all(Array.from({ length: PARALLEL }, (_, i) => killOne(n + i)));
      }
      expect(outcomes.killed).toBeGreaterThan(KILLS / 3);

      rowsOf(home.path);
      expectNothingHalf(home.path);
      for (const id of ids) expect(storeOf(home.path).load(id).status).toBe("ok");
      const last = await run(EXECUTABLE, ["hook"], home.path, toolResult(cutCall("last")));
      expect(last.code).toBe(0);
      expectHonestAnswer(home.path, last.stdout, cutText("last"));
      home.remove();
    },
    TIMEOUT_MS,
  );
});
