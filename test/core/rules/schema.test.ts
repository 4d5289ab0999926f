// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FILE_FIELDS, type Field, RULE_FIELDS, STORE_FIELDS } from "../../../src/core/rules/fields.ts";
import { checkGlob } from "../../../src/core/rules/glob.ts";
import { parseRules } from "../../../src/core/rules/parse.ts";

const schema = JSON.parse(readFileSync(new URL("../../../rules.schema.json", import.meta.url), "utf8"));
// Braces and stars are more than a JSON Schema can count: editors know the length, isthmos the rest.
const ajv = new Ajv({
  allowUnionTypes: true,
  formats: { "isthmos-glob": (text: string) => checkGlob(text) === undefined },
});
const accepts = ajv.compile(schema);

/** Whether schema and parser agree, and on what. */
function verdict(text: string): boolean {
  const parsed = parseRules(text);
  // Of a repeated key no schema knows.
  const isClean = parsed.problems.every(({ message }) => message.includes("stands here twice"));
  expect({ text, accepted: accepts(JSON.parse(text)) }).toEqual({ text, accepted: isClean });
  return isClean;
}

it.each<[string, Record<string, Record<string, unknown>>, readonly Field[]]>([
  ["file", schema.properties, FILE_FIELDS],
  ["store", schema.properties.store.properties, STORE_FIELDS],
  ["rule", schema.definitions.rule.properties, RULE_FIELDS],
])("the schema has the %s's fields with their meaning and bounds", (_, properties, fields) => {
  const expected = fields.map((field) => [
    field.name,
    {
      description: field.meaning,
      ...(field.kind === "count" && { type: "integer", minimum: field.min, maximum: field.max }),
      ...(field.kind === "choice" && { enum: [...field.choices] }),
      ...(field.kind === "flag" && { type: "boolean" }),
      ...(field.kind === "text" && { type: "string" }),
    },
  ]);
  const kept = ["description", "type", "minimum", "maximum", "enum"];
  const found = Object.entries(properties).map(([name, property]) => {
    const plain = !("$ref" in property) && !("properties" in property) && !("items" in property);
    return [
      name,
      Object.fromEntries(
        Object.entries(property).filter(([key]) => (plain ? kept : ["description"]).includes(key)),
      ),
    ];
  });
  expect(found).toEqual(expected);
});

it.each([
  ["{}", true],
  ["[]", true],
  ["7", false],
  ["null", false],
  ['"x"', false],
  ['{"rules":[{"tool":"Bash","max_lines":3}],"mode":"shadow","$schema":"x","more":1}', false],
  ['{"rules":{}}', false],
  ['{"rules":[3]}', false],
  ['{"rules":[{}]}', false],
  ['{"rules":[{"tool":null}]}', false],
  ['{"mode":"Live"}', false],
  ['{"store":[]}', false],
  ['{"store":{"enabled":false,"max_bytes":9007199254740991}}', true],
  ['{"store":{"max_bytes":9007199254740993}}', false],
  ['{"store":{"max_entries":0}}', false],
  ['{"store":{"ttl_hours":1.5}}', false],
  ['[{"tool":"t","max_items":0}]', true],
  ['[{"tool":"t","max_items":-0}]', true],
  ['[{"tool":"t","max_items":2147483648}]', true],
  ['[{"tool":"t","max_items":2147483649}]', false],
  ['[{"tool":"t","max_items":-1}]', false],
  ['[{"tool":"t","max_items":1.0}]', true],
  ['[{"tool":"t","max_items":1.5}]', false],
  ['[{"tool":"t","max_items":1e999}]', false],
  ['[{"tool":"t","max_items":"5"}]', false],
  ['[{"tool":"t","max_item":"5"}]', false],
  ['[{"tool":"t","__proto__":{"tool":1}}]', false],
  ['[{"__proto__":{"tool":"t"}}]', false],
  ['[{"tool":"{a,b}"}]', true],
  ['[{"tool":"{a"}]', false],
  ['[{"tool":"t","drop_keys":["*a*b*"]}]', false],
  ['[{"tool":"t","drop_keys":[""]}]', true],
  ['[{"tool":"t","drop_keys":"a"}]', false],
  ['[{"tool":"t","spilled":"excerpt"}]', true],
  ['[{"tool":"t","spilled":true}]', false],
  [`[{"tool":"${"é".repeat(100)}"}]`, true],
  [`[{"tool":"${"é".repeat(101)}"}]`, false],
])("schema and parser agree on %s: %s", (text, expected) => {
  expect(verdict(text)).toBe(expected);
});

it("schema and parser agree on generated files", () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      "",
      "x",
      "live",
      -1,
      0,
      1,
      1.5,
      2 ** 31,
      2 ** 31 + 1,
      2 ** 53,
      [],
      {},
      ["a"],
      [1],
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const glob = fc.string({ unit: fc.constantFrom(..."ab*?[]{},\\é"), maxLength: 8 });
  const right = (field: Field): fc.Arbitrary<unknown> => {
    switch (field.kind) {
      case "count":
        return fc.integer({ min: field.min, max: 1000 });
      case "flag":
        return fc.boolean();
      case "choice":
        return fc.constantFrom(...field.choices);
      case "glob":
        return fc.oneof(fc.constantFrom("Bash", "mcp__*", ""), glob);
      case "globs":
        return fc.array(fc.oneof(fc.constantFrom("id", "*_url"), glob), { maxLength: 3 });
      case "text":
        return fc.string();
      case "rules":
        return fc.array(object(RULE_FIELDS, ["tool"]), { maxLength: 3 });
      case "store":
        return object(STORE_FIELDS, []);
    }
  };
  const object = (fields: readonly Field[], required: readonly string[]): fc.Arbitrary<object> => {
    const values = fields.map((field): [string, fc.Arbitrary<unknown>] => [
      field.name,
      fc.oneof({ weight: 20, arbitrary: right(field) }, { weight: 1, arbitrary: odd }),
    ]);
    const known = fc.record(Object.fromEntries(values), {
      requiredKeys: fields.map((f) => f.name).filter((name) => required.includes(name)),
    });
    return fc
      .tuple(known, fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.dictionary(fc.string(), odd)))
      .map(([fieldsOf, others]) => ({ ...others, ...fieldsOf }));
  };
  const verdicts = { accepted: 0, refused: 0 };
  const file = fc.oneof(
    { weight: 6, arbitrary: object(FILE_FIELDS, []) },
    { weight: 3, arbitrary: fc.array(object(RULE_FIELDS, ["tool"])) },
    odd,
  );
  fc.assert(
    fc.property(file, (value) => {
      verdicts[verdict(JSON.stringify(value)) ? "accepted" : "refused"]++;
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(150);
});
