// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeCopy, nameCopy, removeCopies, splitCopies, sweepTemps } from "../../src/install/copies.ts";
import { ChangedError } from "../../src/install/install-error.ts";
import { readTarget } from "../../src/install/target.ts";
import { Undo } from "../../src/install/undo.ts";

const NOW = new Date("2026-11-30T23:15:00.123Z");
const NAME = "s.json.isthmos-20261130T231500Z.bak";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "copies ")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text = ""): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

it("a copy gets a name that nothing has, and never replaces anything", () => {
  const target = readTarget(put("s.json", "{}"));
  const copy = nameCopy(target, NOW);
  expect(copy).toBe(join(folder, NAME));
  makeCopy(copy, target);
  expect(readFileSync(copy, "utf8")).toBe("{}");
  expect(nameCopy(target, NOW)).toBe(join(folder, NAME.replace("Z.", "Z-2.")));
  expect(() => makeCopy(copy, target)).toThrow(ChangedError);
  expect(readFileSync(copy, "utf8")).toBe("{}");
});

it.each([
  ["the same bytes", '{"a":1}', false, "spare"],
  ["other bytes", '{"a":2}', false, "stay"],
  ["more bytes", '{"a":1}\n', true, "stay"],
  ["the beginning, where the end is exact", '{"a"', true, "spare"],
  ["the beginning, where it is not", '{"a"', false, "stay"],
  ["nothing, where the end is exact", "", true, "spare"],
  ["nothing, where it is not", "", false, "stay"],
] as const)("a copy of %s", (_, text, isExact, expected) => {
  const target = readTarget(put("s.json", '{"a":1}'));
  const copy = put(NAME, text);
  put("s.json.bak", '{"a":1}');
  put(`x${NAME}`, '{"a":1}');
  for (const recorded of [[], [copy]]) {
    const both = splitCopies(target, recorded, target.bytes, isExact);
    expect(both).toEqual({ stay: [], spare: [], [expected]: [copy] });
  }
});

it("a copy that is not there is neither", () =>
  expect(splitCopies(readTarget(join(folder, "s.json")), [join(folder, NAME)], undefined, true)).toEqual({
    stay: [],
    spare: [],
  }));

it("removing copies can be taken back", () => {
  const undo = new Undo();
  const copy = put(NAME, "{}");
  expect(removeCopies([copy], undo)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  expect(undo.run()).toBe(true);
  expect(readFileSync(copy, "utf8")).toBe("{}");
});

it("temporary files of ended processes go, those of living ones and of others stay", () => {
  const gone = [`.s.json.isthmos-${process.pid}-a1.tmp`, ".s.json.999999999-a1.tmp"];
  const kept = [
    `.s.json.isthmos-${process.ppid}-a1.tmp`,
    ".s.json.tmp",
    ".t.json.999999999-a1.tmp",
    "s.json",
  ];
  for (const name of [...gone, ...kept]) put(name);
  sweepTemps(join(folder, "s.json"));
  expect(readdirSync(folder).sort()).toEqual(kept.sort());
});
