// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readServers, removeServer, type ServerState, sweepServers, writeServer } from "../src/servers.ts";
import { age, HOUR_MS, makeTempDir, modeOf, removeTempDir } from "./support/temp-store.ts";

let dir: string;
beforeEach(() => {
  dir = makeTempDir();
});
afterEach(() => removeTempDir(dir));

const STATE: ServerState = {
  pid: process.pid,
  version: "0.0.0",
  started: "2026-11-30T10:00:00.000Z",
  updated: "2026-11-30T10:00:01.000Z",
  calls: 3,
  child_calls: 1,
  sweeps: 2,
  decisions: { changed: 2, unchanged: 1 },
  reveals: { ok: 1 },
  rss_bytes: 70_000_000,
};

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", "0"]).pid;
}

function names(): string[] {
  return readdirSync(join(dir, "servers")).sort();
}

describe("the files of running servers", () => {
  it("are read as they were written, and private", () => {
    writeServer(dir, STATE);
    expect(readServers(dir)).toEqual([STATE]);
    expect(modeOf(join(dir, "servers"))).toBe(0o700);
    expect(modeOf(join(dir, "servers", `${process.pid}.json`))).toBe(0o600);
    removeServer(dir, process.pid);
    removeServer(dir, process.pid);
    expect(readServers(dir)).toEqual([]);
  });

  it("are not read once their process has ended, and swept by the next server", () => {
    writeServer(dir, { ...STATE, pid: deadPid() });
    expect(readServers(dir)).toEqual([]);
    writeServer(dir, STATE);
    sweepServers(dir);
    expect(names()).toEqual([`${process.pid}.json`]);
  });

  it("leave nothing half written for long", () => {
    writeServer(dir, STATE);
    for (const name of ["old.tmp", "new.tmp"]) writeFileSync(join(dir, "servers", name), "");
    age(join(dir, "servers", "old.tmp"), 2 * HOUR_MS);
    sweepServers(dir);
    expect(names()).toEqual([`${process.pid}.json`, "new.tmp"]);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "3"],
    ["too much", `"${"x".repeat(20_000)}"`],
  ])("that hold %s are left out", (_, text) => {
    mkdirSync(join(dir, "servers"));
    writeFileSync(join(dir, "servers", `${process.pid}.json`), text);
    expect(readServers(dir)).toEqual([]);
  });

  it("of another version give what they have", () => {
    mkdirSync(join(dir, "servers"));
    const text = '{"calls":"many","decisions":{"changed":2,"lost":"x"},"reveals":[],"rss_bytes":-1}';
    writeFileSync(join(dir, "servers", `${process.pid}.json`), text);
    expect(readServers(dir)).toEqual([
      {
        pid: process.pid,
        version: "",
        started: "",
        updated: "",
        calls: 0,
        child_calls: 0,
        sweeps: 0,
        decisions: { changed: 2, lost: 0 },
        reveals: {},
        rss_bytes: 0,
      },
    ]);
  });

  it("are none where there is no folder", () => {
    expect(readServers(join(dir, "nowhere"))).toEqual([]);
    sweepServers(join(dir, "nowhere"));
  });
});
