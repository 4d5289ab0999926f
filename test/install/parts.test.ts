// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import example from "../../rules.example.json" with { type: "json" };
import { parseRules } from "../../src/core/rules/parse.ts";
import { diffLines, showLine } from "../../src/install/diff.ts";
import { InstallError } from "../../src/install/install-error.ts";
import { findProgram } from "../../src/install/program.ts";
import {
  loadRecord,
  NO_RECORD,
  placeKey,
  readRecord,
  recordFile,
  writeRecord,
} from "../../src/install/record.ts";
import { editRules, starterRules } from "../../src/install/rules.ts";
import { Undo } from "../../src/install/undo.ts";
import { JsoncError } from "../../src/jsonc/document.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "isthmos parts ")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("diffLines", () => {
  it.each([
    ["a\nb\n", "a\nb\n", []],
    ["", "a\n", ["+a"]],
    ["a\n", "", ["-a"]],
    ["a\nb\nc\n", "a\nx\nc\n", [" a", "-b", "+x", " c"]],
    ["1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\n5\nx\n", ["@@", " 4", " 5", "-6", "+x"]],
    [
      "a\n2\n3\n4\n5\n6\n7\nb",
      "A\n2\n3\n4\n5\n6\n7\nB",
      ["-a", "+A", " 2", " 3", "@@", " 6", " 7", "-b", "+B"],
    ],
  ])("%j → %j", (before, after, expected) => expect(diffLines(before, after)).toEqual(expected));

  it("shows no control characters", () => expect(showLine("+\t\x1b[2Ja\r")).toBe("    +  \\x1b[2Ja"));
});

describe("findProgram", () => {
  const put = (name: string) => {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, "");
    return path;
  };

  it("takes the name in PATH that leads to this program", () => {
    const own = put("lib/isthmos-linux-x64");
    mkdirSync(join(folder, "bin"));
    symlinkSync(own, join(folder, "bin/isthmos"));
    expect(findProgram([own], [join(folder, "none"), join(folder, "bin")])).toEqual([
      join(folder, "bin/isthmos"),
    ]);
    expect(findProgram(["/usr/bin/node", own], [join(folder, "bin")])).toEqual([join(folder, "bin/isthmos")]);
  });

  it("takes its own path where another program has the name", () => {
    put("bin/isthmos");
    const own = put("a b/isthmos");
    expect(findProgram([own], [join(folder, "bin")])).toEqual([own]);
    expect(findProgram(["/usr/bin/node", own], [])).toEqual(["/usr/bin/node", own]);
  });

  it("refuses a copy that npm made for one call", () =>
    expect(() => findProgram(["node", put("_npx/1a/isthmos/bin.cjs")], [])).toThrow(InstallError));
});

describe("editRules", () => {
  const edit = (text: string | undefined, mode?: "shadow" | "live") => editRules("r", mode).edit(text);

  it("writes the shipped example, without the schema that does not lie beside it", () => {
    const { $schema: _, ...rest } = example;
    expect(JSON.parse(edit(undefined, "shadow") ?? "")).toEqual(rest);
    expect(parseRules(starterRules("live")).problems).toEqual([]);
    expect(starterRules("shadow")).toContain('"drop_keys": ["node_id", ');
  });

  it.each([
    ['{"rules":[]}', undefined, '{"rules":[]}'],
    ['{"mode":"live"}', undefined, '{"mode":"live"}'],
    ['{"rules":[]}', "live", '{"rules":[],"mode":"live"}'],
    [
      '{\n  "$schema": "./s.json",\n  "mode": "live", // on\n}\n',
      "shadow",
      '{\n  "$schema": "./s.json",\n  "mode": "shadow", // on\n}\n',
    ],
    ['\uFEFF{"mode":"off"}', "live", '\uFEFF{"mode":"live"}'],
    ['// top\n[{"tool":"x"}]\n', "live", '// top\n{\n  "mode": "live",\n  "rules": [{"tool":"x"}]\n}\n'],
    ['{"mode":"live"}', "live", '{"mode":"live"}'],
  ] as const)("%j to %s", (text, mode, expected) => {
    const out = edit(text, mode);
    expect(out).toBe(expected);
    if (mode !== undefined) expect(parseRules(out ?? "").settings.mode).toBe(mode);
  });

  it("refuses a file that is none, with the line", () =>
    expect(() => edit('{\n"a"', "live")).toThrow(JsoncError));
});

describe("the record", () => {
  const record = {
    wired: [{ agent: "claude-code", scope: "local" as const, folder: "/p" }],
    files: [
      {
        path: "/f",
        before: null,
        after: "x",
        backups: ["/b"],
        folders: [],
        places: ["claude-code local /p"],
      },
    ],
    rules: { path: "/r", hash: "h" },
  };

  it("is read as it was written, and goes with its last entry", () => {
    writeRecord(folder, record);
    expect(readRecord(folder)).toEqual(record);
    writeRecord(folder, NO_RECORD);
    expect(readRecord(folder)).toEqual(NO_RECORD);
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"wired":1,"files":[1,{"path":2}],"rules":{}}',
    '{"wired":[{"agent":"a","scope":"all"}]}',
  ])("says nothing where it is %j", (text) => {
    writeFileSync(recordFile(folder), text);
    expect(readRecord(folder)).toEqual(NO_RECORD);
  });

  it("that is there and cannot be read is an error, not a lost one", () => {
    mkdirSync(recordFile(folder));
    expect(readRecord(folder)).toEqual(NO_RECORD);
    expect(() => loadRecord(folder)).toThrow(/cannot read the install record .*EINVAL/);
  });

  it("tells places apart", () => {
    const keys = [
      placeKey({ agent: "a", scope: "user" }),
      placeKey({ agent: "a", scope: "local", folder: "/x" }),
      placeKey({ agent: "a", scope: "local", folder: "/y" }),
      placeKey({ agent: "a", scope: "project", folder: "/x" }),
    ];
    expect(new Set(keys).size).toBe(4);
  });
});

it("Undo takes back in reverse, past steps that fail", () => {
  const seen: number[] = [];
  const undo = new Undo();
  undo.add(() => seen.push(1));
  undo.add(() => {
    throw new Error("no");
  });
  undo.add(() => seen.push(3));
  expect(undo.run()).toBe(false);
  expect(seen).toEqual([3, 1]);
  expect(undo.run()).toBe(true);
});
