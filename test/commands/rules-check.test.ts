// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type RulesCheckArgs, run } from "../../src/commands/rules-check.ts";
import { readEnv } from "../../src/env.ts";

const folder = mkdtempSync(join(tmpdir(), "isthmos-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function check(args: RulesCheckArgs, rulesFile = join(folder, "none.json")): Promise<[number, string]> {
  let out = "";
  const stdout = (data: string | Uint8Array) => {
    out += typeof data === "string" ? data : new TextDecoder().decode(data);
  };
  const env = readEnv({ HOME: folder, ISTHMOS_RULES: rulesFile }, () => folder);
  const code = await run(args, env, { stdout, isTerminal: false, now: new Date(0) });
  return [code, out.replaceAll(folder, "DIR")];
}

function put(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

it.each<[string, string, number, string[]]>([
  [
    "a clean file",
    '{"mode":"shadow","rules":[{"tool":"Bash","max_lines":8},{"tool":"","pass":true}]}',
    0,
    [
      "DIR/f.json: 2 rules, no problems, mode shadow",
      "rule 1, Bash: keeps 8 lines of longer text, 2 of them from the end",
      "rule 2, the empty name: nothing is changed, whatever other rules say",
    ],
  ],
  [
    "one rule and no store",
    '{"store":{"enabled":false},"rules":[{"tool":"x","dedup":true}]}',
    0,
    [
      "DIR/f.json: 1 rule, no problems, mode live",
      "store: off, so nothing is cut that could not be given back",
      "rule 1, x: collapses repeated lines",
    ],
  ],
  ["no rules", "[]", 0, ["DIR/f.json: 0 rules, no problems, mode live"]],
  [
    "problems",
    '[\n  {"tool":"x","max_line":5},\n  {"tool":"y","max_items":-1}\n]',
    1,
    [
      "DIR/f.json:2:15: warning: rule 1: max_line is unknown; did you mean max_lines?",
      "DIR/f.json:3:27: error: rule 2: max_items must be a whole number from 0 to 2147483648; the rule is left out",
    ],
  ],
  ["a broken file", '{"rules":[}', 1, ["DIR/f.json:1:11: error: not JSON: a value is missing"]],
  [
    "names that would move the cursor",
    '[{"tool":"a\\u001bc\\u202e","dedup":true}]',
    0,
    ["DIR/f.json: 1 rule, no problems, mode live", "rule 1, a\\x1bc\\u202e: collapses repeated lines"],
  ],
])("%s", async (_, text, code, lines) => {
  const file = put("f.json", text);
  const expected = [code, lines.map((line) => `${line}\n`).join("")];
  expect(await check({ file })).toEqual(expected);
  expect(await check({}, file)).toEqual(expected);
});

it("without a rules file nothing is wrong, but a named one must be there", async () => {
  expect(await check({})).toEqual([0, "DIR/none.json: no rules file, so nothing is changed\n"]);
  expect(await check({ file: join(folder, "none.json") })).toEqual([1, ""]);
});

it("a file that cannot be read fails", async () => {
  expect(await check({ file: folder })).toEqual([1, ""]);
});

it("says the same as JSON", async () => {
  const file = put("j.json", '[{"tool":"x","max_line":5},{"tool":"y","dedup":true}]');
  const [code, out] = await check({ file, json: true });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    file: "DIR/j.json",
    status: "ok",
    mode: "live",
    store: { enabled: true },
    rules: [
      { rule: 0, tool: "x", does: "nothing: it sets no limit" },
      { rule: 1, tool: "y", does: "collapses repeated lines" },
    ],
    problems: [
      {
        message: "rule 1: max_line is unknown; did you mean max_lines?",
        line: 1,
        column: 14,
        rule: 0,
        severity: "warning",
      },
    ],
  });
  expect(JSON.parse((await check({ file: folder, json: true }))[1])).toMatchObject({
    status: "unreadable",
    reason: "it is not a regular file",
    rules: [],
  });
});
