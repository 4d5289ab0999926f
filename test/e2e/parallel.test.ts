// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHealth } from "../../src/health.ts";
import { readRows } from "../../src/measure/log.ts";
import { openStore, STORE_DEFAULTS } from "../../src/store/vault.ts";
import { answeredText, citedIds, toolResult } from "../support/events.ts";
import { EXECUTABLE, EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const HOOKS = 200;
/** That many start together, on a folder that holds nothing yet; the others in smaller waves, to spare the machine. */
const FIRST_WAVE = 32;
const WAVE = 16;
/** A quarter of a minute on an idle machine. */
const TIMEOUT_MS = 900_000;

const textOf = (n: number): string =>
  Array.from(
    { length: 150 },
    (_, line) => `call ${n}: compiled src/part-${line}.ts in ${(line * n) % 89} ms\n`,
  ).join("");

describe.skipIf(EXECUTABLE_MISSING)("200 hooks at a time on one fresh folder", () => {
  let home: Home;
  const answers = new Map<number, Buffer>();
  const codes = new Set<unknown>();
  let complaints = "";

  async function runWave(numbers: readonly number[]): Promise<void> {
    const children = numbers.map((n) => {
      const child = spawn(EXECUTABLE, ["hook"], { env: { HOME: home.path, ISTHMOS_BUDGET_MS: "60000" } });
      const chunks: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => {
        complaints += chunk.toString();
      });
      const ended = once(child, "close").then(([code]) => {
        codes.add(code);
        answers.set(n, Buffer.concat(chunks));
      });
      return { n, child, ended };
    });
    // All run and wait for their input before the first gets one.
    await Promise.all(children.map(({ child }) => once(child, "spawn")));
    for (const { n, child } of children) child.stdin.end(toolResult({ useId: `use-${n}`, text: textOf(n) }));
    await Promise.all(children.map(({ ended }) => ended));
  }

  beforeAll(async () => {
    home = makeHome([{ tool: "Bash", max_lines: 20 }]);
    const all = Array.from({ length: HOOKS }, (_, n) => n);
    await runWave(all.slice(0, FIRST_WAVE));
    for (let n = FIRST_WAVE; n < HOOKS; n += WAVE) await runWave(all.slice(n, n + WAVE));
  }, TIMEOUT_MS);
  afterAll(() => home.remove());

  it("C1: all end well and say nothing", () => {
    expect([...codes]).toEqual([0]);
    expect(complaints).toBe("");
    expect(readHealth(home.stateDir)).toEqual([]);
  });

  it("C14: each has its row", () => {
    const reader = readRows({ stateDir: home.stateDir });
    const calls = [...reader].map((row) => (row.kind === "call" ? row.call : undefined));
    expect(calls).toHaveLength(HOOKS);
    expect(new Set(calls).size).toBe(HOOKS);
    expect(reader.skipped).toBe(0);
  });

  it("C6: each marker's id gives its original back", () => {
    const store = openStore({
      ...STORE_DEFAULTS,
      stateDir: home.stateDir,
      keyFile: join(home.path, ".local/share/isthmos/store.key"),
    });
    for (let n = 0; n < HOOKS; n++) {
      const text = answeredText(answers.get(n) ?? Buffer.alloc(0)) ?? "";
      const [id = "", ...more] = citedIds(text);
      expect(more).toEqual([]);
      const loaded = store.load(id);
      expect(loaded.status === "ok" && Buffer.from(loaded.bytes).toString()).toBe(textOf(n));
    }
    expect(store.unreadable()).toBe(0);
    expect(store.stats()).toMatchObject({ entries: HOOKS });
  });

  it("C6: the command gives them back, too", () => {
    for (const n of [0, FIRST_WAVE - 1, HOOKS - 1]) {
      const [id = ""] = citedIds(answeredText(answers.get(n) ?? Buffer.alloc(0)) ?? "");
      expect(home.run({ args: ["reveal", id] })).toMatchObject({
        code: 0,
        stdout: Buffer.from(textOf(n)),
        stderr: "",
      });
    }
  });

  it("C13: nothing half-made is left, and all of it is private", () => {
    const local = join(home.path, ".local");
    const paths = readdirSync(local, { recursive: true }).map(String);
    expect(paths.filter((path) => /tmp|\.out$|lock/.test(path))).toEqual([]);
    expect(paths.filter((path) => path.endsWith("store.key"))).toHaveLength(1);
    expect(readFileSync(join(local, "share/isthmos/store.key"))).toHaveLength(32);
    for (const path of paths.filter((name) => name.includes("isthmos"))) {
      expect([path, statSync(join(local, path)).mode & 0o077]).toEqual([path, 0]);
    }
  });
});
