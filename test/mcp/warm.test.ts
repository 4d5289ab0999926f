// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/env.ts";
import { countFailures } from "../../src/fail-open.ts";
import type { Children } from "../../src/mcp/child.ts";
import { createCompress } from "../../src/mcp/compress.ts";
import { createCounters } from "../../src/mcp/counters.ts";
import { startWarming } from "../../src/mcp/warm.ts";
import { makeTempHome, type TempHome } from "./support.ts";

let home: TempHome;
let temp: string;
beforeEach(() => {
  home = makeTempHome({ mode: "off" });
  temp = join(home.path, "tmp");
  mkdirSync(temp);
  vi.stubEnv("TMPDIR", temp);
});
afterEach(() => {
  vi.unstubAllEnvs();
  home.remove();
});

const noChildren: Children = {
  open: () => undefined,
  run: () => Promise.reject(new Error("no process was expected")),
  kill: () => {},
};

async function untilEmpty(): Promise<void> {
  while (readdirSync(temp).length > 0) await nextTurn();
}

describe("startWarming", () => {
  it("goes the whole way, apart from the user's rules and files, and leaves nothing", async () => {
    const counters = createCounters({ pid: 1, rss: () => 1, changed: () => {} });
    const before = readdirSync(home.path, { recursive: true }).sort();
    const failures = countFailures();
    startWarming(home.env, (env: Env) => createCompress(env, noChildren, counters).answer);
    expect(readdirSync(temp)).toEqual([expect.stringMatching(/^isthmos-warm-/)]);
    await untilEmpty();
    const { changed = 0, failed = 0 } = counters.state().decisions;
    expect(changed).toBeGreaterThan(50);
    expect(failed).toBe(0);
    expect(countFailures()).toBe(failures);
    expect(readdirSync(home.path, { recursive: true }).sort()).toEqual(before);
  });

  it("stops when it is told, and leaves nothing", async () => {
    let samples = 0;
    const stop = startWarming(home.env, () => () => samples++);
    await nextTurn();
    stop();
    stop();
    const done = samples;
    expect(readdirSync(temp)).toEqual([]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    expect(samples).toBe(done);
  });

  it("leaves nothing where a sample fails", async () => {
    startWarming(home.env, () => () => {
      throw new Error("unexpected");
    });
    await untilEmpty();
  });

  it("does without a folder for temporary files", () => {
    vi.stubEnv("TMPDIR", join(home.path, "nowhere"));
    const open = vi.fn();
    startWarming(home.env, open)();
    expect(open).not.toHaveBeenCalled();
  });
});
