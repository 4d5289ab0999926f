// SPDX-License-Identifier: Apache-2.0
// Every scenario: once without isthmos (the control), once with it on each route, then the checks. After them the
// groups: the way from init to uninstall for every set of starting files, mishaps, the plugin. One line each; what
// fails is shown in full. Exit code 1 if anything failed, 2 for wrong use.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkCall } from "./check-call.ts";
import { checkHome, type Outcome } from "./check-home.ts";
import { CLIENT_VERSION, installClient, OLD_CLIENT_VERSION } from "./client.ts";
import { type Delivered, readDelivered } from "./delivered.ts";
import { checkInstalls } from "./installs.ts";
import { checkMishaps } from "./mishaps.ts";
import { checkPlugin } from "./plugin-check.ts";
import { type Programs, type Route, type Run, runClient } from "./run-client.ts";
import { listCalls, type Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STARTING_FILES } from "./starting-files.ts";

/** What is played besides the scenarios. */
const GROUPS = ["installs", "old-client", "mishaps", "plugin"] as const;
const QUICK_STEP = 4;
const ROUTES = ["command", "resident"] as const satisfies readonly Route[];
const ROOT = resolve(import.meta.dirname, "../..");

interface Options {
  readonly client: string;
  readonly only: readonly string[];
  readonly routes: readonly string[];
  readonly keep: string | undefined;
  /** The server only where it differs from the command, and a few sets of starting files. */
  readonly quick: boolean;
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
    const clients = process.env.ISTHMOS_CLIENT_DIR || join(folder, "client");
    const client = installClient(clients, options.client);
    const scenariosFailed = await runScenarios(options, folder, { client, isthmos });
    const groupsFailed = await runGroups(options, folder, clients, { client, isthmos });
    if (scenariosFailed + groupsFailed > 0) console.log(`\n${scenariosFailed + groupsFailed} failed`);
    return scenariosFailed + groupsFailed > 0 ? 1 : 0;
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      client: { type: "string", default: CLIENT_VERSION },
      only: { type: "string", multiple: true, default: [] },
      route: { type: "string", multiple: true, default: [...ROUTES] },
      keep: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const names = [...SCENARIOS.map(({ name }) => name), ...GROUPS];
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TypeError(`no scenario ${unknown.join(", ")}: ${names.join(", ")}`);
  const unknownRoute = values.route.find((name) => !ROUTES.some((route) => route === name));
  if (unknownRoute !== undefined) throw new TypeError(`no route ${unknownRoute}: ${ROUTES.join(", ")}`);
  const { client, only, keep, quick } = values;
  return { client, only, routes: values.route, keep, quick };
}

async function runScenarios(
  { client, only, routes, keep, quick }: Options,
  folder: string,
  programs: Programs,
): Promise<number> {
  const chosen = SCENARIOS.filter(({ name }) => only.length === 0 || only.includes(name)).flatMap(
    (scenario) =>
      ROUTES.filter(
        (route) => routes.includes(route) && runsOn(scenario, route) && !(quick && isAlike(scenario, route)),
      ).map((route) => ({
        scenario,
        route,
      })),
  );
  const controls = new Map<unknown, Run>();
  let failed = 0;
  console.log(`client ${client}, ${chosen.length} runs`);
  for (const { scenario, route } of chosen) {
    const startedAt = performance.now();
    const path = join(folder, "run");
    const control = controls.get(scenario.scripts) ?? (await runClient(scenario, path, programs, "control"));
    controls.set(scenario.scripts, control);
    const live = await runClient(scenario, path, programs, route);
    const { faults, summary } = checkRun(scenario, control, live, programs.isthmos);
    faults.push(...live.leave());
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${faults.length === 0 ? "ok    " : "FAILED"} ${route.padEnd(8)} ${scenario.name.padEnd(12)} ${summary}, ${seconds} s`,
    );
    for (const fault of faults) console.log(`\n${fault}`);
    if (faults.length > 0) failed += 1;
    if (keep !== undefined) {
      const kept = join(folder, `${scenario.name}-${route}`);
      rmSync(kept, { recursive: true, force: true });
      renameSync(path, kept);
    }
  }
  return failed;
}

/** The groups that are asked for, all of them by default; answers how many of their parts failed. */
async function runGroups(
  { only, client, quick }: Options,
  folder: string,
  clients: string,
  programs: Programs,
): Promise<number> {
  let failed = 0;
  const path = join(folder, "run");
  const starts = STARTING_FILES.filter((_, i) => !quick || i % QUICK_STEP === 0);
  for (const group of GROUPS.filter((name) => only.length === 0 || only.includes(name))) {
    let startedAt = performance.now();
    const report = (name: string, faults: readonly string[]): void => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      startedAt = performance.now();
      console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${group.padEnd(10)} ${name}, ${seconds} s`);
      for (const fault of faults) console.log(`\n${fault}`);
      if (faults.length > 0) failed += 1;
    };
    switch (group) {
      case "installs":
        await checkInstalls({ ...programs, folder: path }, starts, report);
        break;
      case "old-client": {
        const old = installClient(`${clients}-${OLD_CLIENT_VERSION}`, OLD_CLIENT_VERSION);
        console.log(`client ${OLD_CLIENT_VERSION} after ${client}`);
        await checkInstalls({ ...programs, client: old, folder: path }, starts, report);
        break;
      }
      case "mishaps":
        await checkMishaps(programs, path, report);
        break;
      case "plugin":
        report("validate, and a session", await checkPlugin(programs, path));
    }
  }
  return failed;
}

/** A hook that is written as a shell command has no resident counterpart, and the server's tool no other. */
function runsOn({ shell, route }: Scenario, candidate: Route): boolean {
  return (route ?? candidate) === candidate && !(shell && candidate === "resident");
}

/** What the shapes and sizes of the other scenarios show of the server as well. */
function isAlike({ name }: Scenario, route: Route): boolean {
  return route === "resident" && ["builtin", "sizes", "disabled", "no-state", "broken-rules"].includes(name);
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
