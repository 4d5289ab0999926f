// SPDX-License-Identifier: Apache-2.0
// Every scenario: once without isthmos (the control), once with it, then the checks. One line a scenario; a call
// that fails is shown in full. Exit code 1 if anything failed, 2 for wrong use.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkCall } from "./check-call.ts";
import { checkHome, type Outcome } from "./check-home.ts";
import { installClient } from "./client.ts";
import { type Delivered, readDelivered } from "./delivered.ts";
import { type Programs, type Run, runClient } from "./run-client.ts";
import { listCalls, type Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const CLIENT_VERSION = "2.1.332";
const ROOT = resolve(import.meta.dirname, "../..");

interface Options {
  readonly client: string;
  readonly only: readonly string[];
  readonly keep: string | undefined;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (process.platform !== "linux" || process.arch !== "x64") {
    console.error(`e2e-claude-code: skipped: there is no client for ${process.platform}-${process.arch}`);
    return process.env.CI === "true" ? 1 : 0;
  }
  const folder =
    options.keep === undefined ? mkdtempSync(join(tmpdir(), "isthmos-e2e-")) : resolve(options.keep);
  mkdirSync(folder, { recursive: true });
  try {
    const isthmos = resolve(process.env.ISTHMOS_BIN || join(ROOT, "dist/isthmos"));
    if (!existsSync(isthmos))
      execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: "inherit" });
    const client = installClient(process.env.ISTHMOS_CLIENT_DIR || join(folder, "client"), options.client);
    return await runScenarios(options, folder, { client, isthmos });
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      client: { type: "string", default: CLIENT_VERSION },
      only: { type: "string", multiple: true, default: [] },
      keep: { type: "string" },
    },
  });
  const unknown = values.only.filter((name) => SCENARIOS.every((scenario) => scenario.name !== name));
  if (unknown.length > 0) throw new TypeError(`no scenario ${unknown.join(", ")}`);
  return { client: values.client, only: values.only, keep: values.keep };
}

async function runScenarios(
  { client, only, keep }: Options,
  folder: string,
  programs: Programs,
): Promise<number> {
  const chosen = SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name));
  const controls = new Map<unknown, Run>();
  let failed = 0;
  console.log(`client ${client}, ${chosen.length} scenarios`);
  for (const scenario of chosen) {
    const startedAt = performance.now();
    const path = join(folder, "run");
    const control = controls.get(scenario.scripts) ?? (await runClient(scenario, path, programs, false));
    controls.set(scenario.scripts, control);
    const live = await runClient(scenario, path, programs, true);
    const { faults, summary } = checkRun(scenario, control, live, programs.isthmos);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${faults.length === 0 ? "ok    " : "FAILED"} ${scenario.name.padEnd(12)} ${summary}, ${seconds} s`,
    );
    for (const fault of faults) console.log(`\n${fault}`);
    if (faults.length > 0) failed += 1;
    if (keep !== undefined) {
      const kept = join(folder, scenario.name);
      rmSync(kept, { recursive: true, force: true });
      renameSync(path, kept);
    }
  }
  if (failed > 0) console.log(`\n${failed} of ${chosen.length} scenarios failed`);
  return failed > 0 ? 1 : 0;
}

function checkRun(
  scenario: Scenario,
  control: Run,
  live: Run,
  program: string,
): { faults: string[]; summary: string } {
  const faults = [...control.faults.map((fault) => `without isthmos: ${fault}`), ...live.faults];
  const outcomes: Outcome[] = [];
  for (const placed of listCalls(scenario)) {
    const [before, after] = [control.results.get(placed.id), live.results.get(placed.id)];
    if (before === undefined || after === undefined)
      faults.push(`${placed.key}: ${placed.call.tool} was never answered`);
    else outcomes.push({ ...placed, control: readDelivered(before), live: readDelivered(after) });
  }
  const of = (key: string) => outcomes.find((outcome) => outcome.key === key)?.control;
  let references = 0;
  for (const outcome of outcomes) {
    const checked = checkCall(outcome.call, outcome.control, outcome.live, of);
    if (checked.isReference) references += 1;
    if (checked.faults.length > 0) faults.push(describeFault(outcome, checked.faults));
  }
  if (references < (scenario.references ?? 0))
    faults.push(`${references} references, ${scenario.references} expected`);
  faults.push(...checkHome(scenario, outcomes, { program, env: live.env }));

  const sizes = (pick: (outcome: Outcome) => Delivered) =>
    outcomes.reduce(
      (sum, outcome) =>
        sum +
        Buffer.byteLength(
          pick(outcome)
            .parts.map(({ raw }) => raw)
            .join(""),
        ),
      0,
    );
  const [before, after] = [sizes(({ control }) => control), sizes(({ live }) => live)];
  const changed = outcomes.filter(
    ({ control, live }) => JSON.stringify(control) !== JSON.stringify(live),
  ).length;
  const notes = references > 0 ? `, ${references} references` : "";
  return {
    faults,
    summary: `${outcomes.length} calls, ${changed} changed${notes}, ${before} → ${after} bytes`,
  };
}

function describeFault({ call, key, control, live }: Outcome, faults: readonly string[]): string {
  const show = ({ parts }: Delivered) => parts.map(({ text }) => text).join("\n--- next block\n");
  return [
    `${key}: ${call.tool} ${JSON.stringify(call.input)}, expected: ${JSON.stringify(call.expect)}`,
    ...faults.slice(0, 10).map((fault) => `  ${fault}`),
    `--- without isthmos\n${show(control)}`,
    `--- with isthmos\n${show(live)}`,
    "---",
  ].join("\n");
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`e2e-claude-code: error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
}
