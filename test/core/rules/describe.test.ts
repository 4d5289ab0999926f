// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { describeRule } from "../../../src/core/rules/describe.ts";
import { parseRules } from "../../../src/core/rules/parse.ts";

it.each([
  ["{}", "nothing: it sets no limit"],
  ['{"pass":true,"max_lines":4}', "nothing is changed, whatever other rules say"],
  ['{"max_items":30}', "keeps 30 items of longer arrays"],
  ['{"max_items":30,"keep_last":5}', "keeps 30 items of longer arrays, 5 of them from the end"],
  ['{"max_lines":400}', "keeps 400 lines of longer text, 100 of them from the end"],
  ['{"max_lines":400,"keep_last":0}', "keeps 400 lines of longer text"],
  ['{"max_lines":4,"keep_last":9}', "keeps 4 lines of longer text, 3 of them from the end"],
  ['{"drop_keys":["a","*_b"],"max_str":9}', "drops the keys a, *_b; keeps about 9 bytes of longer strings"],
  ['{"drop_keys":["a","b","c","d","e","f"]}', "drops the keys a, b, c, d, e, f"],
  ['{"drop_keys":["a","b","c","d","e","f","g"]}', "drops the keys a, b, c, d, e, f and 1 more"],
  ['{"dedup":true,"min_bytes":7}', "on results of at least 7 bytes: collapses repeated lines"],
  ['{"max_bytes":4000}', "keeps 4000 bytes of larger results, 2000 from the start and 1000 from the end"],
  ['{"head_bytes":4000}', "nothing: it sets no limit"],
  [
    '{"profile":"sutra"}',
    "keeps 24576 bytes of larger results, 12288 from the start and 6144 from the end; drops escape sequences of a terminal",
  ],
  ['{"collapse_cr":true}', "leaves what a terminal would show"],
  [
    '{"compact":true,"spilled":"excerpt"}',
    "drops white space of JSON; gives an excerpt where the host would give a preview",
  ],
])("%s: %s", (fields, words) => {
  const [rule] = parseRules(`[${fields.replace("{", '{"tool":"t"').replace('"t""', '"t","')}]`).settings
    .rules;
  expect(rule && describeRule(rule)).toBe(words);
});
