// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { callsReveal, isOwnTool } from "../../src/hosts/own-call.ts";

describe("callsReveal", () => {
  it.each([
    "isthmos reveal 0123456789abcdef",
    "/usr/local/bin/isthmos reveal 0123456789abcdef",
    "~/.local/bin/isthmos reveal x --lines 1:20",
    "./isthmos  \t reveal x",
    '"$HOME/my bin/isthmos" reveal x',
    "'isthmos' reveal x",
    "isthmos \\\n  reveal x",
    "isthmos.exe reveal x",
    "dist/isthmos-linux-x64 reveal x",
    "cd /srv && isthmos reveal x",
    "true;isthmos reveal x",
    "isthmos reveal x | head -50",
    "echo $(isthmos reveal x)",
    "echo `isthmos reveal x`",
    "FOO=1 isthmos reveal x",
    "bash -c 'isthmos reveal x'",
    "isthmos stats; isthmos reveal x",
    "isthmos reveal",
    "(isthmos reveal x)",
    // Taken for a call as well: it only means that the result passes.
    'echo "isthmos reveal"',
  ])("C10: %j does", (command) => {
    expect(callsReveal(command)).toBe(true);
  });

  it.each([
    "",
    "isthmos",
    "isthmos stats",
    "isthmosreveal x",
    "reveal isthmos",
    'echo "isthmos revealed"',
    "isthmos reveal-all x",
    "notisthmos reveal x",
    "my-isthmos reveal x",
    "isthmos --help # reveal",
    "ISTHMOS reveal x",
    "isthmos; reveal x",
    "isthmos/reveal x",
    "git log isthmos -- reveal",
  ])("%j does not", (command) => {
    expect(callsReveal(command)).toBe(false);
  });

  it.each([
    ["the name again and again", "isthmos".repeat(2_000_000)],
    ["names in a row", "isthmos ".repeat(2_000_000)],
    ["blanks", `isthmos${" ".repeat(15_000_000)}`],
    ["joined names", "isthmos-".repeat(2_000_000)],
  ])("C15: is linear on %s", (_name, command) => {
    const started = process.cpuUsage();
    expect(callsReveal(command)).toBe(false);
    // CPU time, µs.
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });
});

describe("isOwnTool", () => {
  it.each([
    ["mcp__isthmos__reveal", true],
    ["mcp__isthmos__anything", true],
    ["mcp__plugin_isthmos_isthmos__reveal", true],
    ["mcp__plugin_my-isthmos-tools_server__reveal", true],
    ["mcp__isthmos", false],
    ["mcp__isthmosx__reveal", false],
    ["mcp__other__isthmos", false],
    ["mcp__plugin_other_server__reveal", false],
    ["mcp__plugin_isthmos", false],
    ["Bash", false],
    ["__proto__", false],
  ])("%s: %s", (tool, expected) => {
    expect(isOwnTool(tool)).toBe(expected);
  });
});
