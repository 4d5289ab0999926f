// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkKey, checkStore } from "../../../src/commands/doctor/store.ts";
import { type DoctorHome, makeDoctorHome } from "../../support/doctor-home.ts";

const STORE = ".local/state/isthmos/store";

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

it("names what isthmos did not make in the store, and counts none of it as an original", () => {
  at.put(`${STORE}/notes.txt`, "mine");
  mkdirSync(join(at.home, STORE, "bbbbbbbbbbbbbbbb.bin"));
  symlinkSync("notes.txt", join(at.home, STORE, "cccccccccccccccc.bin"));
  const facts = at.facts();
  expect(checkKey(facts).map(({ level }) => level)).toEqual(["ok"]);
  expect(checkStore(facts)).toMatchObject([
    { level: "ok", message: expect.stringContaining("0 originals") },
    {
      level: "warning",
      message: `3 things in ~/${STORE} that isthmos did not make, and leaves alone: bbbbbbbbbbbbbbbb.bin, cccccccccccccccc.bin, notes.txt`,
    },
  ]);
});

it("C13: names copies of the key that a killed process left", () => {
  const file = at.put(".local/share/isthmos/.store.key.old.1-x.tmp", "k");
  utimesSync(file, 0, 0);
  expect(checkKey(at.facts())).toContainEqual({
    check: "key",
    level: "warning",
    message:
      "1 copy of a key left by a process that was killed: ~/.local/share/isthmos/.store.key.old.1-x.tmp",
    hint: expect.stringContaining("isthmos store key rotate"),
  });
});
