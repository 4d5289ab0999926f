// SPDX-License-Identifier: Apache-2.0
// What a call costs beside Node's own floor: the same base binary, made into an executable by the same recipe,
// running an empty script. Both files are copied afresh into one folder, runs alternate, and the lower quartiles are
// compared, so that neither the place on the disk nor the load of the machine decides. Ratios only: the table goes
// to stdout, progress to stderr. First the executable as a command, then the resident server. `--runs N`, `--only TEXT`
// (rows whose name has it). Exit code 1 if a limit is passed.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Script } from "node:vm";
import { lowerQuartile, withRunMark } from "./bench/figures.ts";
import { addHistory, makeHome } from "./bench/homes.ts";
import { measureResident, measureSessions } from "./bench/measure-resident.ts";
import { makeResidentRows, type ServerOptions } from "./bench/resident.ts";
import { makeRows, type Row, RULES } from "./bench/rows.ts";
import { packExecutable } from "./build/executable.ts";
import { DIST, runStep } from "./build/project.ts";

/** Fewer give quartiles that move by more than the limits are apart. */
const RUNS = 60;
const TIME = "/usr/bin/time";
/** A busy machine must not turn a row into one that gives up. */
const BUDGET_MS = "60000";
/** Peak memory of the largest row, as a multiple of its payload. */
const MEMORY_LIMIT = 12;

interface Result {
  readonly row: Pick<Row, "name" | "payloadBytes" | "limit">;
  readonly ratio: number;
  /** Peak resident memory in MB; undefined where GNU time is missing. */
  readonly peakMb: number | undefined;
}

interface Bench {
  readonly folder: string;
  readonly executable: string;
  readonly floor: string;
  readonly runs: number;
}

async function makeBench(folder: string, runs: number): Promise<Bench> {
  const built = join(DIST, "isthmos");
  if (!existsSync(built)) throw new Error("dist/isthmos is missing: run npm run build");
  const bench = { folder, executable: join(folder, "isthmos"), floor: join(folder, "floor"), runs };
  const floor = join(folder, "floor-built");
  await packExecutable({ cli: "", program: "", mcp: "" }, floor, (source, cache) => {
    writeFileSync(cache, new Script(readFileSync(source, "latin1")).createCachedData());
  });
  copyFileSync(built, bench.executable);
  copyFileSync(floor, bench.floor);
  rmSync(floor);
  makeHome(join(folder, "fresh"), RULES);
  makeHome(join(folder, "used"), RULES);
  console.error("filling log, store and seen index");
  addHistory(join(folder, "used"));
  return bench;
}

function measureRow(bench: Bench, row: Row): Result {
  console.error(row.name);
  const home = join(bench.folder, row.history ? "used" : "fresh");
  const inputFile = join(bench.folder, "input");
  const writeInput = (run: number): void => {
    writeFileSync(inputFile, withRunMark(row.input, run));
  };
  writeInput(0);
  checkRow(bench, row, home, inputFile);
  const own: number[] = [];
  const floor: number[] = [];
  for (let run = 1; run <= bench.runs; run++) {
    writeInput(run);
    floor.push(timeRun(bench.floor, row.args, home, inputFile));
    own.push(timeRun(bench.executable, row.args, home, inputFile));
  }
  writeInput(bench.runs + 1);
  return {
    row,
    ratio: lowerQuartile(own) / lowerQuartile(floor),
    peakMb: measurePeak(bench, row, home, inputFile),
  };
}

// A row that does not do its work would look fast.
function checkRow({ executable }: Bench, row: Row, home: string, inputFile: string): void {
  const { stdout, status } = runOnce(executable, row.args, home, inputFile, "pipe");
  const answered = stdout !== null && stdout.length > 0 && stdout.length < row.payloadBytes + 4096;
  const changed = row.args[0] === "hook" ? answered : answered && stdout.includes("[isthmos: ");
  if (status !== 0 || changed !== (row.expect === "answered")) {
    throw new Error(`the row "${row.name}" did not do its work: expected it to be ${row.expect}`);
  }
}

function timeRun(executable: string, args: readonly string[], home: string, inputFile: string): number {
  const startedAt = process.hrtime.bigint();
  runOnce(executable, args, home, inputFile, "ignore");
  return Number(process.hrtime.bigint() - startedAt);
}

function runOnce(
  executable: string,
  args: readonly string[],
  home: string,
  inputFile: string,
  stdout: "pipe" | "ignore",
) {
  const stdin = openSync(inputFile, "r");
  try {
    return spawnSync(executable, args, {
      env: { HOME: home, ISTHMOS_BUDGET_MS: BUDGET_MS },
      stdio: [stdin, stdout, stdout],
      maxBuffer: Number.POSITIVE_INFINITY,
    });
  } finally {
    closeSync(stdin);
  }
}

function measurePeak({ executable }: Bench, row: Row, home: string, inputFile: string): number | undefined {
  if (!existsSync(TIME)) return undefined;
  const { stderr } = runOnce(TIME, ["-v", executable, ...row.args], home, inputFile, "pipe");
  const kilobytes = /Maximum resident set size \(kbytes\): (\d+)/.exec(stderr?.toString() ?? "")?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}

function serverOptions({ folder, executable }: Bench): ServerOptions {
  return { executable, folder, env: { HOME: join(folder, "fresh"), ISTHMOS_BUDGET_MS: BUDGET_MS } };
}

async function measureResidentRows(bench: Bench, hookRows: readonly Row[], only: string): Promise<Result[]> {
  const results: Result[] = [];
  const input = join(bench.folder, "input");
  writeFileSync(input, "");
  const timeFloor = () => timeRun(bench.floor, [], join(bench.folder, "fresh"), input);
  for (const row of makeResidentRows(hookRows).filter(({ name }) => name.includes(only))) {
    console.error(row.name);
    results.push(await measureResident(serverOptions(bench), row, bench.runs, timeFloor));
  }
  return results;
}

function formatTable(results: readonly Result[]): string {
  const lines = [
    "| call | payload, bytes | ratio to the floor | limit | peak memory, MB |",
    "|---|--:|--:|--:|--:|",
  ];
  for (const { row, ratio, peakMb } of results) {
    const cells = [
      row.name,
      row.payloadBytes,
      formatRatio(ratio),
      row.limit ?? "",
      peakMb?.toFixed(0) ?? "?",
    ];
    lines.push(`| ${cells.join(" | ")} |`);
  }
  return lines.join("\n");
}

function formatRatio(ratio: number): string {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}

function findExcess(results: readonly Result[]): string[] {
  return results
    .filter(({ row, ratio }) => ratio > (row.limit ?? Number.POSITIVE_INFINITY))
    .map(({ row, ratio }) => `${row.name}: ${ratio.toFixed(3)} times the floor`);
}

function findMemoryExcess(results: readonly Result[]): string[] {
  const excess: string[] = [];
  const largest = results.toSorted((a, b) => b.row.payloadBytes - a.row.payloadBytes)[0];
  if (largest?.peakMb !== undefined) {
    const times = (largest.peakMb * 1e6) / largest.row.payloadBytes;
    if (times > MEMORY_LIMIT)
      excess.push(`${largest.row.name}: memory is ${times.toFixed(1)} times the payload`);
  }
  return excess;
}

await runStep(async () => {
  const { values } = parseArgs({
    options: { runs: { type: "string", default: String(RUNS) }, only: { type: "string", default: "" } },
  });
  const folder = mkdtempSync(join(tmpdir(), "isthmos-bench-"));
  try {
    const bench = await makeBench(folder, Number(values.runs));
    const rows = makeRows();
    const results = rows
      .filter(({ name }) => name.includes(values.only))
      .map((row) => measureRow(bench, row));
    const excess = findMemoryExcess(results);
    results.push(...(await measureResidentRows(bench, rows, values.only)));
    console.log(formatTable(results));
    excess.push(...findExcess(results));
    if ("resident: sessions".includes(values.only)) {
      console.log("");
      excess.push(...(await measureSessions(serverOptions(bench), rows, console.log)));
    }
    if (excess.length > 0) throw new Error(`above the limit:\n  ${excess.join("\n  ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
