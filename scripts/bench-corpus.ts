// SPDX-License-Identifier: Apache-2.0
// Runs a rules file over a folder of tool outputs (one folder a family) with the built executable, prints bytes in
// and out per family as a Markdown table, and checks the contract on each file: never larger, JSON stays JSON, what
// a marker cites comes back byte for byte, patches untouched, failing lines in view. Exit 1 where one fails.
//
//   node scripts/bench-corpus.ts DIR [--rules FILE] [--files]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFailingKinds, isJson, isPatch } from "./bench/corpus-checks.ts";
import { DIST, ROOT } from "./build/project.ts";

const OUTPUT_MAX_BYTES = 256 * 1024 * 1024;
/** Families whose outputs come from a shell; the rest come from MCP servers. */
const SHELL_FAMILIES = new Set(
  (
    "build-logs ci-logs csv docker encodings git grep-find-ls loghub ndjson-logs patches progress-bars " +
    "sql-tables stack-traces sys-cmds test-logs web-server-logs"
  ).split(" "),
);

/** Characters of a failing line that must be in view: of a longer one the middle may be cut. */
const LINE_HEAD = 120;

interface Result {
  readonly family: string;
  readonly file: string;
  readonly inBytes: number;
  readonly outBytes: number;
  /** Bytes that the lossless fields alone take. */
  readonly losslessBytes: number;
  /** Kinds of failing lines, and those of which no line is in view. */
  readonly kinds: number;
  readonly hidden: readonly string[];
  readonly faults: readonly string[];
}

function toolOf(family: string): string {
  if (family.startsWith("github")) return "mcp__github__x";
  if (family === "jira" || family === "confluence") return "mcp__atlassian__x";
  return SHELL_FAMILIES.has(family) ? "Bash" : "mcp__other__x";
}

/** The executable with a state folder of its own. */
function openExecutable(home: string, rules: object): (args: string[], stdin?: Uint8Array) => Buffer {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "rules.json"), JSON.stringify(rules));
  const env = { HOME: home, ISTHMOS_RULES: join(home, "rules.json"), ISTHMOS_BUDGET_MS: "60000" };
  return (args, stdin) => {
    const { status, stdout, stderr } = spawnSync(join(DIST, "isthmos"), args, {
      env,
      input: stdin ?? "",
      maxBuffer: OUTPUT_MAX_BYTES,
    });
    if (status !== 0) throw new Error(`isthmos ${args.join(" ")}: exit ${status}: ${stderr}`);
    return stdout;
  };
}

/** Only the fields that lose nothing: what `compact` and `dedup` take. */
function losslessOnly(rules: object[]): object[] {
  return rules.map((rule) => {
    const kept = Object.entries(rule).filter(([key]) =>
      ["tool", "compact", "dedup", "min_bytes", "pass"].includes(key),
    );
    return Object.fromEntries(kept);
  });
}

function measure(
  path: string,
  family: string,
  file: string,
  isthmos: ReturnType<typeof openExecutable>,
  lossless: ReturnType<typeof openExecutable>,
): Result {
  const original = readFileSync(path);
  const args = ["filter", "-tool", toolOf(family)];
  const out = isthmos(args, original);
  const text = original.toString("latin1");
  const outText = out.toString("latin1");
  const faults: string[] = [];
  if (out.length > original.length) faults.push("larger");
  if (isJson(original.toString()) && !isJson(out.toString())) faults.push("JSON in, no JSON out");
  if (isPatch(text) && !out.equals(original)) faults.push("a patch was changed");
  if (!out.equals(original) && out.length === original.length) faults.push("changed and not smaller");
  for (const [, id = ""] of new Set(outText.matchAll(/full: isthmos reveal ([0-9a-f]{16})\]/g))) {
    if (!isthmos(["reveal", id]).equals(original)) faults.push(`reveal ${id} differs from the original`);
    break;
  }
  const kinds = findFailingKinds(text);
  // `compact` takes white space out of JSON, which must not count as a line that is gone.
  const squeeze = (part: string): string => part.replace(/\s+/g, "");
  const view = squeeze(outText);
  const hidden = [...kinds]
    .filter(([, lines]) => !lines.some((line) => view.includes(squeeze(line).slice(0, LINE_HEAD))))
    .map(([kind]) => kind);
  return {
    family,
    file,
    inBytes: original.length,
    outBytes: out.length,
    losslessBytes: original.length - lossless(args, original).length,
    kinds: kinds.size,
    hidden,
    faults,
  };
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "0.0 %" : `${((100 * part) / whole).toFixed(1)} %`;
}

function sum(results: readonly Result[], of: (result: Result) => number): number {
  return results.reduce((total, result) => total + of(result), 0);
}

function rowOf(name: string, results: readonly Result[]): string {
  const inBytes = sum(results, (r) => r.inBytes);
  const outBytes = sum(results, (r) => r.outBytes);
  const lossless = sum(results, (r) => r.losslessBytes);
  const kinds = sum(results, (r) => r.kinds);
  const shown = kinds - sum(results, (r) => r.hidden.length);
  return `| ${[
    name,
    results.length,
    inBytes,
    outBytes,
    percent(inBytes - outBytes, inBytes),
    percent(lossless, inBytes),
    `${shown} of ${kinds}`,
  ].join(" | ")} |`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rules: { type: "string", default: join(ROOT, "rules.example.json") },
      files: { type: "boolean" },
    },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error("usage: node scripts/bench-corpus.ts DIR [--rules FILE] [--files]");
    process.exitCode = 2;
    return;
  }
  const { rules } = JSON.parse(readFileSync(values.rules, "utf8"));
  const home = mkdtempSync(join(tmpdir(), "isthmos-corpus-"));
  try {
    const isthmos = openExecutable(join(home, "all"), { mode: "live", rules });
    const lossless = openExecutable(join(home, "lossless"), { mode: "live", rules: losslessOnly(rules) });
    const results: Result[] = [];
    for (const family of readdirSync(folder).sort()) {
      if (!statSync(join(folder, family)).isDirectory()) continue;
      for (const file of readdirSync(join(folder, family)).sort()) {
        if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${family}/${file}`);
        results.push(measure(join(folder, family, file), family, file, isthmos, lossless));
      }
    }
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
    report(results, values.files === true);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function report(results: readonly Result[], files: boolean): void {
  console.log(
    "| family | files | bytes in | bytes out | saved | of it lossless | kinds of failing lines in view |",
  );
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  const shares: number[] = [];
  for (const [family, group] of Map.groupBy(results, (result) => result.family)) {
    console.log(rowOf(family, group));
    shares.push(1 - sum(group, (r) => r.outBytes) / sum(group, (r) => r.inBytes));
    if (files) for (const result of group) console.log(rowOf(`- ${result.file}`, [result]));
  }
  console.log(rowOf("all", results));
  console.log(`\nMedian over families: ${(100 * median(shares)).toFixed(1)} % saved.`);
  for (const { family, file, hidden } of results) {
    for (const kind of hidden) console.log(`not in view: ${family}/${file}: ${kind.slice(0, 160)}`);
  }
  for (const { family, file, faults } of results) {
    for (const fault of faults) {
      console.log(`FAULT: ${family}/${file}: ${fault}`);
      process.exitCode = 1;
    }
  }
}

main();
