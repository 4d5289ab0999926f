// SPDX-License-Identifier: Apache-2.0
// The package as a user gets it: packed, installed without a network, imported, type-checked and run.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, readVersion } from "../../scripts/build/project.ts";
import { packPackage } from "../../scripts/check/package.ts";

const TSC = join(ROOT, "node_modules/typescript/bin/tsc");
const TSCONFIG = {
  strict: true,
  module: "nodenext",
  target: "es2022",
  noEmit: true,
  types: [],
  skipLibCheck: false,
};

let project = "";

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: project, encoding: "utf8" });
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "isthmos-library-"));
  const tarball = packPackage(project);
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "user", version: "1.0.0", private: true }),
  );
  run("npm", "install", "--offline", "--no-audit", "--no-fund", tarball);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

it("is installed alone, without dependencies", () => {
  expect(readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "isthmos",
  ]);
});

it("gives the same functions to import and to require", () => {
  const list = "console.log(JSON.stringify(Object.keys(m).filter((k) => k !== 'default').sort()))";
  writeFileSync(join(project, "list.mjs"), `import * as m from "isthmos"; ${list}`);
  writeFileSync(join(project, "list.cjs"), `const m = require("isthmos"); ${list}`);
  const imported: unknown = JSON.parse(run(process.execPath, "list.mjs"));
  expect(imported).toEqual(JSON.parse(run(process.execPath, "list.cjs")));
  expect(imported).not.toEqual([]);
});

it.each(["use.mts", "use.cts"])("its types are found from %s", (name) => {
  const wrong = 'import { thisIsNotExported } from "isthmos";\nconsole.log(thisIsNotExported);\n';
  const right =
    'import * as isthmos from "isthmos";\nconst names: string[] = Object.keys(isthmos);\nexport default names;\n';
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: TSCONFIG, files: [name] }));
  writeFileSync(join(project, name), wrong);
  expect(() => run(process.execPath, TSC, "-p", ".")).toThrow();
  writeFileSync(join(project, name), right);
  expect(run(process.execPath, TSC, "-p", ".")).toBe("");
});

it("brings the command, which knows its version", () => {
  expect(run("npx", "--offline", "isthmos", "version")).toContain(readVersion());
});

describe("on a Node.js that is too old", () => {
  const input = "some output\n";

  it.each([
    ["C1: the hook answers nothing", "hook", 0, ""],
    ["C1: the filter copies its input", "filter", 0, input],
    ["other commands fail", "stats", 1, ""],
  ])("%s", (_, command, code, stdout) => {
    writeFileSync(
      join(project, "old.cjs"),
      "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });",
    );
    const args = ["--require", "./old.cjs", "node_modules/isthmos/dist/bin.cjs", command];
    const result = spawnSync(process.execPath, args, { cwd: project, input, encoding: "utf8" });
    expect(result).toMatchObject({ status: code, stdout });
    expect(result.stderr).toContain("Node.js 22.15 or later is needed, this is 18.20.8");
  });
});
