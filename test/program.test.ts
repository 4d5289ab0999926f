// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnv } from "../src/env.ts";
import { runProgram } from "../src/program.ts";
import { captureIo } from "./support/io.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-program-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...argv: string[]) {
  const io = captureIo();
  const code = await runProgram(
    argv,
    readEnv({ HOME: home }, () => home),
    io,
  );
  return { code, out: io.written() };
}

describe("runProgram", () => {
  it.each([
    [
      ["--help"],
      /Commands:[\s\S]*hook[\s\S]*filter[\s\S]*reveal[\s\S]*stats[\s\S]*doctor[\s\S]*rules[\s\S]*config[\s\S]*version/,
    ],
    [["help"], /Usage: isthmos/],
    [["reveal", "--help"], /--lines <range>/],
    [["filter", "-h"], /--tool <name>/],
    [["version"], /^\d+\.\d+\.\d+/],
    [["--version"], /^\d+\.\d+\.\d+/],
    [["config"], /^mode +live {2}\(default\)$/m],
  ])("answers %j on stdout with exit code 0", async (argv, expected) => {
    const { code, out } = await run(...argv);
    expect(out).toMatch(expected);
    expect(code).toBe(0);
  });

  it.each([
    ["an unknown command", ["nope"]],
    ["an unknown flag", ["stats", "--nope"]],
    ["a flag without its value", ["stats", "-since"]],
    ["a duration that is none", ["stats", "-since", "soon"]],
    ["a range that is none", ["reveal", "00000000000000aa", "--lines", "x"]],
    ["a reversed range", ["reveal", "00000000000000aa", "--bytes", "9:3"]],
    ["two ranges", ["reveal", "00000000000000aa", "--lines", "1:2", "--bytes", "1:2"]],
    ["no id", ["reveal"]],
    ["too many arguments", ["version", "now"]],
    ["rules without a command", ["rules"]],
  ])("answers exit code 2 and nothing on stdout for %s", async (_, argv) => {
    expect(await run(...argv)).toEqual({ code: 2, out: "" });
  });

  it.each([
    [["reveal", "00000000000000aa"]],
    [["stats", "-file", "/nope/measure.jsonl"]],
    [["rules", "check", "/nope/rules.json"]],
  ])("answers exit code 1 where %j fails", async (argv) => {
    expect((await run(...argv)).code).toBe(1);
  });
});
