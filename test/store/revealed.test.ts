// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../src/store/vault.ts";
import { recordOperations } from "../support/faults.ts";
import {
  age,
  HOUR_MS,
  makeTempDir,
  makeText,
  modeOf,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const TEXT = makeText("a");

let dir: string;
let folder: string;
let store: Store;
let id: string;

beforeEach(() => {
  dir = makeTempDir();
  folder = join(stateDirOf(dir), "revealed");
  store = openTempStore(dir);
  id = store.save(TEXT, { tool: "Bash", kind: "text" });
});
afterEach(() => removeTempDir(dir));

it("C10: exactly what was given back is known, in every process", () => {
  expect(store.revealedWithinHour(TEXT)).toBe(false);
  store.markRevealed(id);
  const other = openTempStore(dir);
  expect(other.revealedWithinHour(TEXT)).toBe(true);
  expect(other.revealedWithinHour(TEXT.slice(1))).toBe(false);
  expect(other.revealedWithinHour(makeText("b"))).toBe(false);
});

it.each([
  [-1, true],
  [1, false],
])("C10: %i minute past the hour: %s", (minutes, known) => {
  store.load(id);
  store.markRevealed(id);
  age(join(folder, `${id}-${TEXT.length}`), HOUR_MS + minutes * 60_000);
  expect(store.revealedWithinHour(TEXT)).toBe(known);
  store.markRevealed(id);
  expect(store.revealedWithinHour(TEXT)).toBe(true);
});

it("C13: the mark is empty and private", () => {
  store.markRevealed(id);
  const [name = ""] = fs.readdirSync(folder);
  expect([modeOf(folder), modeOf(join(folder, name)), fs.statSync(join(folder, name)).size]).toEqual([
    0o700, 0o600, 0,
  ]);
});

it("costs one look where nothing of this length was given back", () => {
  expect(recordOperations(() => store.revealedWithinHour(TEXT))).toEqual(["list"]);
  store.markRevealed(id);
  expect(recordOperations(() => store.revealedWithinHour(TEXT.slice(1)))).toEqual(["list"]);
});

it("an id that is not stored leaves no mark", () => {
  store.markRevealed("00112233445566aa");
  store.markRevealed("../../x");
  expect(fs.existsSync(folder)).toBe(false);
});

it("C1: where marks cannot be written or read the answer is no", () => {
  fs.writeFileSync(folder, "");
  expect(() => store.markRevealed(id)).not.toThrow();
  expect(store.revealedWithinHour(TEXT)).toBe(false);
});
