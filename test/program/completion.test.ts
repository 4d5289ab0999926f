// SPDX-License-Identifier: Apache-2.0
// Completion and manual page of the real command tree.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SCRIPTS, SHELLS } from "../../src/commands/completion/scripts.ts";
import { readEnv } from "../../src/env.ts";
import { runProgram } from "../../src/program.ts";
import { captureIo } from "../support/io.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-completion-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...argv: string[]) {
  const io = captureIo();
  const env = readEnv({ HOME: home }, () => home);
  const code = await runProgram(argv, env, io);
  return { code, out: io.written() };
}

function writeRules(...tools: string[]): void {
  mkdirSync(join(home, ".config/isthmos"), { recursive: true });
  const rules = tools.map((tool) => ({ tool, max_lines: 9 }));
  writeFileSync(join(home, ".config/isthmos/rules.json"), JSON.stringify({ rules }));
}

describe("isthmos completion", () => {
  it.each(SHELLS)("prints the script of %s", async (shell) => {
    expect(await run("completion", shell)).toEqual({ code: 0, out: SCRIPTS[shell] });
  });

  it.each([[["completion"]], [["completion", "tcsh"]]])("answers exit code 2 for %j", async (argv) => {
    expect(await run(...argv)).toEqual({ code: 2, out: "" });
  });
});

describe("isthmos complete", () => {
  it.each([
    [["bash", "--", "stat"], "stats\twhat was saved, per tool and in all\n"],
    [["bash", "--", "completion", "z"], "zsh\t\n"],
    [["bash", "--", "rules", "ch"], /^check\t/],
    [["bash", "--", "rules", "check", ""], ":files\n"],
    [["zsh", "--", "stats", "-si"], /^-since\t/],
    [["zsh", "--", "stats", "--file="], ":files\n"],
    [["bash", "--", "stats", "--file", "=", "a"], ":files\n"],
    [["bash", "--", "stats", "--file", "="], ":files\n"],
    [["bash", "--", "init", "--scope", ""], "user\t\nproject\t\nlocal\t\n"],
    [["bash", "--", "init", "--route", "r"], "resident\t\n"],
    [["bash", "--", "uninstall", "-agent", "claude"], /^claude-code\t$/m],
    [["fish", "--", "nope", ""], ""],
    [["fish", "--"], /^hook\t/m],
  ])("answers %j", async (argv, expected) => {
    const { code, out } = await run("complete", ...argv);
    expect(code).toBe(0);
    if (typeof expected === "string") expect(out).toBe(expected);
    else expect(out).toMatch(expected);
  });

  it("is in no list of commands", async () => {
    expect((await run("--help")).out).not.toMatch(/^ +complete /m);
    expect((await run("complete", "bash", "--", "comp")).out).toMatch(/^completion\t.*\n$/);
  });

  it("names the tools that rules spell out", async () => {
    writeRules("mcp__github__*", "{Bash,Read}", "*", "a?c", "x[yz]", "back\\*slash", "tab\there");
    const { out } = await run("complete", "bash", "--", "filter", "--tool", "");
    expect(out).toBe("Bash\t\nRead\t\nback*slash\t\nmcp__github__\t\n");
  });

  it("gives the whole word to fish, and what follows the equals sign to the others", async () => {
    writeRules("Bash");
    const words = ["--", "filter", "--tool=B"];
    expect((await run("complete", "fish", ...words)).out).toBe("--tool=Bash\t\n");
    expect((await run("complete", "zsh", ...words)).out).toBe("Bash\t\n");
    expect((await run("complete", "bash", "--", "filter", "--tool", "=", "B")).out).toBe("Bash\t\n");
  });

  it("answers nothing where the rules file cannot be used", async () => {
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(join(home, ".config/isthmos/rules.json"), "{");
    expect(await run("complete", "bash", "--", "filter", "--tool", "")).toEqual({ code: 0, out: "" });
  });
});

describe("isthmos man", () => {
  it("has every command with its options, in valid roff", async () => {
    const { code, out } = await run("man");
    expect(code).toBe(0);
    for (const words of ["hook", "filter", "rules check", "completion"]) {
      expect(out).toContain(`.SS isthmos ${words}`);
    }
    expect(out).toMatch(/^\.SS isthmos reveal \\fIid\\fR$/m);
    expect(out).toMatch(/^\\fB\\-\\-since\\fR \\fIduration\\fR$/m);
    expect(out).not.toMatch(/^\.SS isthmos (complete|help)\b/m);
    // Only macros and escapes that every man knows.
    for (const [, macro] of out.matchAll(/^\.(\S+)/gm))
      expect(["TH", "SH", "SS", "TP", "PP", "B", "I"]).toContain(macro);
    for (const [sequence] of out.matchAll(/\\.{1,2}/g)) expect(sequence).toMatch(/^\\(-|e|&|f[IRB])/);
    expect(out).not.toMatch(/^'/m);
  });

  it("is read by groff without a warning, where that is installed", async () => {
    const { out } = await run("man");
    const { error, stderr } = spawnSync("groff", ["-man", "-Tascii", "-ww", "-z"], {
      input: out,
      encoding: "utf8",
    });
    expect(error === undefined ? stderr : "").toBe("");
  });
});
