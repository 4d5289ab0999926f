// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readHealth } from "../../src/health.ts";
import { createCounters, openCountersFile } from "../../src/mcp/counters.ts";
import { listLost, readServers } from "../../src/servers.ts";
import { makeTempDir, removeTempDir } from "../support/temp-store.ts";

let dir: string;
beforeEach(() => {
  dir = makeTempDir();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  removeTempDir(dir);
});

function open() {
  const counters = createCounters({ pid: process.pid, rss: () => 7, changed: () => file.touch() });
  const file = openCountersFile(dir, counters.state);
  return { counters, file };
}

describe("the counters of a server", () => {
  it("are in its file a second later, and gone at its end", () => {
    const { counters, file } = open();
    counters.decided("changed");
    counters.decided("changed");
    counters.decided("failed");
    counters.childCalled();
    counters.revealed("ok");
    expect(readServers(dir)).toMatchObject([{ pid: process.pid, calls: 0 }]);
    vi.advanceTimersByTime(1000);
    expect(readServers(dir)).toMatchObject([
      {
        pid: process.pid,
        calls: 3,
        child_calls: 1,
        sweeps: 0,
        decisions: { changed: 2, failed: 1 },
        reveals: { ok: 1 },
        rss_bytes: 7,
      },
    ]);
    file.end();
    expect(readServers(dir)).toEqual([]);
  });

  it("are not written without need, nor after the end", () => {
    const { counters, file } = open();
    vi.advanceTimersByTime(10_000);
    expect(vi.getTimerCount()).toBe(0);
    counters.decided("changed");
    file.end();
    vi.advanceTimersByTime(10_000);
    expect(readServers(dir)).toEqual([]);
  });

  it("leave a word on a server that was killed, which could not say so itself", () => {
    const { pid } = spawnSync("/bin/true");
    mkdirSync(join(dir, "servers"));
    writeFileSync(join(dir, "servers", `${pid}.json`), "{}");
    expect(listLost(dir)).toEqual([pid]);
    open();
    expect(listLost(dir)).toEqual([]);
    expect(readHealth(dir).map(({ code }) => code)).toEqual(["server_lost"]);
  });

  it("cost nothing where they cannot be written", () => {
    writeFileSync(join(dir, "servers"), "a file where the folder would be");
    chmodSync(join(dir, "servers"), 0o400);
    const { counters } = open();
    counters.decided("changed");
    expect(() => vi.advanceTimersByTime(1000)).not.toThrow();
    expect(counters.state().calls).toBe(1);
  });
});
