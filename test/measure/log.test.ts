// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setFaultPoint } from "../../src/faults.ts";
import { appendRow, LOG_MAX_BYTES, LOG_TOTAL_MAX_BYTES, logFile, readRows } from "../../src/measure/log.ts";
import { type CallRow, formatRow } from "../../src/measure/row.ts";

let home: string;
let stateDir: string;
beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), "isthmos-log-"));
  stateDir = join(home, "state");
});
afterEach(() => {
  setFaultPoint(undefined);
  fs.rmSync(home, { recursive: true });
});

const row = (tool: string, n = 0): CallRow => ({ kind: "call", ts: 0, tool, inBytes: n, outBytes: n });
const tools = (source: Parameters<typeof readRows>[0] = { stateDir }) =>
  [...readRows(source)].map((it) => it.tool);
const segmentNames = () => fs.readdirSync(stateDir).filter((name) => name !== "measure.jsonl");
const segmentName = (n: number) => `measure-2026010${n}T000000000Z-1-a${n}.jsonl`;

/** Fills the live file with rows of the tool "old" up to exactly `bytes`. */
function fillLive(bytes: number): number {
  const line = `${formatRow(row("old"))}\n`;
  const count = Math.floor(bytes / line.length);
  fs.mkdirSync(stateDir, { recursive: true });
  fs.writeFileSync(logFile(stateDir), "\n".repeat(bytes - count * line.length) + line.repeat(count));
  return count;
}

describe("appendRow", () => {
  it("C13: makes folder and file private, and narrows a log that others can read", () => {
    appendRow(stateDir, row("a"));
    expect(fs.statSync(stateDir).mode & 0o777).toBe(0o700);
    expect(fs.statSync(logFile(stateDir)).mode & 0o777).toBe(0o600);
    fs.chmodSync(logFile(stateDir), 0o644);
    appendRow(stateDir, row("b"));
    expect(fs.statSync(logFile(stateDir)).mode & 0o777).toBe(0o600);
    expect(tools()).toEqual(["a", "b"]);
  });

  it("C13: a row holds times, names, sizes and counts, nothing else", () => {
    appendRow(stateDir, {
      ...row("Bash", 5),
      host: "claude-code",
      call: "9f31c2aa",
      ms: 2,
      cuts: { lines: 3 },
    });
    const keys = Object.keys(JSON.parse(fs.readFileSync(logFile(stateDir), "utf8")));
    expect(keys).toEqual(["ts", "tool", "in_bytes", "out_bytes", "host", "call", "ms", "cuts"]);
  });

  const rowBytes = formatRow(row("x")).length + 1;
  it.each([
    ["one byte below", LOG_MAX_BYTES - rowBytes - 1, 0],
    ["at", LOG_MAX_BYTES - rowBytes, 1],
    ["one byte above", LOG_MAX_BYTES - rowBytes + 1, 1],
  ])("sets the full file aside: %s the bound", (_, bytes, expected) => {
    const old = fillLive(bytes);
    appendRow(stateDir, row("x"));
    expect(segmentNames()).toHaveLength(expected);
    appendRow(stateDir, row("y"));
    expect(tools()).toEqual([...Array(old).fill("old"), "x", "y"]);
  });

  it.each([
    ["below", LOG_TOTAL_MAX_BYTES - 2 * LOG_MAX_BYTES, [1, 2]],
    ["above", LOG_TOTAL_MAX_BYTES - 2 * LOG_MAX_BYTES + 1, [2]],
  ])("C15: removes the oldest segments, %s the bound of all", (_, bytes, expected) => {
    fillLive(LOG_MAX_BYTES - rowBytes);
    fs.writeFileSync(join(stateDir, segmentName(1)), "\n");
    fs.truncateSync(join(stateDir, segmentName(1)), bytes - 1000);
    fs.writeFileSync(join(stateDir, segmentName(2)), "\n");
    fs.truncateSync(join(stateDir, segmentName(2)), 1000);
    fs.writeFileSync(join(stateDir, "measure-notes.jsonl"), "not ours");
    appendRow(stateDir, row("x"));
    const kept = segmentNames().filter((name) => name.startsWith("measure-202601"));
    expect(kept.sort()).toEqual(expected.map(segmentName));
    expect(segmentNames()).toContain("measure-notes.jsonl");
  });

  it("does the same few file operations whatever the history", () => {
    const count = () => {
      let operations = 0;
      setFaultPoint(() => operations++);
      appendRow(stateDir, row("x"));
      setFaultPoint(undefined);
      return operations;
    };
    appendRow(stateDir, row("first"));
    const short = count();
    fillLive(LOG_MAX_BYTES - 2 * rowBytes);
    for (let n = 1; n <= 9; n++) fs.writeFileSync(join(stateDir, segmentName(n)), "");
    fs.chmodSync(logFile(stateDir), 0o600);
    expect(count()).toBe(short);
  });

  it("keeps every earlier row when the k-th file operation fails, for every k", () => {
    const old = fillLive(LOG_MAX_BYTES - rowBytes);
    const full = fs.readFileSync(logFile(stateDir));
    for (let k = 1; ; k++) {
      fs.rmSync(stateDir, { recursive: true });
      fs.mkdirSync(stateDir);
      fs.writeFileSync(logFile(stateDir), full, { mode: 0o600 });
      let failed = false;
      setFaultPoint((_, count) => {
        if (count !== k) return;
        failed = true;
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      });
      try {
        appendRow(stateDir, row("x"));
      } catch (error) {
        expect(error).toMatchObject({ code: "ENOSPC" });
      }
      setFaultPoint(undefined);
      appendRow(stateDir, row("y"));
      const names = tools();
      expect(names.slice(0, old).every((name) => name === "old")).toBe(true);
      expect(names.slice(old).join()).toMatch(/^(x,)?y$/);
      if (!failed) return expect(k).toBeGreaterThan(5);
    }
  });

  it("loses no row of 200 processes that append across the bound", { timeout: 170_000 }, async () => {
    const PROCESSES = 200;
    const ROWS = 5;
    const old = fillLive(LOG_MAX_BYTES - 20_000);
    // Bundled once: 200 processes that each strip types would load the machine for nothing.
    const script = join(home, "append-rows.cjs");
    const entry = fileURLToPath(new URL("../support/append-rows.ts", import.meta.url));
    buildSync({ entryPoints: [entry], bundle: true, platform: "node", format: "cjs", outfile: script });
    const children = Array.from({ length: PROCESSES }, (_, n) =>
      spawn(process.execPath, [script, stateDir, `p${n}`, `${ROWS}`], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    try {
      await Promise.all(children.map((child) => once(child, "spawn")));
      await Promise.all(children.map((child) => once(child.stdout, "data")));
      const exits = children.map((child) => once(child, "exit"));
      for (const child of children) child.stdin.end();
      expect(new Set((await Promise.all(exits)).map(([code]) => code))).toEqual(new Set([0]));
    } finally {
      for (const child of children) child.kill();
    }

    const reader = readRows({ stateDir });
    const seen = new Map<string, number[]>();
    for (const it of reader) {
      if (it.kind !== "call") throw new Error("only calls were written");
      if (it.tool !== "old" || !seen.has("old"))
        seen.set(it.tool, [...(seen.get(it.tool) ?? []), it.inBytes]);
    }
    seen.delete("old");
    const whole = Array.from({ length: ROWS }, (_, n) => n);
    expect(seen.size).toBe(PROCESSES);
    expect([...seen.values()].filter((rows) => rows.sort().join() !== whole.join())).toEqual([]);
    expect(tools().filter((name) => name === "old")).toHaveLength(old);
    expect(reader.skipped).toBe(0);
    expect(segmentNames().length).toBeGreaterThan(0);
  });
});

describe("readRows", () => {
  it("has no rows where there is no log", () => {
    expect(tools()).toEqual([]);
  });

  it("reads segments oldest first, then the live file; or just one file", () => {
    appendRow(stateDir, row("live"));
    for (const n of [2, 1, 3])
      fs.writeFileSync(join(stateDir, segmentName(n)), `${formatRow(row(`s${n}`))}\n`);
    expect(tools()).toEqual(["s1", "s2", "s3", "live"]);
    expect(tools({ file: join(stateDir, segmentName(2)) })).toEqual(["s2"]);
  });

  it.each([
    ["broken JSON", '{"ts":', 1],
    ["no row", "[]", 1],
    ["empty lines", "\n\n\n", 0],
    ["CRLF", `${formatRow(row("crlf"))}\r`, 0],
    ["binary", "\x00\xff\x1b\n\x00", 2],
    ["an overlong line", "x".repeat(1_000_000), 1],
    ["an overlong line that ends like a row", "x".repeat(200_000) + formatRow(row("no")), 1],
    ["deep nesting", "[".repeat(50_000), 1],
  ])("skips and counts lines that are no rows: %s", (_, text, skipped) => {
    const file = join(home, "log");
    fs.writeFileSync(file, `${formatRow(row("a"))}\n${text}\n${formatRow(row("b"))}\n{"ts":"2026`);
    const reader = readRows({ file });
    expect([...reader].map(({ tool }) => tool).filter((tool) => tool !== "crlf")).toEqual(["a", "b"]);
    expect(reader.skipped).toBe(skipped + 1);
  });

  it("joins rows and characters that lie across a chunk's edge", () => {
    const file = join(home, "log");
    const names = Array.from({ length: 3000 }, (_, n) => `工具-${n}-${"é🔧".repeat(n % 17)}`);
    fs.writeFileSync(file, names.map((name) => `${formatRow(row(name))}\n`).join(""));
    expect(tools({ file })).toEqual(names);
  });

  it("reads a last row without its line end", () => {
    const file = join(home, "log");
    fs.writeFileSync(file, formatRow(row("last")));
    expect(tools({ file })).toEqual(["last"]);
  });

  it.each([
    ["missing", "nowhere", "ENOENT"],
    ["a folder", ".", "EISDIR"],
  ])("throws for a file that cannot be read: %s", (_, name, code) => {
    expect(() => tools({ file: join(home, name) })).toThrow(code);
  });

  it("reads a row once when the file is set aside meanwhile", () => {
    for (const name of ["a", "b"]) appendRow(stateDir, row(name));
    setFaultPoint((operation) => {
      if (operation === "list") fs.renameSync(logFile(stateDir), join(stateDir, segmentName(1)));
    });
    expect(tools()).toEqual(["a", "b"]);
  });

  it("passes over a segment that is removed meanwhile", () => {
    appendRow(stateDir, row("live"));
    fs.writeFileSync(join(stateDir, segmentName(1)), `${formatRow(row("gone"))}\n`);
    setFaultPoint((operation) => {
      if (operation === "stat") fs.rmSync(join(stateDir, segmentName(1)));
    });
    expect(tools()).toEqual(["live"]);
  });

  it("C15: holds a chunk at a time, not the rows", () => {
    const file = join(home, "log");
    const ROWS = 100_000;
    const line = `${formatRow({ ...row("Bash", 1), host: "claude-code", call: "9f31c2aa", cuts: { lines: 3 } })}\n`;
    fs.writeFileSync(file, line.repeat(ROWS));
    let count = 0;
    let bytesRead = 0;
    setFaultPoint((operation) => {
      if (operation === "read") bytesRead += 64 * 1024;
    });
    for (const _ of readRows({ file })) {
      count++;
      // What was read runs at most a chunk (and its predecessor's rest) ahead of what was asked for.
      if (bytesRead - count * line.length > 130 * 1024) throw new Error("read too far ahead");
    }
    expect(count).toBe(ROWS);
  });

  it("closes what it opened when the caller stops early", () => {
    appendRow(stateDir, row("live"));
    fs.writeFileSync(join(stateDir, segmentName(1)), `${formatRow(row("first"))}\n`.repeat(2));
    // The lowest free number tells of a leak on every platform.
    const probe = () => {
      const fd = fs.openSync(logFile(stateDir), "r");
      fs.closeSync(fd);
      return fd;
    };
    const before = probe();
    for (const { tool } of readRows({ stateDir })) {
      expect(tool).toBe("first");
      break;
    }
    expect(probe()).toBe(before);
  });
});
