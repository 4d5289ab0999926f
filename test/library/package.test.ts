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

// A glob with braces, so that the bundled micromatch is loaded; a store, so that crypto and zstd are.
const PROGRAM = `
const rules = parseRules('{ "rules": [{ "tool": "mcp__{github,gitlab}__*", "max_items": 5 }] }').settings;
const store = openStore({ stateDir: "state", keyFile: "state/key" });
const payload = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, title: "issue " + id })));
const result = compress(payload, { tool: "mcp__gitlab__list", rules, store });
const original = store.load(result.id ?? "");
const same = original.status === "ok" && new TextDecoder().decode(original.bytes) === payload;
console.log(JSON.stringify({ items: JSON.parse(new TextDecoder().decode(result.output)).length, same, version: VERSION }));
`;
const NAMES = "{ compress, openStore, parseRules, VERSION }";

it.each([
  ["import", "use.mjs", `import ${NAMES} from "isthmos";`],
  ["require", "use.cjs", `const ${NAMES} = require("isthmos");`],
])("compresses and gives back, loaded by %s", (_, name, head) => {
  writeFileSync(join(project, name), head + PROGRAM);
  expect(JSON.parse(run(process.execPath, name))).toEqual({ items: 6, same: true, version: readVersion() });
});

it.each(["use.mts", "use.cts"])("its types are found from %s", (name) => {
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: TSCONFIG, files: [name] }));
  const check = (program: string): string => {
    writeFileSync(join(project, name), `import ${NAMES} from "isthmos";${program}`);
    return run(process.execPath, TSC, "-p", ".");
  };
  expect(check(PROGRAM)).toBe("");
  expect(() => check(PROGRAM.replace("result.id", "result.noSuchField"))).toThrow();
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
