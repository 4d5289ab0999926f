// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import { resolveId } from "../../src/store/resolve-id.ts";
import { addTombstones } from "../../src/store/tombstones.ts";
import { makeTempDir, openTempStore, removeTempDir, stateDirOf } from "../support/temp-store.ts";

const STORED = ["aabbccdd00000001", "aabbccdd00000002", "aabbccde00000003"];

let dir: string;
let folder: string;
beforeEach(() => {
  dir = makeTempDir();
  folder = join(stateDirOf(dir), "store");
  mkdirSync(folder, { recursive: true });
  for (const id of STORED) writeFileSync(join(folder, `${id}.bin`), "x");
  addTombstones(folder, ["aabbccde00000009", "99bbccde00000009"]);
});
afterEach(() => removeTempDir(dir));

it.each([
  ["all 16 digits, stored", STORED[0] ?? "", STORED[0]],
  ["all 16 digits, not stored", "0000000000000001", "0000000000000001"],
  ["8 digits of one", "aabbccde", STORED[2]],
  ["14 digits of two", "aabbccdd000000", undefined],
  ["of what was swept", "99bbccde", "99bbccde00000009"],
  ["of the example", EXAMPLE_ID.slice(0, 8), EXAMPLE_ID],
])("%s", (_, text, id) => {
  const found = resolveId(folder, text);
  if (id === undefined) expect(found).toMatchObject({ status: "error" });
  else expect(found).toEqual({ id });
});

it("names the candidates of an ambiguous one, three at most", () => {
  expect(resolveId(folder, "aabbccdd")).toEqual({
    status: "error",
    problem: `2 ids begin with aabbccdd: ${STORED[0]}, ${STORED[1]}`,
    hint: "give more digits of the id",
  });
});

it.each(["aabbccd", "", "AABBCCDD", "aabbccdg", "aabbccdd000000011", "../../etc", "aabbccdd\n"])(
  "%j is no id",
  (text) => {
    expect(resolveId(folder, text)).toMatchObject({ status: "not_found", hint: expect.any(String) });
  },
);

it("an unknown one is not found", () => {
  expect(resolveId(folder, "ffffffff")).toMatchObject({ status: "not_found", hint: "run the tool again" });
});

it("a store that is a link is not looked into", () => {
  symlinkSync(folder, join(dir, "link"));
  expect(resolveId(join(dir, "link"), "aabbccde")).toMatchObject({ status: "unavailable" });
  expect(openTempStore(dir).find("aabbccde")).toEqual({ id: STORED[2] });
});
