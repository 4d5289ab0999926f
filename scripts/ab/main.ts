// SPDX-License-Identifier: Apache-2.0
// The same tasks with isthmos off and on, compared from Claude Code's transcripts; calls no model and writes nothing.
// docs/ab.md is the protocol. Exit codes: 0 compared, 1 cannot be compared, 2 wrong use.
//
//   node scripts/ab/main.ts --off DIR… --on DIR… [--tasks FILE] [--outcomes FILE] [--plan FILE]
//                           [--allow-unequal] [--json]
import { parseArgs } from "node:util";
import { cleanName } from "../../src/report.ts";
import { compareSets, type Options } from "./compare-sets.ts";

const LINE_MAX_BYTES = 2000;

class UsageError extends Error {}

function readOptions(args: string[]): Options {
  const { values, tokens } = parse(args);
  const off: string[] = [];
  const on: string[] = [];
  const folders = { off, on };
  let current: string[] | undefined;
  for (const token of tokens) {
    if (token.kind === "option") {
      current = token.name === "off" || token.name === "on" ? folders[token.name] : undefined;
      if (current !== undefined && token.value !== undefined) current.push(token.value);
    } else if (token.kind === "positional") {
      if (current === undefined) throw new UsageError(`"${token.value}" belongs to no option`);
      current.push(token.value);
    }
  }
  if (off.length === 0 || on.length === 0) throw new UsageError("both --off and --on need a folder");
  const { tasks, outcomes, plan, json = false, "allow-unequal": allowUnequal = false } = values;
  return {
    off,
    on,
    json,
    allowUnequal,
    ...(tasks !== undefined && { tasks }),
    ...(outcomes !== undefined && { outcomes }),
    ...(plan !== undefined && { plan }),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      tokens: true,
      options: {
        off: { type: "string", multiple: true },
        on: { type: "string", multiple: true },
        tasks: { type: "string" },
        outcomes: { type: "string" },
        plan: { type: "string" },
        "allow-unequal": { type: "boolean" },
        json: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

try {
  console.log(compareSets(readOptions(process.argv.slice(2))));
} catch (error) {
  // It may hold names of folders and what stands in files.
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  console.error(`isthmos: error: ${lines.map((line) => cleanName(line, LINE_MAX_BYTES)).join("\n")}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
  if (error instanceof UsageError) console.error("isthmos: hint: docs/ab.md shows the options");
}
