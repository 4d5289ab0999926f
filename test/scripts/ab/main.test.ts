// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeRows, writeTranscript } from "../../support/transcripts.ts";

const MAIN = join(import.meta.dirname, "../../../scripts/ab/main.ts");
let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "isthmos-ab-"));
  for (const [set, task] of [
    ["off/1", "a"],
    ["off/2", "b"],
    ["on", "a"],
    ["on", "b"],
  ] as const)
    writeTranscript(
      join(dir, set),
      `${task}/${set[1]}${task}.jsonl`,
      makeRows(`${set}${task}`, [{ usage: [1, 2, 3, 4] }]),
    );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: dir,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

it("takes several folders after an option", () => {
  const { status, stdout, stderr } = run("--off", "off/1", "off/2", "--on", "on", "--json");
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(JSON.parse(stdout).tasks.map(({ task }: { task: string }) => task)).toEqual(["a", "b"]);
});

it.each([
  [1, ["--off", "off/1", "--on", "on"], /error: the sets are not equal .*:\n {2}task b is only in set on/],
  [1, ["--off", "none", "--on", "on"], /error: no folder at none\n$/],
  [1, ["--off", "no\u001b[31mne", "--on", "on"], /error: no folder at no\\(?:x|u00)1b\[31mne\n$/],
  [1, ["--off", "on", "--on", "on"], /error: the sets cannot be compared:\n {2}run na of set on shares rows/],
  [2, ["--off", "off/1"], /error: both --off and --on need a folder\n/],
  [2, ["off/1", "--on", "on"], /error: "off\/1" belongs to no option\n/],
  [2, ["--of", "off/1"], /error: Unknown option '--of'/],
])("exit %i for %j", (code, args, words) => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toMatch(words);
  expect([status, stdout]).toEqual([code, ""]);
});
