// SPDX-License-Identifier: Apache-2.0
// The scripts in the shells themselves, with a stand-in for isthmos that shows what it was asked. bash is on every
// machine; the others are tried where they are installed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCRIPTS, SHELLS, type Shell } from "../../../src/commands/completion/scripts.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "isthmos-completion-"));
  for (const shell of SHELLS) writeFileSync(join(folder, `script.${shell}`), SCRIPTS[shell]);
  // The words it was asked for go to a file; `:files` for a first word "files", else two candidates.
  const standIn = [
    "#!/bin/sh",
    'for word in "$@"; do printf "<%s>" "$word"; done >asked',
    'if [ "$4" = files ]; then echo ":files"; exit; fi',
    "printf 'plain\\twhat it is\\nodd $(touch evaluated) name\\ta: b\\n'",
  ];
  writeFileSync(join(folder, "isthmos"), `${standIn.join("\n")}\n`, { mode: 0o755 });
  writeFileSync(join(folder, "a file"), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the shell is not installed, the text of its script is what is tested. */
function describeIn(shell: Shell, tests: () => void): void {
  if (spawnSync(shell, ["-c", "exit 0"]).status === 0) describe(shell, tests);
}

/** What `script` prints in the shell, with the completion script loaded. */
function runShell(shell: Shell, script: string): string {
  const flags = shell === "zsh" ? ["-f"] : shell === "bash" ? ["--norc"] : ["--no-config"];
  return execFileSync(shell, [...flags, "-c", script], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: "dumb" },
    encoding: "utf8",
  });
}

function asked(): string {
  return execFileSync("cat", ["asked"], { cwd: folder, encoding: "utf8" });
}

describe("bash", () => {
  /** Completes the last of `words`. */
  const complete = (...words: string[]): string => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const options = 'compopt() { echo "compopt $*"; }';
    // Twice: a second load must not fail.
    const load = "set -u; source script.bash; source script.bash";
    const call = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _isthmos; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return runShell("bash", `${load}; ${options}; ${call}`);
  };

  it("hands the words over as they are, evaluates none of them, and quotes the candidates", () => {
    expect(complete("isthmos", "x $(touch evaluated)", "--a", "=", "")).toBe(
      "plain\nodd\\ \\$\\(touch\\ evaluated\\)\\ name\n",
    );
    expect(asked()).toBe("<complete><bash><--><x $(touch evaluated)><--a><=><>");
    expect(existsSync(join(folder, "evaluated"))).toBe(false);
  });

  it("leaves files to the shell", () =>
    expect(complete("isthmos", "files", "")).toBe("compopt -o default\n\n"));

  it("is registered for isthmos", () => {
    expect(runShell("bash", "source script.bash; complete -p isthmos")).toBe(
      "complete -F _isthmos isthmos\n",
    );
  });
});

describeIn("zsh", () => {
  const complete = (...words: string[]): string => {
    const stubs = [
      "compdef() { print registered $2 }",
      "compset() { print compset }",
      "_files() { print files }",
      "_describe() { eval print -rl -- '$'$4 }",
    ];
    const list = words.map((word) => `'${word}'`).join(" ");
    const call = `words=(${list}); CURRENT=${words.length}; PREFIX='${words.at(-1)}'; _isthmos`;
    return runShell("zsh", `${stubs.join("; ")}; source ./script.zsh; ${call}`);
  };

  it("hands the words over unquoted, evaluates none, and describes the candidates", () => {
    expect(complete("isthmos", "a\\ b", "x$(touch evaluated)")).toBe(
      "registered isthmos\nplain:what it is\nodd $(touch evaluated) name:a\\: b\n",
    );
    expect(asked()).toBe("<complete><zsh><--><a b><x$(touch evaluated)>");
    expect(existsSync(join(folder, "evaluated"))).toBe(false);
  });

  it("completes behind an equals sign, and leaves files to the shell", () => {
    expect(complete("isthmos", "files", "--file=a")).toBe("registered isthmos\ncompset\nfiles\n");
  });
});

describeIn("fish", () => {
  const complete = (line: string): string => runShell("fish", `source script.fish; complete -C '${line}'`);

  it("hands the words over, evaluates none, and shows descriptions", () => {
    expect(complete("isthmos x ")).toBe("odd $(touch evaluated) name\ta: b\nplain\twhat it is\n");
    expect(asked()).toBe("<complete><fish><--><x><>");
    expect(existsSync(join(folder, "evaluated"))).toBe(false);
  });

  it("lists files, behind an equals sign too", () => {
    expect(complete("isthmos files a")).toMatch(/^a file$/m);
    expect(complete("isthmos files --file=a")).toMatch(/^--file=a file$/m);
  });
});

describe.each(SHELLS)("the script for %s", (shell) => {
  it("asks isthmos, evaluates nothing, and ends with a line feed", () => {
    expect(SCRIPTS[shell]).toContain(`command isthmos complete ${shell} --`);
    expect(SCRIPTS[shell]).not.toMatch(/\beval\b|compgen|readonly/);
    expect(SCRIPTS[shell]).toMatch(/[^\n]\n$/);
  });
});
