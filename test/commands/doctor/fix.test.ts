// SPDX-License-Identifier: Apache-2.0
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fix } from "../../../src/commands/doctor/fix.ts";
import { setFaultPoint } from "../../../src/files.ts";
import { type DoctorHome, makeDoctorHome, NOW } from "../../support/doctor-home.ts";
import { makeErrno } from "../../support/faults.ts";

const STATE = ".local/state/isthmos";
const MINUTE_MS = 60_000;

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

const mend = () => {
  const registered = {
    entries: [],
    approved: new Set<string>(),
    refused: new Set<string>(),
    disabled: new Set<string>(),
    problems: [],
  };
  const transcripts = { files: 0, refusals: [] };
  return fix(at.facts(), { commands: [], registered, running: [], transcripts }).map(
    ({ level, message }) => `${level} ${message}`,
  );
};
const modeOf = (path: string) => statSync(join(at.home, path)).mode & 0o777;

it("has nothing to do where nothing is wrong", () => {
  at.put(`${STATE}/measure.jsonl`, "");
  chmodSync(join(at.home, STATE), 0o700);
  expect(mend()).toEqual([]);
});

it("C13: closes files, folders and the key to other users, and leaves the owner's rights", () => {
  at.put(`${STATE}/store/a.bin`, "", 0o644);
  at.put(`${STATE}/servers/1.json`, "", 0o604);
  at.put(`${STATE}/health.jsonl`, "", 0o600);
  at.put(`${STATE}/other.txt`, "", 0o644);
  at.put(".local/share/isthmos/store.key", "k", 0o444);
  chmodSync(join(at.home, STATE), 0o755);
  expect(mend()).toEqual(["ok 4 files or folders closed to other users"]);
  expect([STATE, `${STATE}/store/a.bin`, `${STATE}/servers/1.json`].map(modeOf)).toEqual([
    0o700, 0o600, 0o600,
  ]);
  expect([".local/share/isthmos/store.key", `${STATE}/other.txt`].map(modeOf)).toEqual([0o400, 0o644]);
  expect(mend()).toEqual([]);
});

it("leaves a folder alone that all users share, and what lies behind a link", () => {
  at.put(`${STATE}/health.jsonl`, "", 0o644);
  mkdirSync(join(at.home, "elsewhere"));
  chmodSync(join(at.home, "elsewhere"), 0o755);
  symlinkSync(join(at.home, "elsewhere"), join(at.home, STATE, "store"));
  chmodSync(join(at.home, STATE), 0o1777);
  expect(mend()).toEqual([]);
  chmodSync(join(at.home, STATE), 0o700);
  expect(mend()).toEqual(["ok 1 file or folder closed to other users"]);
  expect(modeOf("elsewhere")).toBe(0o755);
});

it.each([
  [9, true],
  [11, false],
])("a leftover of %i minutes ago stays: %j", (minutes, stays) => {
  const file = at.put(`${STATE}/store/.a.bin.1-x.tmp`, "");
  utimesSync(file, (NOW - minutes * MINUTE_MS) / 1000, (NOW - minutes * MINUTE_MS) / 1000);
  at.put(`${STATE}/store/a.bin`, "original");
  expect(mend()).toEqual(stays ? [] : ["ok 1 leftover temporary file removed"]);
  expect(existsSync(file)).toBe(stays);
  expect(readFileSync(join(at.home, STATE, "store/a.bin"), "utf8")).toBe("original");
});

it.each([
  [9, true],
  [11, false],
])("C13: a copy of the key of %i minutes ago stays: %j", (minutes, stays) => {
  const time = (NOW - minutes * MINUTE_MS) / 1000;
  const [copy, old, foreign] = [".store.key.1-x.tmp", ".store.key.old.1-x.tmp", "notes.tmp"].map((name) => {
    const file = at.put(`.local/share/isthmos/${name}`, "k");
    utimesSync(file, time, time);
    return file;
  });
  expect(mend()).toEqual(stays ? [] : ["ok 2 leftover copies of a key removed"]);
  expect([copy, old, foreign].map((file) => existsSync(file ?? ""))).toEqual([stays, stays, true]);
});

it("leaves a temporary file that is none of isthmos's", () => {
  const file = at.put(`${STATE}/store/draft.tmp`, "");
  utimesSync(file, 0, 0);
  expect(mend()).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

it("makes the state folder where a hook is wired", () => {
  expect(mend()).toEqual([]);
  expect(existsSync(join(at.home, STATE))).toBe(false);
  at.wire({ type: "command", command: "isthmos hook" });
  expect(mend()).toEqual([`ok made ~/${STATE}`]);
  expect(modeOf(STATE)).toBe(0o700);
});

it("says what it could not do, and does the rest", () => {
  at.put(`${STATE}/health.jsonl`, "", 0o644);
  const file = at.put(`${STATE}/store/.a.bin.1-x.tmp`, "");
  utimesSync(file, 0, 0);
  setFaultPoint((operation) => {
    if (operation === "remove") throw makeErrno("EIO");
  });
  try {
    expect(mend()).toEqual([
      "ok 1 file or folder closed to other users",
      "warning leftover files could not be mended: EIO: made to fail",
    ]);
  } finally {
    setFaultPoint(undefined);
  }
});
