// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { setFaultPoint } from "../src/files.ts";
import { loadRulesFile } from "../src/rules-file.ts";

const folder = mkdtempSync(join(tmpdir(), "isthmos-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("loadRulesFile", () => {
  it("reads a file, and one that is linked", () => {
    const path = put("good.json", '// mine\n{"mode":"shadow","rules":[{"tool":"Bash","max_lines":3},{}]}');
    symlinkSync(path, join(folder, "link.json"));
    for (const name of ["good.json", "link.json"]) {
      const loaded = loadRulesFile(join(folder, name));
      expect(loaded).toMatchObject({ path: join(folder, name), status: "ok", settings: { mode: "shadow" } });
      expect(loaded.reason).toBeUndefined();
      expect(loaded.settings.rules.map((rule) => rule.maxLines)).toEqual([3]);
      expect(loaded.problems.map(({ line, message }) => [line, message])).toEqual([
        [2, "rule 2: tool is missing; the rule is left out"],
      ]);
    }
  });

  it.each([
    ["a missing file", () => join(folder, "nowhere.json")],
    ["a missing folder", () => join(folder, "no", "where.json")],
    ["a path through a file", () => join(put("file.json", "{}"), "x.json")],
  ])("C1: %s is no error and has no rules", (_, path) => {
    const loaded = loadRulesFile(path());
    expect(loaded).toMatchObject({ status: "missing", settings: { mode: "live", rules: [] } });
    expect([loaded.reason, loaded.problems]).toEqual([undefined, []]);
  });

  it.each<[string, () => string, string, string]>([
    ["a folder", () => folder, "unreadable", "it is not a regular file"],
    [
      "links in a circle",
      () => {
        symlinkSync("circle.json", join(folder, "circle.json"));
        return join(folder, "circle.json");
      },
      "unreadable",
      "its links lead in a circle",
    ],
    ["a name with a NUL", () => "a\0b", "unreadable", "cannot be read (ERR_INVALID_ARG_VALUE)"],
    [
      "too large a file",
      () => put("large.json", `[]${" ".repeat(1024 * 1024 - 1)}`),
      "unreadable",
      "the file is larger than 1048576 bytes",
    ],
    [
      "no UTF-8",
      () => put("latin.json", new Uint8Array([0x5b, 0xe9, 0x5d])),
      "invalid",
      "the file is not UTF-8",
    ],
    ["no JSON", () => put("broken.json", "{\n"), "invalid", 'not JSON: a "}" is missing'],
    ["an empty file", () => put("empty.json", ""), "invalid", "the file is empty"],
    [
      "another value",
      () => put("text.json", '"x"'),
      "invalid",
      "the file must be an object with rules, or a list of rules",
    ],
  ])("C1: %s gives no rules and the reason", (_, path, status, reason) => {
    const loaded = loadRulesFile(path());
    expect(loaded).toMatchObject({ status, settings: { mode: "live", rules: [] } });
    expect(loaded.reason).toBe(reason);
    expect(loaded.problems.map((problem) => [problem.severity, problem.message])).toEqual([
      ["error", reason],
    ]);
  });

  it("reads the largest file that is allowed", () => {
    expect(loadRulesFile(put("full.json", `[]${" ".repeat(1024 * 1024 - 2)}`)).status).toBe("ok");
  });

  it.each([
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["EIO", "cannot be read (EIO)"],
  ])("C1: %s: %s", (code, reason) => {
    // Not by the file's mode: the superuser may read everything.
    setFaultPoint(() => {
      throw Object.assign(new Error("broken"), { code });
    });
    try {
      expect(loadRulesFile(put("secret.json", "[]"))).toMatchObject({ status: "unreadable", reason });
    } finally {
      setFaultPoint(undefined);
    }
  });

  it("C1: every file operation may fail", () => {
    const path = put("fine.json", '[{"tool":"t"}]');
    const failures: string[] = [];
    for (let k = 1; ; k++) {
      let failed = false;
      setFaultPoint((operation, count) => {
        if (count !== k) return;
        failed = true;
        failures.push(operation);
        throw Object.assign(new Error("broken"), { code: "EIO" });
      });
      try {
        const loaded = loadRulesFile(path);
        expect(loaded.status).toBe(failed ? "unreadable" : "ok");
        expect(loaded.reason).toBe(failed ? "cannot be read (EIO)" : undefined);
      } finally {
        setFaultPoint(undefined);
      }
      if (!failed) break;
    }
    expect(failures).toEqual(["open", "read"]);
  });

  it("C1: a device or a pipe at the file's name is not waited for", () => {
    const pipe = join(folder, "pipe");
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", pipe]);
    expect(["/dev/null", pipe].map((path) => loadRulesFile(path).status)).toEqual([
      "unreadable",
      "unreadable",
    ]);
  });
});
