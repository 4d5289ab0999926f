// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import {
  isHookCall,
  isIsthmos,
  runsHook,
  runsOnlyHook,
} from "../../../src/hosts/claude-code/hook-command.ts";

describe("runsHook", () => {
  it.each([
    "isthmos",
    "isthmos hook",
    "  isthmos   hook  ",
    "$HOME/.local/bin/isthmos hook",
    "ISTHMOS_SHADOW=1 $HOME/.local/bin/isthmos hook",
    `"\${CLAUDE_PLUGIN_ROOT}/bin/isthmos" hook`,
    "'/opt/my tools/isthmos' hook",
    "C:\\tools\\isthmos.exe hook",
    "isthmos hook || true",
    "isthmos hook 2>/dev/null",
    "isthmos 2>>/tmp/log",
    "[ -x /opt/isthmos ] && /opt/isthmos hook",
    "env A=1 isthmos hook",
    "exec isthmos hook",
    "timeout 5 isthmos hook",
    "nice -n 5 isthmos hook",
    "npx isthmos hook",
    "if true; then isthmos hook; fi",
    "{ isthmos hook; }",
    "sh -c 'isthmos hook || true'",
    "bash -lc 'isthmos hook'",
    "isthmos hook --agent claude",
  ])("%j does", (command) => {
    expect(runsHook(command)).toBe(true);
  });

  it.each([
    "",
    "isthmos stats",
    "isthmos filter -tool Bash",
    "isthmos hooks",
    "rtk hook",
    "echo isthmos hook",
    "my-isthmos hook",
    "isthmos-tests hook",
    "/opt/isthmos/run hook",
    "A=isthmos hook",
    "'isthmos hook'",
    "sh isthmos hook",
    "sh -c",
    "# isthmos hook",
  ])("%j does not", (command) => {
    expect(runsHook(command)).toBe(false);
  });

  it("C15: is linear", () => {
    const started = process.cpuUsage();
    expect(runsHook("sh -c 'x' ; ".repeat(200_000))).toBe(false);
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });
});

describe("isHookCall", () => {
  it.each([
    ["/opt/isthmos", [], true],
    ["isthmos", ["hook"], true],
    ["isthmos.exe", ["hook", "--agent", "claude"], true],
    ["isthmos", ["mcp"], false],
    ["sh", ["-c", "isthmos hook"], true],
    ["sh", ["isthmos", "hook"], false],
    // Without a shell a command line is one program's name.
    ["isthmos hook", [], false],
  ])("%s %j: %s", (program, args, expected) => {
    expect(isHookCall(program, args)).toBe(expected);
  });
});

describe("runsOnlyHook", () => {
  it.each([
    "isthmos hook",
    "isthmos hook || true",
    "[ -x /opt/isthmos ] && /opt/isthmos hook",
    "isthmos hook >/dev/null 2>&1; exit 0",
    "A=1 timeout 5 isthmos",
  ])("%j does", (command) => expect(runsOnlyHook(command)).toBe(true));

  it.each(["", "true", "isthmos stats", "log; isthmos hook", "isthmos hook | tee x", "sh -c 'isthmos hook'"])(
    "%j does not",
    (command) => expect(runsOnlyHook(command)).toBe(false),
  );
});

describe("isIsthmos", () => {
  it.each([
    ["/usr/bin/isthmos", []],
    ["C:\\x\\isthmos.exe", ["mcp"]],
    ["/opt/isthmos-linux-x64", []],
    ["isthmos-darwin-arm64", []],
    ["node", ["/usr/lib/node_modules/isthmos/dist/bin.cjs", "hook"]],
    ["/usr/bin/node", ["/usr/bin/isthmos", "hook"]],
  ])("%s %j is", (program, args) => expect(isIsthmos(program, args)).toBe(true));

  it.each([
    ["isthmos-logger", []],
    ["node", ["/srv/other/main.js"]],
    ["node", []],
    ["python", ["/x/isthmos/main.py"]],
  ])("%s %j is not", (program, args) => expect(isIsthmos(program, args)).toBe(false));
});
