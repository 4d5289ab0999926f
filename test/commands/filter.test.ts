// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readHealth } from "../../src/health.ts";

const CLI = join(import.meta.dirname, "../../src/cli.ts");

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-stdin-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function run(command: string, stdin: number | "ignore") {
  const options = { env: { HOME: home }, stdio: [stdin, "pipe", "pipe"] as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, command], {
    ...options,
    stdio: [...options.stdio],
    encoding: "utf8",
  });
  return {
    status,
    stdout,
    stderr,
    codes: readHealth(join(home, ".local/state/isthmos")).map((row) => row.code),
  };
}

it.each(["filter", "hook"])("C1: %s: a stdin that cannot be read gets one line and a code", (command) => {
  expect(run(command, openSync(home, "r"))).toEqual({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^isthmos: error: .*could not be read from stdin \(EISDIR\)[^\n]*\n$/),
    codes: ["input_unreadable"],
  });
});

it("filter: an empty stdin is an empty output, and no failure", () => {
  expect(run("filter", "ignore")).toEqual({ status: 0, stdout: "", stderr: "", codes: [] });
});
