// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { hasComment, tidyEmptied } from "../../src/jsonc/emptied.ts";

describe("tidyEmptied", () => {
  it.each([
    ['{"a":{"b":[]}}', undefined, '{"a":{"b":[]}}'],
    ['{"a":{"b":[]}}', "", "{}"],
    ['{"a":{"b":[]}}', "{}", "{}"],
    ['{"a":{"b":[]}}', '{"a":{}}', '{"a":{}}'],
    ['{"a":{"b":[]}}', '{"a":{ }}', '{"a":{ }}'],
    ['{"a":{"b":[]}}', '{"a":{"b":[ ]}}', '{"a":{"b":[ ]}}'],
    ['{"a":{"b":[1]}}', "{}", '{"a":{"b":[1]}}'],
    ['{"a":{"b":[ /* c */ ]}}', "{}", '{"a":{"b":[ /* c */ ]}}'],
    ['{"a":{ /* c */\n}}', '{"a":{ /* c */ }}', '{"a":{ /* c */ }}'],
    ['{"a":{ /* new */ }}', '{"a":{  }}', '{"a":{ /* new */ }}'],
    ['{"a":{"b":[]}}', '{"a":{"b":[1]}}', '{"a":{"b":[]}}'],
  ])("%j, before it was %j", (text, before, expected) =>
    expect(tidyEmptied(text, [["a", "b"], ["a"]], before)).toBe(expected),
  );
});

it.each([
  ["[ ]", false],
  ['["//", "\\"/*"]', false],
  ["[ // x\n]", true],
  ['["a" /* x */]', true],
])("hasComment(%j) is %j", (text, expected) => expect(hasComment(text)).toBe(expected));
