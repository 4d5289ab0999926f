// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareSets, type Options } from "../../../scripts/ab/compare-sets.ts";
import { type FakeReply, makeRows, writeTranscript } from "../../support/transcripts.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isthmos-ab-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const TASKS = Array.from({ length: 10 }, (_, i) => `task-${i}`);

function addRun(
  set: "off" | "on",
  task: string,
  tokens: number,
  more: Partial<FakeReply> = {},
  run = "",
): void {
  const name = `${set}-${task}${run}`;
  writeTranscript(
    join(dir, set),
    `${task}/${name}.jsonl`,
    makeRows(name, [{ usage: [tokens, 0, 0, 1], ...more }]),
  );
}

/** The same ten tasks in both sets, 1000 tokens off and 900 to 909 on. */
function addEqualSets(): void {
  for (const [i, task] of TASKS.entries()) {
    addRun("off", task, 1000);
    addRun("on", task, 900 + i);
  }
}

function write(name: string, value: unknown): string {
  writeFileSync(join(dir, name), typeof value === "string" ? value : JSON.stringify(value));
  return join(dir, name);
}

function compare(more: Partial<Options> = {}): string {
  return compareSets({
    off: [join(dir, "off")],
    on: [join(dir, "on")],
    allowUnequal: false,
    json: false,
    ...more,
  });
}

/** The report's JSON; its shape is what these tests check. */
const compareAsJson = (more: Partial<Options> = {}) => JSON.parse(compare({ ...more, json: true }));

describe("two equal sets", () => {
  beforeEach(addEqualSets);

  it("give known differences", () => {
    const { enough, metrics, tasks, outcomes } = compareAsJson();
    expect(enough).toBe(true);
    expect(outcomes).toBe(null);
    expect(tasks).toHaveLength(10);
    expect(metrics[0]).toMatchObject({
      metric: "all_input_tokens",
      off: 1000,
      on: 904.5,
      difference: { mean: { value: -95.5 }, median: { value: -95.5 }, less: 10, equal: 0, more: 0 },
    });
    expect(metrics[0].difference.change.value).toBeCloseTo(-0.0955, 12);
    expect(metrics[0].difference.mean.interval.high).toBeLessThan(-90);
  });

  it("give a table that says what is clear and what is not", () => {
    const report = compare();
    expect(report).toMatch(/^Protocol 1, 10 tasks in pairs, 20 runs; no plan was given\.$/m);
    expect(report).toMatch(
      /^\| \*\*all input tokens\*\* \| 1,000 \| 904\.5 \| -95\.5 \[.*\| 10 \/ 0 \/ 0 \| less \|$/m,
    );
    expect(report).toMatch(
      /^\| reveals \| 0 \| 0 \| 0 \[0, 0\] \| +\| 0 \[0, 0\] \| 0 \/ 10 \/ 0 \| not clear \|$/m,
    );
    expect(report).toMatch(/^\| task-3 \| 1 \/ 1 \| 1,000 \| 903 \| -97 \|/m);
    expect(report).toContain("- isthmos changed nothing in 10 of 10 runs of set on");
    expect(report).toBe(compare());
  });

  it("with one task less are not enough for an interval", () => {
    for (const set of ["off", "on"]) rmSync(join(dir, set, "task-9"), { recursive: true });
    const report = compare();
    expect(report).toContain("**Not enough runs**: 9 tasks in pairs, 10 are the least");
    expect(report).not.toMatch(/\[-?\d/);
    expect(compareAsJson().enough).toBe(false);
  });

  it("count a task with several runs once, by its mean", () => {
    addRun("off", "task-0", 2000, {}, "-again");
    addRun("on", "task-0", 1100, {}, "-again");
    const { metrics } = compareAsJson();
    expect(metrics[0]).toMatchObject({ off: 1050, on: 914.5 });
  });

  it("say where models differ, and which replies have no count", () => {
    addRun("off", "task-0", 1000);
    addRun("on", "task-0", 900, { model: "claude-test-2" });
    addRun("on", "task-1", 900, { usage: null });
    const report = compare();
    expect(report).toContain("- **models differ**: off claude-test-1; on claude-test-1, claude-test-2");
    expect(report).toContain("- **set on: 1 replies without token counts**, in runs on-task-1");
  });

  it("say what was left out of the sums", () => {
    writeTranscript(join(dir, "on"), "task-0/empty.jsonl", []);
    writeFileSync(join(dir, "on/task-0/broken.jsonl"), "{");
    const report = compare();
    expect(report).toContain("- set on: 1 lines could not be read and are in no sum");
    expect(report).toContain("- set on: 2 sessions without a reply are left out");
  });
});

describe("unequal sets are refused", () => {
  beforeEach(addEqualSets);

  it.each<[string, () => void, RegExp]>([
    ["a task only on", () => addRun("on", "task-x", 1), /task task-x is only in set on/],
    ["a task only off", () => addRun("off", "task-x", 1), /task task-x is only in set off/],
    [
      "more runs of a task",
      () => addRun("on", "task-3", 1, {}, "-again"),
      /task task-3 has 1 runs off and 2 on/,
    ],
  ])("%s", (_, spoil, words) => {
    spoil();
    expect(() => compare()).toThrow(words);
    expect(() => compare()).toThrow(/--allow-unequal/);
    const report = compare({ allowUnequal: true });
    expect(report).toContain("10 tasks in pairs");
    expect(report).toMatch(new RegExp(`^- \\*\\*not equal\\*\\*: ${words.source}$`, "m"));
  });

  it("names every reason", () => {
    addRun("on", "task-x", 1);
    addRun("off", "task-y", 1);
    expect(() => compare()).toThrow(/task-x is only in set on\n {2}task task-y is only in set off/);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "the same session on both sides",
      () =>
        writeTranscript(
          join(dir, "on"),
          "task-0/on-task-0.jsonl",
          makeRows("off-task-0", [{ usage: [1, 1, 1, 1] }]),
        ),
      /run on-task-0 of set on shares rows with run off-task-0 of set off/,
    ],
    [
      "two tasks that began as one session",
      () =>
        writeTranscript(
          join(dir, "on"),
          "task-1/on-task-1.jsonl",
          makeRows("on-task-0", [{ usage: [1, 1, 1, 1] }]),
        ),
      /set on: tasks task-0 and task-1 share rows/,
    ],
    [
      "isthmos at work in set off",
      () => {
        const call = { tool: "Bash", input: { command: "ls" }, result: "x", rewrittenBy: "isthmos hook" };
        addRun("off", "task-0", 1000, { calls: [call] });
      },
      /set off: isthmos changed 1 results of run off-task-0/,
    ],
  ])("%s, always", (_, spoil, words) => {
    spoil();
    expect(() => compare({ allowUnequal: true })).toThrow(words);
  });

  it("no task in both", () => {
    rmSync(join(dir, "on"), { recursive: true });
    addRun("on", "another", 1);
    expect(() => compare({ allowUnequal: true })).toThrow(/no task has runs in both sets/);
  });
});

describe("the file of tasks", () => {
  it("names tasks by session or by folder; a session's own entry wins, null leaves out", () => {
    addRun("off", "x", 1000);
    addRun("off", "x", 5, {}, "-warm-up");
    addRun("on", "y", 900);
    const tasks = write("tasks.json", { x: "the task", "on-y": "the task", "off-x-warm-up": null });
    const report = compare({ tasks });
    expect(report).toMatch(/^\| the task \| 1 \/ 1 \| 1,000 \| 900 \| -100 \|/m);
    expect(report).toContain("- left out by the file of tasks: run off-x-warm-up");
  });

  it.each([
    [{ x: "t" }, /set on: run on-y has no task in the file of tasks/],
    [{ x: "t", y: "t", z: "t" }, /the file of tasks names z, which is no run here/],
    [{ x: 1 }, /tasks\.json: "x" must be the name of a task, or null/],
    [{ x: "" }, /must be the name of a task, or null/],
    ["[]", /tasks\.json must be a JSON object/],
    ["{", /tasks\.json is not JSON/],
  ])("%j is refused", (content, words) => {
    addRun("off", "x", 1000);
    addRun("on", "y", 900);
    const tasks = write("tasks.json", content);
    expect(() => compare({ tasks })).toThrow(words);
  });
});

describe("outcomes", () => {
  beforeEach(addEqualSets);
  const all = (outcome: string) => Object.fromEntries(TASKS.map((task) => [task, outcome]));

  it("give shares with Wilson's interval, the paired difference and the exact test", () => {
    const on = { ...all("pass"), "task-0": "fail" };
    const off = { ...all("pass"), "task-1": "fail", "task-2": "fail", "task-0": "fail" };
    const outcomes = write("outcomes.json", { off, on });
    const { outcomes: compared } = compareAsJson({ outcomes });
    expect(compared.off).toMatchObject({ passed: 7, runs: 10 });
    expect(compared.off.interval.low).toBeCloseTo(0.3968, 4);
    expect(compared.on).toMatchObject({ passed: 9, runs: 10 });
    expect(compared.difference.mean.value).toBeCloseTo(0.2, 12);
    expect(compared.discordant).toEqual({ onlyOff: 0, onlyOn: 2, p: 0.5 });
    const report = compare({ outcomes });
    expect(report).toContain("| on | 9 of 10 | 90.0 % | 59.6 % to 98.2 % |");
    expect(report).toContain("Passed only off: 0, only on: 2; exact McNemar test p = 0.50.");
  });

  it("of several runs are named by session, and have no exact test", () => {
    addRun("off", "task-0", 1, {}, "-b");
    addRun("on", "task-0", 1, {}, "-b");
    const { "task-0": _, ...others } = all("pass");
    const outcomes = write("outcomes.json", {
      off: { ...others, "off-task-0": "pass", "off-task-0-b": "fail" },
      on: { ...others, "on-task-0": "pass", "on-task-0-b": "pass" },
    });
    const { outcomes: compared } = compareAsJson({ outcomes });
    expect(compared.off).toMatchObject({ passed: 10, runs: 11 });
    expect(compared.difference.mean.value).toBeCloseTo(0.05, 12);
    expect(compared.discordant).toBe(undefined);
  });

  it.each<[string, unknown, RegExp]>([
    [
      "one missing",
      { off: all("pass"), on: { ...all("pass"), "task-4": undefined } },
      /set on: run on-task-4 of task-4 has no outcome/,
    ],
    [
      "one too many",
      { off: { ...all("pass"), x: "pass" }, on: all("pass") },
      /set off: the file of outcomes names x, which is no run here/,
    ],
    [
      "two of a run",
      { off: { ...all("pass"), "off-task-0": "fail" }, on: all("pass") },
      /run off-task-0 of task-0 has two outcomes/,
    ],
    ["another word", { off: { x: "ok" }, on: {} }, /"x" in "off" must be "pass" or "fail"/],
    ["a set missing", { off: {} }, /"on" must be an object/],
  ])("%s: refused", (_, content, words) => {
    const outcomes = write("outcomes.json", content);
    expect(() => compare({ outcomes })).toThrow(words);
  });
});

describe("the plan", () => {
  beforeEach(addEqualSets);
  const PLAN = { protocol: 1, tasks: TASKS, runs: 1 };

  it("is named by its hash", () => {
    expect(compare({ plan: write("plan.json", PLAN) })).toMatch(/; plan [0-9a-f]{64}\.$/m);
  });

  it.each<[unknown, RegExp]>([
    [{ ...PLAN, tasks: [...TASKS, "later"] }, /task later of the plan has no run/],
    [{ ...PLAN, tasks: TASKS.slice(1) }, /task task-0 is not in the plan/],
    [{ ...PLAN, runs: 2 }, /task task-0 has 1 runs a set, planned were 2/],
    [{ ...PLAN, protocol: 2 }, /"protocol" must be 1/],
    [{ ...PLAN, runs: 0 }, /"runs" must be a whole number from 1/],
    [{ ...PLAN, tasks: ["a", "a"] }, /"tasks" must be a list of names, each once/],
    [{ ...PLAN, tasks: [] }, /"tasks" must be a list of names, each once/],
  ])("%j is refused", (content, words) => {
    const plan = write("plan.json", content);
    expect(() => compare({ plan })).toThrow(words);
  });
});

it("a name from outside breaks no table and reaches no terminal raw", () => {
  addRun("off", "a|b\u001b[31m", 1);
  addRun("on", "a|b\u001b[31m", 1);
  const report = compare();
  expect(report).toContain("| a\\|b");
  expect(report).not.toContain("\u001b");
});
