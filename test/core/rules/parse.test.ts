// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { parseRules, RULES_MAX_BYTES } from "../../../src/core/rules/parse.ts";
import type { Problem } from "../../../src/core/rules/settings.ts";

const LIMIT = "must be a whole number from 0 to 2147483648";

function show({ line, column, severity, message }: Problem): string {
  return `${line}:${column} ${severity}: ${message}`;
}

/** The file's rules without what they leave at its default. */
function rulesOf(text: string): object[] {
  return parseRules(text).settings.rules.map(({ matches, ...rule }) => {
    expect(matches(rule.tool)).toBe(true);
    const unset = [false, "pass"] as unknown[];
    return Object.fromEntries(
      Object.entries(rule).filter(
        ([, value]) => !unset.includes(value) && !(Array.isArray(value) && value.length === 0),
      ),
    );
  });
}

describe("what a file says", () => {
  it.each<[string, string, object[]]>([
    ["nothing", "{}", []],
    ["an empty list", "[]", []],
    ["a bare list of rules", '[{"tool":"Bash","max_lines":5}]', [{ tool: "Bash", index: 0, maxLines: 5 }]],
    ["an object with rules", '{"rules":[{"tool":"Bash"}]}', [{ tool: "Bash", index: 0 }]],
    [
      "every field",
      `{"rules":[{"tool":"t","drop_keys":["a","*_b"],"max_items":1,"max_lines":2,"keep_last":3,"max_str":4,
        "max_bytes":9,"head_bytes":6,"tail_bytes":7,"profile":"sutra","dedup":true,"min_bytes":5,"compact":true,"strip_ansi":true,"collapse_cr":true,"spilled":"excerpt","pass":true,"why":"seen"}]}`,
      [
        {
          tool: "t",
          index: 0,
          dropKeys: ["a", "*_b"],
          maxItems: 1,
          maxLines: 2,
          keepLast: 3,
          maxStr: 4,
          maxBytes: 9,
          headBytes: 6,
          tailBytes: 7,
          profile: "sutra",
          dedup: true,
          minBytes: 5,
          compact: true,
          stripAnsi: true,
          collapseCr: true,
          spilled: "excerpt",
          pass: true,
          why: "seen",
        },
      ],
    ],
    [
      "0 is no limit",
      '[{"tool":"t","max_items":0,"max_lines":0,"max_str":0,"min_bytes":0}]',
      [{ tool: "t", index: 0 }],
    ],
    ["keep_last 0 is something", '[{"tool":"t","keep_last":0}]', [{ tool: "t", index: 0, keepLast: 0 }]],
    [
      "other spellings of whole numbers",
      '[{"tool":"t","max_items":1e2,"max_str":2.0}]',
      [{ tool: "t", index: 0, maxItems: 100, maxStr: 2 }],
    ],
    [
      "the largest limit",
      '[{"tool":"t","max_items":2147483648}]',
      [{ tool: "t", index: 0, maxItems: 2147483648 }],
    ],
    ["the empty tool name", '[{"tool":""}]', [{ tool: "", index: 0 }]],
    [
      "comments and trailing commas",
      '// mine\n[{"tool":"t", /* x */ "max_items":3,},]',
      [{ tool: "t", index: 0, maxItems: 3 }],
    ],
    ["a byte order mark", '\ufeff[{"tool":"t"}]', [{ tool: "t", index: 0 }]],
    [
      "the last of equal keys counts",
      '[{"tool":"t","max_items":3,"max_items":4}]',
      [{ tool: "t", index: 0, maxItems: 4 }],
    ],
    [
      "and with comments",
      '[{"tool":"t","max_items":3,"max_items":4}] //',
      [{ tool: "t", index: 0, maxItems: 4 }],
    ],
    [
      "__proto__ is a key like any other",
      '[{"tool":"t","__proto__":{"max_items":4}}]',
      [{ tool: "t", index: 0 }],
    ],
    ["and with comments", '[{"tool":"t","__proto__":{"max_items":4}}] //', [{ tool: "t", index: 0 }]],
    [
      "a left-out rule keeps its number",
      '[{"tool":1},{"tool":"t"},{},{"tool":"u"}]',
      [
        { tool: "t", index: 1 },
        { tool: "u", index: 3 },
      ],
    ],
  ])("%s", (_, text, expected) => {
    expect(rulesOf(text)).toEqual(expected);
  });

  it.each<[string, object]>([
    ["{}", { mode: "live", store: { enabled: true } }],
    ["[]", { mode: "live", store: { enabled: true } }],
    ['{"mode":"live"}', { mode: "live", store: { enabled: true } }],
    ['{"mode":"shadow"}', { mode: "shadow", store: { enabled: true } }],
    ['{"mode":"off"}', { mode: "off", store: { enabled: true } }],
    ['{"mode":"Shadow"}', { mode: "off", store: { enabled: true } }],
    ['{"store":{}}', { mode: "live", store: { enabled: true } }],
    ['{"store":{"enabled":false}}', { mode: "live", store: { enabled: false } }],
    ['{"store":{"enabled":"false"}}', { mode: "live", store: { enabled: false } }],
    ['{"store":false}', { mode: "live", store: { enabled: false } }],
    [
      '{"store":{"ttl_hours":1,"max_bytes":8589934592,"max_entries":3,"max_entry_bytes":4}}',
      {
        mode: "live",
        store: { enabled: true, ttlHours: 1, maxBytes: 8589934592, maxEntries: 3, maxEntryBytes: 4 },
      },
    ],
    ['{"store":{"ttl_hours":0,"max_entries":7}}', { mode: "live", store: { enabled: true, maxEntries: 7 } }],
  ])("%s", (text, expected) => {
    const { settings } = parseRules(text);
    expect({ mode: settings.mode, store: settings.store }).toEqual(expected);
  });
});

describe("problems", () => {
  it.each<[string, string[]]>([
    ["[]", []],
    ['[{"tool":"t","max_line":3}]', ["1:14 warning: rule 1: max_line is unknown; did you mean max_lines?"]],
    ['[{"tool":"t","colour":3}]', ["1:14 warning: rule 1: colour is unknown and ignored"]],
    [
      '[{"tool":"t","head_bytes":0}]',
      ["1:27 error: rule 1: head_bytes must be a whole number from 1 to 2147483648; the rule is left out"],
    ],
    ['[{"tool":"t","profile":"x"}]', ['1:24 error: rule 1: profile must be "sutra"; the rule is left out']],
    ['[{"tool":"t","profile":"sutra"}]', []],
    ['[{"tool":"t","a b\\u001b":3}]', ['1:14 warning: rule 1: "a b\\u001b" is unknown and ignored']],
    ['[{"tool":"t","__proto__":3}]', ["1:14 warning: rule 1: __proto__ is unknown and ignored"]],
    ['[{"tool":"t","constructor":3}]', ["1:14 warning: rule 1: constructor is unknown and ignored"]],
    ['[{"tool":"t","max_lines":-1}]', [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`]],
    ['[{"tool":"t","max_lines":1.5}]', [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`]],
    ['[{"tool":"t","max_lines":"9"}]', [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`]],
    ['[{"tool":"t","max_lines":null}]', [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`]],
    [
      '[{"tool":"t","max_lines":2147483649}]',
      [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`],
    ],
    ['[{"tool":"t","max_lines":1e999}]', [`1:26 error: rule 1: max_lines ${LIMIT}; the rule is left out`]],
    ['[{"tool":"t","dedup":1}]', ["1:22 error: rule 1: dedup must be true or false; the rule is left out"]],
    ['[{"tool":"t","why":1}]', ["1:20 error: rule 1: why must be a string; the rule is left out"]],
    [
      '[{"tool":"t","spilled":"Excerpt"}]',
      [
        '1:24 error: rule 1: spilled must be "pass" or "excerpt" (did you mean "excerpt"?); the rule is left out',
      ],
    ],
    ['[{"tool":7}]', ["1:10 error: rule 1: tool must be a string; the rule is left out"]],
    ['[{"max_lines":7}]', ["1:2 error: rule 1: tool is missing; the rule is left out"]],
    [
      '[{"tools":"t"}]',
      [
        "1:2 error: rule 1: tool is missing; the rule is left out",
        "1:3 warning: rule 1: tools is unknown; did you mean tool?",
      ],
    ],
    [
      '[{"tool":"*a*b*"}]',
      ['1:10 error: rule 1: tool has more than 2 "*" in one alternative; the rule is left out'],
    ],
    [
      '[{"tool":"t","drop_keys":"a"}]',
      ["1:26 error: rule 1: drop_keys must be a list of strings; the rule is left out"],
    ],
    [
      '[{"tool":"t","drop_keys":["a",3,"{x"]}]',
      [
        "1:31 error: rule 1: drop_keys item 2 must be a string; the rule is left out",
        '1:33 error: rule 1: drop_keys item 3 has a "{" without "}"; write "\\\\{" for a plain one; the rule is left out',
      ],
    ],
    [
      '[7,"x",null,[]]',
      [1, 2, 3, 4].map(
        (n) => `1:${[0, 2, 4, 8, 13][n]} error: rule ${n} must be an object; the rule is left out`,
      ),
    ],
    [
      '{"mode":"shadw"}',
      ['1:9 error: mode must be "live", "shadow" or "off" (did you mean "shadow"?); taken as "off"'],
    ],
    ['{"mode":true}', ['1:9 error: mode must be "live", "shadow" or "off"; taken as "off"']],
    ['{"rule":[]}', ["1:2 warning: rule is unknown; did you mean rules?"]],
    ['{"tool":"t"}', ['1:2 warning: tool belongs in a rule, in the list "rules"']],
    ['{"rules":{}}', ["1:10 error: rules must be a list; there are no rules"]],
    ['{"$schema":"x"}', []],
    ['{"$schema":1}', ["1:12 error: $schema must be a string; ignored"]],
    ['{"store":1}', ["1:10 error: store must be an object; nothing is stored"]],
    ['{"store":{"enabled":1}}', ["1:21 error: store: enabled must be true or false; nothing is stored"]],
    [
      '{"store":{"ttl_hours":0}}',
      ["1:23 error: store: ttl_hours must be a whole number from 1 to 2147483648; the default is used"],
    ],
    ['{"store":{"max_entrys":1}}', ["1:11 warning: store: max_entrys is unknown; did you mean max_entries?"]],
    ["7", ["1:1 error: the file must be an object with rules, or a list of rules"]],
    ["null", ["1:1 error: the file must be an object with rules, or a list of rules"]],
    ["", ["1:1 error: the file is empty"]],
    [" \n", ["1:1 error: the file is empty"]],
    ["// nothing", ["1:11 error: not JSON: a value is missing"]],
    ["[{]", ["1:3 error: not JSON: a key in double quotes is missing"]],
    ['[\n  {"tool" "t"}\n]', ['2:11 error: not JSON: a ":" is missing']],
    ['[\r\n{"tool":"t"}\r\n{"tool":"u"}]', ['3:1 error: not JSON: a "," is missing']],
    ['{"rules":[]}[]', ["1:13 error: not JSON: something follows after the end"]],
    ["{'a':1}", ["1:2 error: not JSON: an unknown word"]],
    ['["a\n"]', ["1:2 error: not JSON: a string is not closed"]],
    ['["\\x"]', ["1:2 error: not JSON: an unknown escape in a string"]],
    ["/* [", ["1:1 error: not JSON: a comment is not closed"]],
    [
      '[{"tool":"t",\n"dedup":true,\n"dedup":false}]',
      ["3:1 warning: rule 1: dedup stands here twice; the last one counts"],
    ],
    ['{"mode":"off","mode":"live"}', ["1:15 warning: mode stands here twice; the last one counts"]],
    [
      '{"store":{"enabled":true,"enabled":true}}',
      ["1:26 warning: enabled stands here twice; the last one counts"],
    ],
    [
      '[{"tool":"t","dedup":1,"dedup":2}]',
      [
        "1:24 warning: rule 1: dedup stands here twice; the last one counts",
        "1:32 error: rule 1: dedup must be true or false; the rule is left out",
      ],
    ],
    ['\ufeff[{"tool":"t","x":1}]', ["1:14 warning: rule 1: x is unknown and ignored"]],
    ['// c\n[\n{"tool":"t",\n "x":1,},]', ["4:2 warning: rule 1: x is unknown and ignored"]],
  ])("%j", (text, expected) => {
    const { problems } = parseRules(text);
    expect(problems.map(show)).toEqual(expected);
  });

  it("C15: deep nesting costs the places at most", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(parseRules(`[{"tool":"t","x":${deep}}]`).problems.map(show)).toEqual([
      "1:1 warning: rule 1: x is unknown and ignored",
    ]);
    expect(parseRules(deep.slice(1)).problems.map(show)).toEqual(["1:1 error: nested too deeply"]);
  });

  it("says which rule, 0-based, and only of rules", () => {
    expect(parseRules('{"mod":1,"rules":[{"tool":"t"},{"tool":"u","x":1}]}').problems).toEqual([
      { message: "mod is unknown; did you mean mode?", line: 1, column: 2, severity: "warning" },
      { message: "rule 2: x is unknown and ignored", line: 1, column: 44, rule: 1, severity: "warning" },
    ]);
  });

  it.each([99, 100, 101, 5000])("tells at most 100 of %i problems and counts the rest", (count) => {
    const fields = Array.from({ length: count }, (_, i) => `"x${i}":0`).join(",");
    const { problems } = parseRules(`[{"tool":"t",${fields}}]`);
    expect(problems.length).toBe(Math.min(count, 101));
    expect(problems[100]?.message).toBe(
      count > 100 ? `${count - 100} more problems are not shown` : undefined,
    );
  });

  it.each<[string, string, boolean]>([
    ["an object", "{}", true],
    ["rules left out", "[1]", true],
    ["no JSON", "[", false],
    ["rules of a wrong type", '{"rules":1}', false],
    ["another value", "true", false],
  ])("usable: %s", (_, text, usable) => {
    expect(parseRules(text).usable).toBe(usable);
  });

  it.each([
    [RULES_MAX_BYTES - 1, true],
    [RULES_MAX_BYTES, true],
    [RULES_MAX_BYTES + 1, false],
  ])("C15: a file of %i bytes: usable %s", (bytes, usable) => {
    const parsed = parseRules(`[]${" ".repeat(bytes - 2)}`);
    expect(parsed.usable).toBe(usable);
    if (!usable)
      expect(parsed.problems.map(show)).toEqual(["1:1 error: the file is larger than 1048576 bytes"]);
  });

  it("does not load the slower parser for plain JSON, as long as nobody asks for the problems", () => {
    // A process of its own: there `require` can be watched.
    const script = `
      const { parseRules } = await import(${JSON.stringify(new URL("../../../src/core/rules/parse.ts", import.meta.url).href)});
      const loaded = [];
      globalThis.require = (name) => {
        loaded.push(name);
        throw new Error(name);
      };
      const parsed = parseRules('{"mode":"shadow","rules":[{"tool":"mcp__*","unknown":1,"drop_keys":["*_url"]}]}');
      const matches = parsed.settings.rules[0].matches("mcp__a");
      const before = [...loaded];
      try {
        parsed.problems;
      } catch {}
      process.stdout.write(JSON.stringify({ matches, before, loaded }));`;
    const args = ["--no-warnings", "--input-type=module", "--eval", script];
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }))).toEqual({
      matches: true,
      before: [],
      loaded: ["jsonc-parser"],
    });
  });
});
