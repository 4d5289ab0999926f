// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runsOnlyHook } from "../../../../src/hosts/claude-code/hook-command.ts";
import { quoteCommand } from "../../../../src/hosts/claude-code/install/quote.ts";

describe("quoteCommand", () => {
  it.each([
    ["/usr/bin/isthmos", "/usr/bin/isthmos hook"],
    ["/opt/a b/isthmos", "'/opt/a b/isthmos' hook"],
    ["/opt/it's/isthmos", '"/opt/it\'s/isthmos" hook'],
    ["/opt/$HOME/isthmos", "'/opt/$HOME/isthmos' hook"],
    ["/opt/it's $5/isthmos", '"/opt/it\'s \\$5/isthmos" hook'],
    ['/opt/a"b/isthmos', "'/opt/a\"b/isthmos' hook"],
    ["C:\\Program Files\\isthmos\\isthmos.exe", '"C:/Program Files/isthmos/isthmos.exe" hook'],
    ["C:\\tools\\isthmos.exe", "C:/tools/isthmos.exe hook"],
    ["\\\\server\\share it\\isthmos.exe", '"//server/share it/isthmos.exe" hook'],
  ])("%s", (program, expected) => {
    const line = quoteCommand([program, "hook"]);
    expect(line).toBe(expected);
    expect(runsOnlyHook(line)).toBe(true);
  });

  it.each(["/a b/c", "/it's", "/$x/`y`", '/"q"', "/back\\slash", '/it\'s "$x" `y` \\z', "/ünï"])(
    "a shell reads %s as it is",
    (word) => {
      const out = execFileSync("/bin/sh", ["-c", `printf %s ${quoteCommand([word])}`]);
      expect(out.toString()).toBe(word);
    },
  );
});
