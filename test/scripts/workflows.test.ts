// SPDX-License-Identifier: Apache-2.0
// The workflows, as far as text shows it: every action pinned by commit, no more rights than a job needs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "../../.github/workflows");
const workflows = readdirSync(FOLDER).map(
  (name) => [name, readFileSync(join(FOLDER, name), "utf8")] as const,
);

describe.each(workflows)("%s", (_, text) => {
  it("is indented by pairs of blanks, without tabs", () => {
    expect(text).not.toContain("\t");
    // Inside a block of text any indentation goes.
    const lines = text.replace(/^( *)run: \|\n(?:\1 .*\n)+/gm, "").split("\n");
    expect(lines.filter((line) => (/^ */.exec(line)?.[0].length ?? 0) % 2 === 1)).toEqual([]);
  });

  it("pins every action by commit, and says the version", () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = ""]) => action);
    expect(uses.length).toBeGreaterThan(2);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may only read by default, and leaves no credentials in the work tree", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
    expect(text.match(/persist-credentials: false/g)).toHaveLength(checkouts.length);
  });

  it("puts nothing of a foreign event into a shell line", () => {
    for (const [line] of text.matchAll(/^ +(?:- )?run: .*$/gm)) expect(line).not.toContain("${{");
    expect(text).not.toMatch(/pull_request_target|github\.event\.|secrets\./);
  });

  it("ends every job in time", () => {
    const jobs = text.match(/^ {4}runs-on: /gm) ?? [];
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)).toHaveLength(jobs.length);
  });
});

it("names in the release every target that is built", async () => {
  const { TARGETS } = await import("../../scripts/release/targets.ts");
  const release = new Map(workflows).get("release.yml") ?? "";
  const started = [...release.matchAll(/\{ target: ([\w-]+),/g)].map(([, name]) => name);
  expect(started.sort()).toEqual(TARGETS.map(({ name }) => name).sort());
});
