// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { failOpen, messageOf } from "../src/fail-open.ts";
import { readHealth } from "../src/health.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "isthmos-fail-open-"));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

it("C1: leaves a code in the health record, and no free text (C13)", () => {
  failOpen(stateDir, { code: "budget", reason: "the time ran out on /a/secret/path", tool: "Bash" });
  expect(readHealth(stateDir)).toEqual([{ ts: expect.any(String), code: "budget", tool: "Bash" }]);
});

it.each([
  [new Error("it broke"), "it broke"],
  ["a string", "a string"],
  [undefined, "undefined"],
])("says what %j says", (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
