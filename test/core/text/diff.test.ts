// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { markDiffs } from "../../../src/core/text/diff.ts";
import { splitLines } from "../../../src/core/text/lines.ts";
import { FIXED } from "../../../src/core/text/marks.ts";
import { encode, numbered, render } from "./support.ts";

/** The lines of `text` that belong to diffs. */
function fixedLines(text: string): string[] {
  const lines = splitLines(encode(text));
  const marks = new Uint8Array(lines.count);
  markDiffs(lines, marks);
  return text.split("\n").filter((_, line) => ((marks[line] ?? 0) & FIXED) !== 0);
}

const HUNK = "@@ -1,3 +1,3 @@ f()\n a\n-b\n+c\n d";

describe("C8: what is a diff", () => {
  it.each([
    ["git", `diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${HUNK}`],
    ["two hunks", `--- x\n+++ x\n${HUNK}\n@@ -9 +9,2 @@\n-q\n+r\n+s`],
    [
      "no line end at the end of a file",
      "--- x\n+++ x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file",
    ],
    ["a blank context line without its space", "--- x\n+++ x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c"],
    ["a removed line that looks like a header", "--- x\n+++ x\n@@ -1,2 +1,1 @@\n--- a\n-b\n+c"],
    ["mode change", "diff --git a/x b/x\nold mode 100644\nnew mode 100755"],
    ["rename", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y"],
    ["binary, named only", "diff --git a/x b/x\nindex 1..2\nBinary files a/x and b/x differ"],
    [
      "binary patch",
      "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n",
    ],
    [
      "svn",
      `Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n${HUNK}`,
    ],
    ["diff -ru", `diff -ru old/x new/x\n--- old/x\n+++ new/x\n${HUNK}`],
    ["merge", "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,3 -1,2 +1,3 @@@\n  a\n- b\n -c\n++d\n +e"],
    ["context diff", "*** a\t1\n--- b\t2\n***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! c"],
    ["a hunk alone", HUNK],
    [
      "coloured",
      "\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[1m--- a/x\x1b[m\n\x1b[1m+++ b/x\x1b[m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[m\n a\n\x1b[31m-b\x1b[m\n\x1b[32m+\x1b[m\x1b[32mc\x1b[m",
    ],
  ])("%s", (_name, diff) => {
    for (const end of ["\n", "\r\n"]) {
      const text = `before\n${diff}\nafter\n`.replaceAll("\n", end);
      expect(fixedLines(text).join("\n")).toBe(diff.replaceAll("\n", end) + (end === "\n" ? "" : "\r"));
    }
  });

  it.each([
    ["a markdown rule", "---\ntitle: x\n---\n"],
    ["a list", "--- a\n--- b\n+++ c\n"],
    ["headers without a hunk", "--- a\n+++ b\nno hunk\n"],
    ["a hunk without lines", "@@ -1 +1 @@\nno line of it\n"],
    ["numbers that are none", "--- a\n+++ b\n@@ -x +1 @@\n a\n"],
    ["a decorator", "@@user\n@Override\n"],
    ["stars", "*** Running ***\n--- step\nok\n"],
    ["words", "diff of two things\nIndex: 3\n"],
  ])("is not %s", (_name, text) => expect(fixedLines(text)).toEqual([]));

  it.each([
    ["git log -p", "commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A\n\n    subject\n\n"],
    [
      "git format-patch",
      "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n---\n x | 2 +-\n\n",
    ],
    ["git log -p --oneline", "0123456 subject\n"],
  ])("takes in the commits between diffs: %s", (_name, header) => {
    const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n${HUNK}\n`;
    expect(fixedLines(`${header}${diff}${header}${diff}`)).toHaveLength(
      `${header}${diff}`.split("\n").length * 2 - 2,
    );
    expect(fixedLines(`a log\n${header}${diff}`)).toHaveLength(diff.split("\n").length - 1);
  });

  it("ends a hunk by its numbers, not by what follows", () => {
    expect(fixedLines(`--- x\n+++ x\n${HUNK}\n more\n-more\n`)).toHaveLength(7);
  });

  it("keeps what there is of a hunk that was cut short", () => {
    expect(fixedLines("--- x\n+++ x\n@@ -1,90 +1,90 @@\n a\n-b\nlog goes on\n")).toHaveLength(5);
  });
});

describe("C8: a diff in a longer text", () => {
  const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,62 +1,62 @@\n-a\n+${"b".repeat(900)}\n${" error: same\n".repeat(60)} e\n`;

  it("passes byte for byte, while the text around it is cut", () => {
    const out = render(`${numbered(300)}${diff}${numbered(300)}`, { maxLines: 20, maxStr: 50, dedup: true });
    expect(out).toContain(`\n${diff}`);
    expect(out.length).toBeLessThan(diff.length + 600);
  });

  it("is left alone where it is all there is", () => {
    expect(render(diff, { maxLines: 4, maxStr: 10, dedup: true })).toBe(diff);
    expect(render(diff, { maxLines: 4, maxStr: 10, dedup: true }, { unit: "whole" })).toBe(diff);
  });

  it("passes byte for byte in a string", () => {
    expect(render(`${numbered(300)}${diff}${numbered(300)}`, { maxStr: 400 }, { unit: "whole" })).toContain(
      `\n${diff}`,
    );
  });
});

describe("C8: git takes what is left", () => {
  let folder: string;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" },
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "isthmos-diff-"));
    git("init", "-q");
    writeFileSync(join(folder, "a.txt"), numbered(200));
    writeFileSync(join(folder, "crlf.txt"), numbered(50).replaceAll("\n", "\r\n"));
    writeFileSync(
      join(folder, "bin"),
      Uint8Array.from({ length: 600 }, (_, i) => (i * 7) % 256),
    );
    writeFileSync(join(folder, "moved.txt"), numbered(30));
    git("add", ".");
    git("commit", "-qm", "one");
    writeFileSync(
      join(folder, "a.txt"),
      numbered(200, { 5: "error: x   ", 100: "y".repeat(500), 200: "end" }).trimEnd(),
    );
    writeFileSync(join(folder, "crlf.txt"), numbered(50, { 9: "q" }).replaceAll("\n", "\r\n"));
    writeFileSync(
      join(folder, "bin"),
      Uint8Array.from({ length: 600 }, (_, i) => (i * 11) % 256),
    );
    renameSync(join(folder, "moved.txt"), join(folder, "here.txt"));
    git("add", ".");
    git("commit", "-qm", "two");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const limits = { maxLines: 6, maxStr: 60, dedup: true };
  it.each([
    ["alone", "", ""],
    ["after a log", numbered(500), ""],
    ["before a log", "", numbered(500)],
    ["within a log", numbered(500), numbered(500)],
    ["among equal lines", "a line of the log\n".repeat(50), "a line of the log\n".repeat(50)],
  ])("%s", (_name, before, after) => {
    const patch = git("diff", "--binary", "-M", "HEAD~1", "HEAD");
    const out = render(`${before}${patch}${after}`, limits);
    expect(out.length).toBeLessThan(patch.length + 400);
    expect(out).toContain(patch);
    writeFileSync(join(folder, "out.patch"), out);
    git("checkout", "-q", "HEAD~1");
    try {
      git("apply", "--check", "out.patch");
    } finally {
      git("checkout", "-q", "-");
    }
  });

  it.each([
    ["log", "-p", "--stat"],
    ["format-patch", "--stdout", "--root", "HEAD"],
    ["show", "HEAD"],
  ])("git %s", (...args) => {
    const text = git(...args);
    const out = render(text, limits);
    // Of a mail, the signature after the last hunk is no patch.
    expect(`${out}\n`.startsWith(text.slice(0, text.lastIndexOf("\n-- \n")))).toBe(true);
  });
});
