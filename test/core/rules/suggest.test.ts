// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { RULE_FIELDS } from "../../../src/core/rules/fields.ts";
import { suggest } from "../../../src/core/rules/suggest.ts";

const names = RULE_FIELDS.map((field) => field.name);

it.each([
  ["max_line", "max_lines"],
  ["maxLines", "max_lines"],
  ["max-lines", "max_lines"],
  ["MAX_LINES", "max_lines"],
  ["max_lnies", "max_lines"],
  ["max_ites", "max_items"],
  ["max_string", "max_str"],
  ["drop_key", "drop_keys"],
  ["keeplast", "keep_last"],
  ["dedupe", "dedup"],
  ["tools", "tool"],
  ["tols", undefined],
  ["max_byte", "max_bytes"],
  ["min_lines", undefined],
  ["min_byte", "min_bytes"],
  ["head_byte", "head_bytes"],
  ["heap_sizes", undefined],
  ["comment", undefined],
  ["", undefined],
  ["m".repeat(41), undefined],
  ["__proto__", undefined],
])("%j → %s", (word, meant) => {
  expect(suggest(word, names)).toBe(meant);
});

it.each([
  ["Shadow", "shadow"],
  ["shadw", "shadow"],
  ["lvie", "live"],
  ["on", undefined],
  ["dry-run", undefined],
])("mode %j → %s", (word, meant) => {
  expect(suggest(word, ["live", "shadow", "off"])).toBe(meant);
});
