// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readHealth } from "../../src/health.ts";
import { openSeen, type Seen } from "../../src/store/seen.ts";
import { recordOperations } from "../support/faults.ts";
import {
  age,
  HOUR_MS,
  keyFileOf,
  listAll,
  MINUTE_MS,
  makeTempDir,
  makeText,
  modeOf,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const TEXT = makeText("a");
const CALL = { session: "session-1", tool: "Bash", useId: "use-1", bytes: TEXT };

let dir: string;
let seen: Seen;

beforeEach(() => {
  dir = makeTempDir();
  seen = openSeen(stateDirOf(dir), keyFileOf(dir));
});
afterEach(() => removeTempDir(dir));

function start(session = CALL.session): void {
  seen.beginGeneration(session, { starts: true });
}

/** One call that was delivered whole and reported. */
function deliver(call: Parameters<Seen["promote"]>[0] = CALL): void {
  seen.pend(call);
  seen.promote(call);
}

const seenFiles = () =>
  listAll(dir).filter((path) => path.startsWith("state/seen/") && fs.statSync(join(dir, path)).isFile());

describe("C12: a reference states a fact", () => {
  it("started, delivered, reported: found by the same reader, in every process", () => {
    start();
    deliver();
    const other = openSeen(stateDirOf(dir), keyFileOf(dir));
    const savedAt = other.find(CALL)?.savedAt ?? 0;
    expect(Math.abs(Date.now() - savedAt)).toBeLessThan(MINUTE_MS);
  });

  it("never between two calls of one turn", () => {
    start();
    seen.pend(CALL);
    expect(seen.find(CALL)).toBeUndefined();
    seen.pend({ ...CALL, useId: "use-2" });
    expect(seen.find(CALL)).toBeUndefined();
    seen.promote(CALL);
    expect(seen.find(CALL)).toBeDefined();
  });

  it.each<[string, Partial<typeof CALL & { agent: string }>]>([
    ["another tool", { tool: "Read" }],
    ["another session", { session: "session-2" }],
    ["a sub-agent", { agent: "agent-1" }],
    ["other bytes of the same length", { bytes: makeText("b") }],
    ["one byte less", { bytes: TEXT.slice(1) }],
  ])("not for %s", (_, change) => {
    start();
    start("session-2");
    deliver();
    expect(seen.find({ ...CALL, ...change })).toBeUndefined();
  });

  it("not for the main agent what a sub-agent read", () => {
    start();
    deliver({ ...CALL, agent: "agent-1" });
    expect(seen.find(CALL)).toBeUndefined();
    expect(seen.find({ ...CALL, agent: "agent-2" })).toBeUndefined();
    expect(seen.find({ ...CALL, agent: "agent-1" })).toBeDefined();
  });

  it.each<[string, (call: typeof CALL) => void]>([
    ["nothing was reported", (call) => seen.pend(call)],
    ["nothing was pending", (call) => seen.promote(call)],
    [
      "another call was pending",
      (call) => {
        seen.pend({ ...call, useId: "use-9" });
        seen.promote(call);
      },
    ],
    [
      "something else arrived",
      (call) => {
        seen.pend(call);
        seen.promote({ ...call, bytes: makeText("preview") });
        seen.promote(call);
      },
    ],
    [
      "only a part arrived",
      (call) => {
        seen.pend(call);
        seen.promote({ ...call, bytes: call.bytes.slice(0, 100) });
        seen.promote(call);
      },
    ],
    [
      "it was pending for a sub-agent",
      (call) => {
        seen.pend({ ...call, agent: "agent-1" });
        seen.promote(call);
      },
    ],
  ])("not where %s", (_, run) => {
    start();
    run(CALL);
    expect(seen.find(CALL)).toBeUndefined();
    expect(readHealth(stateDirOf(dir))).toEqual([]);
  });

  it("never without a start of the session", () => {
    seen.beginGeneration(CALL.session, { starts: false });
    deliver();
    expect(seen.find(CALL)).toBeUndefined();
    expect(listAll(dir)).toEqual([]);
  });

  it.each([true, false])("never across a boundary (starts: %s)", (starts) => {
    start();
    deliver();
    seen.beginGeneration(CALL.session, { starts });
    expect(seen.find(CALL)).toBeUndefined();
    expect(seenFiles()).toEqual([]);
    deliver();
    expect(seen.find(CALL)).toBeDefined();
  });

  it("never across a boundary between the call and its report", () => {
    start();
    seen.pend(CALL);
    seen.beginGeneration(CALL.session, { starts: false });
    seen.promote(CALL);
    expect(seen.find(CALL)).toBeUndefined();
  });

  it("a boundary of one session is none of another", () => {
    start();
    deliver();
    seen.beginGeneration("session-2", { starts: true });
    expect(seen.find(CALL)).toBeDefined();
  });

  it.each([
    [59, true],
    [61, false],
    [-2, false],
  ])("%i minutes later: %s", (minutes, found) => {
    start();
    deliver();
    const [entry = ""] = seenFiles();
    age(join(dir, entry), minutes * MINUTE_MS);
    expect(seen.find(CALL) !== undefined).toBe(found);
    // A new whole delivery makes it young again.
    deliver();
    expect(seen.find(CALL)).toBeDefined();
  });

  it.each<[string, (path: string) => void]>([
    ["of other content", (path) => fs.writeFileSync(path, new Uint8Array(32))],
    ["torn", (path) => fs.truncateSync(path, 31)],
    ["empty", (path) => fs.truncateSync(path, 0)],
    ["too long", (path) => fs.appendFileSync(path, "x")],
    [
      "a link",
      (path) => {
        fs.renameSync(path, `${path}-moved`);
        fs.symlinkSync(`${path}-moved`, path);
      },
    ],
    [
      "of another session under the same name",
      (path) => {
        start("session-2");
        deliver({ ...CALL, session: "session-2" });
        const other = seenFiles().find((name) => join(dir, name) !== path) ?? "";
        fs.copyFileSync(join(dir, other), path);
      },
    ],
  ])("an entry that is %s proves nothing", (_, spoil) => {
    start();
    deliver();
    spoil(join(dir, seenFiles()[0] ?? ""));
    expect(seen.find(CALL)).toBeUndefined();
  });

  it("another key proves nothing", () => {
    start();
    deliver();
    fs.writeFileSync(keyFileOf(dir), "k".repeat(32));
    expect(seen.find(CALL)).toBeUndefined();
    fs.rmSync(keyFileOf(dir));
    expect(seen.find(CALL)).toBeUndefined();
  });
});

describe("what it costs and leaves", () => {
  it.each([
    [4095, false],
    [4096, true],
    [4097, true],
  ])("a text of %i bytes is kept in mind: %s", (length, kept) => {
    start();
    const call = { ...CALL, bytes: makeText("a", length) };
    deliver(call);
    expect(seen.find(call) !== undefined).toBe(kept);
    expect(seenFiles()).toHaveLength(kept ? 1 : 0);
  });

  it("C13: no id, no name and no text lies on the disk, all is private", () => {
    start();
    deliver({ ...CALL, agent: "agent-1" });
    seen.pend({ ...CALL, useId: "use-2" });
    for (const path of listAll(join(dir, "state"))) {
      expect(path).not.toMatch(/session-1|agent-1|use-|Bash/);
      const full = join(dir, "state", path);
      expect(modeOf(full)).toBe(fs.statSync(full).isDirectory() ? 0o700 : 0o600);
      if (fs.statSync(full).isFile()) expect([0, 32]).toContain(fs.statSync(full).size);
    }
  });

  it("no key is made or read before a text was reported", () => {
    start();
    seen.pend(CALL);
    seen.find(CALL);
    expect(fs.existsSync(keyFileOf(dir))).toBe(false);
    deliver({ ...CALL, bytes: makeText("b") });
    expect(recordOperations(() => seen.find(CALL))).toEqual(["list", "stat"]);
  });

  it("C15: pending marks are bounded where no batch is ever reported", () => {
    start();
    for (let i = 0; i < 300; i++) seen.pend({ ...CALL, useId: `use-${i}` });
    expect(seenFiles().length).toBeLessThanOrEqual(256);
    seen.promote({ ...CALL, useId: "use-299" });
    expect(seen.find(CALL)).toBeDefined();
  });

  it("C15: at 2,000 entries a reader only room for what makes others go", () => {
    start();
    deliver();
    const folder = join(dir, seenFiles()[0] ?? "", "..");
    for (let i = 1; i < 2000; i++) fs.writeFileSync(join(folder, `5000-${i}`), "");
    const next = { ...CALL, bytes: makeText("b") };
    deliver(next);
    expect(seen.find(next)).toBeUndefined();
    age(join(folder, "5000-1"), 2 * HOUR_MS);
    deliver(next);
    expect(seen.find(next)).toBeDefined();
    expect(seenFiles()).toHaveLength(2000);
  });

  it.each([
    [23, true],
    [25, false],
  ])("another session of %i hours ago outlives a new start: %s", (hours, lives) => {
    start();
    deliver();
    const seenDir = join(stateDirOf(dir), "seen");
    age(join(seenDir, fs.readdirSync(seenDir)[0] ?? ""), hours * HOUR_MS);
    start("session-2");
    expect(seen.find(CALL) !== undefined).toBe(lives);
  });

  it("C1: what fails is no reference and one code", () => {
    fs.mkdirSync(stateDirOf(dir));
    fs.writeFileSync(join(stateDirOf(dir), "seen"), "");
    start();
    expect(seen.find(CALL)).toBeUndefined();
    deliver();
    expect(readHealth(stateDirOf(dir)).map(({ code }) => code)).toEqual(["seen_failed"]);
  });

  it("C1: an unusable key is no reference and one code", () => {
    start();
    fs.mkdirSync(join(dir, "data"));
    fs.writeFileSync(keyFileOf(dir), "short");
    deliver();
    expect(seen.find(CALL)).toBeUndefined();
    expect(readHealth(stateDirOf(dir)).map(({ code }) => code)).toEqual(["seen_failed"]);
  });
});
