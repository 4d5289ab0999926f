// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { setFaultPoint } from "../../src/files.ts";
import { currentGeneration, raiseGeneration } from "../../src/store/generation.ts";
import { makeErrno } from "../support/faults.ts";
import { makeTempDir, removeTempDir } from "../support/temp-store.ts";

let dir: string;

beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => {
  setFaultPoint(undefined);
  removeTempDir(dir);
});

const number = () => basename(currentGeneration(dir, "s") ?? "none");

it("C12: each boundary raises the number, and the one before it goes", () => {
  raiseGeneration(dir, "s", false);
  expect(number()).toBe("none");
  for (const [starts, expected] of [
    [true, "1"],
    [false, "2"],
    [false, "3"],
    [true, "4"],
  ] as const) {
    raiseGeneration(dir, "s", starts);
    expect(number()).toBe(expected);
    expect(fs.readdirSync(dirname(currentGeneration(dir, "s") ?? ""))).toEqual([expected]);
  }
});

it("counts by number, not by name, and passes over what is none", () => {
  raiseGeneration(dir, "s", true);
  const folder = dirname(currentGeneration(dir, "s") ?? "");
  for (const name of ["9", "10", "x99", "9999999999"]) fs.mkdirSync(join(folder, name));
  expect(number()).toBe("10");
  raiseGeneration(dir, "s", false);
  expect(number()).toBe("11");
});

it("C12: two boundaries at the same moment do not share a generation", () => {
  raiseGeneration(dir, "s", true);
  setFaultPoint((operation) => {
    if (operation !== "mkdir") return;
    setFaultPoint(undefined);
    raiseGeneration(dir, "s", false);
  });
  raiseGeneration(dir, "s", false);
  expect(number()).toBe("3");
});

it.each(["list", "mkdir"])("C12: where %s fails, what was before is over all the same", (failing) => {
  raiseGeneration(dir, "s", true);
  setFaultPoint((operation) => {
    if (operation === failing) throw makeErrno("ENOSPC");
  });
  expect(() => raiseGeneration(dir, "s", false)).toThrow("ENOSPC");
  setFaultPoint(undefined);
  expect(number()).toBe("none");
});
