// SPDX-License-Identifier: Apache-2.0
import {
  appendFileSync,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HEALTH_CODES, readHealth, recordHealth } from "../src/health.ts";

let base: string;
let state: string;
let file: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "isthmos-health-"));
  state = join(base, "deep", "state");
  file = join(state, "health.jsonl");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("recordHealth", () => {
  it("C1, C13: writes one private line a failure, with a time, a code and names only", () => {
    recordHealth(state, "store_failed", { host: "claude-code", tool: "Bash" });
    recordHealth(state, "budget");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      code: "store_failed",
      host: "claude-code",
      tool: "Bash",
    });
    expect(Object.keys(JSON.parse(lines[1] ?? ""))).toEqual(["ts", "code"]);
    expect([modeOf(state), modeOf(join(base, "deep")), modeOf(file)]).toEqual([0o700, 0o700, 0o600]);
  });

  it.each([
    ["control characters", "a\u001b[31mb\n\u0085", "a\\x1b[31mb\\x0a\\x85"],
    ["bidi and line separators", "a\u202eb\u2028c", "a\\u202eb\\u2028c"],
    ["lone surrogates", "a\ud800b", "a\\ud800b"],
    ["199 bytes", "x".repeat(199), "x".repeat(199)],
    ["200 bytes", "x".repeat(200), "x".repeat(200)],
    ["201 bytes", "x".repeat(201), "x".repeat(200)],
    ["a wide character across the bound", `${"x".repeat(198)}é€`, `${"x".repeat(198)}é`],
    ["a wide character that does not fit", `${"x".repeat(199)}é`, "x".repeat(199)],
    ["a huge name", "é".repeat(1_000_000), "é".repeat(100)],
  ])("C13: cleans a tool name with %s", (_, name, expected) => {
    recordHealth(state, "internal", { tool: name });
    expect(readHealth(state)[0]?.tool).toBe(expected);
  });

  it("C1: never throws where nothing can be written", () => {
    writeFileSync(join(base, "plain"), "");
    expect(() => recordHealth(join(base, "plain"), "internal")).not.toThrow();
    expect(() => recordHealth(join(base, "plain", "below"), "internal")).not.toThrow();
    expect(() => recordHealth("/dev/null/x\0y", "internal")).not.toThrow();
  });

  it("narrows a wider file", () => {
    recordHealth(state, "usage");
    chmodSync(file, 0o644);
    recordHealth(state, "usage");
    expect(modeOf(file)).toBe(0o600);
    expect(readHealth(state)).toHaveLength(2);
  });

  it.each([
    [-1, false],
    [0, false],
    [1, true],
  ])("C15: at the cap of 256 KiB %i byte the live file becomes the old one: %s", (over, moved) => {
    recordHealth(state, "usage");
    const row = statSync(file).size;
    // The row to come is one byte longer ("budget"), and the filler has a line end.
    appendFileSync(file, `${"x".repeat(256 * 1024 - 2 * row - 2 + over)}\n`);
    recordHealth(state, "budget");
    expect(readdirSync(state).sort()).toEqual(moved ? ["health.jsonl.1"] : ["health.jsonl"]);
    expect(readHealth(state).map((r) => r.code)).toEqual(["usage", "budget"]);
  });

  it("C15: two files bound the record", () => {
    for (let i = 0; i < 3; i++) {
      recordHealth(state, "usage");
      appendFileSync(file, `${"x".repeat(256 * 1024)}\n`);
      recordHealth(state, "budget");
    }
    expect(readdirSync(state)).toEqual(["health.jsonl.1"]);
    expect(readHealth(state)).toHaveLength(2);
  });
});

describe("readHealth", () => {
  it("has no rows where there is no record", () => expect(readHealth(state)).toEqual([]));

  it("keeps the order over both files and skips what is no row", () => {
    recordHealth(state, "usage");
    writeFileSync(`${file}.1`, '{"ts":"2026-01-01T00:00:00.000Z","code":"budget"}\n');
    appendFileSync(
      file,
      [
        "{broken",
        "null",
        "[]",
        '"text"',
        '{"ts":1,"code":"usage"}',
        '{"ts":"2026-01-02T00:00:00.000Z","code":"from_the_future"}',
        '{"ts":"2026-01-02T00:00:00.000Z","code":"__proto__"}',
        '{"ts":"2026-01-02T00:00:00.000Z","code":"internal","tool":7,"host":null,"more":true}',
        '{"ts":"2026-01-03T00:0',
      ].join("\n"),
    );
    recordHealth(state, "log_failed");
    expect(readHealth(state).map(({ ts: _, ...rest }) => rest)).toEqual([
      { code: "budget" },
      { code: "usage" },
      { code: "internal" },
      { code: "log_failed" },
    ]);
  });

  it("has no rows where the record cannot be read", () => {
    recordHealth(state, "usage");
    rmSync(file);
    rmSync(state, { recursive: true });
    writeFileSync(state, "");
    expect(readHealth(state)).toEqual([]);
  });
});

it("every code has a meaning, once", () => {
  expect(new Set(HEALTH_CODES.map(({ code }) => code)).size).toBe(HEALTH_CODES.length);
  expect(HEALTH_CODES.every(({ meaning }) => meaning.length > 10)).toBe(true);
});
