// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { cleanName, NAME_MAX_BYTES, toCaret } from "../src/report.ts";

const REPORT = fileURLToPath(new URL("../src/report.ts", import.meta.url));

function runVoice(code: string, stderr: "pipe" | number = "pipe") {
  const script = `import { reportError, reportNotice } from ${JSON.stringify(REPORT)};\n${code}`;
  const args = ["--no-warnings", "--input-type=module", "-e", script];
  return spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", stderr] });
}

describe("the stderr voice", () => {
  it.each([
    ["error", 'reportError("cannot read rules")', "isthmos: error: cannot read rules\n"],
    [
      "error and hint",
      'reportError("no such id", "copy it whole")',
      "isthmos: error: no such id\nisthmos: hint: copy it whole\n",
    ],
    ["notice", 'reportNotice("shadow mode")', "isthmos: notice: shadow mode\n"],
    ["foreign text", 'reportError("bad tool a\\nb\\x1b[2J")', "isthmos: error: bad tool a\\x0ab\\x1b[2J\n"],
  ])("%s: one clean line each, nothing on stdout", (_, code, expected) => {
    const { stdout, stderr, status } = runVoice(code);
    expect([stderr, stdout, status]).toEqual([expected, "", 0]);
  });

  it("takes a stderr that cannot be written for no error", () => {
    const readOnly = openSync(REPORT, "r");
    try {
      expect(runVoice('reportError("lost"); console.log("on")', readOnly)).toMatchObject({
        stdout: "on\n",
        status: 0,
      });
    } finally {
      closeSync(readOnly);
    }
  });
});

describe("cleanName", () => {
  it.each([
    ["plain", "mcp__github__list", "mcp__github__list"],
    ["empty", "", ""],
    ["other scripts stay", "工具 инструмент 🔧", "工具 инструмент 🔧"],
    ["C0", "a\x00\x07\x1b[31m\r\n\tb", "a\\x00\\x07\\x1b[31m\\x0d\\x0a\\x09b"],
    ["DEL and C1", "\x7f\x80\x9b", "\\x7f\\x80\\x9b"],
    ["bidi", "\u202egpj.exe\u2066\u200f\u061c", "\\u202egpj.exe\\u2066\\u200f\\u061c"],
    ["line separators", "a\u2028b\u2029", "a\\u2028b\\u2029"],
    ["lone surrogates", "\ud83d \udd27", "\\ud83d \\udd27"],
    ["not a key of Object", "__proto__", "__proto__"],
  ])("C13: %s", (_, text, expected) => {
    expect(cleanName(text)).toBe(expected);
    expect(cleanName(expected)).toBe(expected);
  });

  it.each([
    ["n - 1 bytes", "x".repeat(NAME_MAX_BYTES - 1), NAME_MAX_BYTES - 1],
    ["n bytes", "x".repeat(NAME_MAX_BYTES), NAME_MAX_BYTES],
    ["n + 1 bytes", "x".repeat(NAME_MAX_BYTES + 1), NAME_MAX_BYTES],
    ["2-byte characters over the edge", `x${"é".repeat(100)}`, 199],
    ["3-byte characters over the edge", "工".repeat(70), 198],
    ["4-byte characters over the edge", `x${"🔧".repeat(50)}`, 197],
    ["an escape over the edge", `${"x".repeat(198)}\x1b`, 198],
    ["a huge name", "\x1b".repeat(5_000_000), 200],
  ])("cuts on a character boundary: %s", (_, text, bytes) => {
    const clean = cleanName(text);
    expect(Buffer.byteLength(clean)).toBe(bytes);
    expect(clean).not.toMatch(/\\x?$|\\x\d$|\ufffd/);
  });
});

describe("toCaret", () => {
  it.each([
    ["text", "a b\n\tc é 工 🔧\n", "a b\n\tc é 工 🔧\n"],
    ["escape sequence", "\x1b[31mred\x1b[0m", "^[[31mred^[[0m"],
    ["carriage return, bell, NUL, DEL", "a\r\n\x07\x00\x7f", "a^M\n^G^@^?"],
    ["C1", "\u009b2J\u0085", "M-^[2JM-^E"],
    ["bidi and line separators", "\u202ex\u2028", "\\u202ex\\u2028"],
    ["byte order mark stays", "\ufeffx", "\ufeffx"],
  ])("%s", (_, text, expected) => {
    expect(toCaret(new TextEncoder().encode(text))).toBe(expected);
  });

  it("shows invalid UTF-8 as replacement characters", () => {
    expect(toCaret(Uint8Array.of(0x41, 0x9b, 0xff, 0x42))).toBe("A\ufffd\ufffdB");
  });
});
