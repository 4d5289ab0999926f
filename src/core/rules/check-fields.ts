// SPDX-License-Identifier: Apache-2.0
// One object of a rules file against its table of fields. Names from the file are only compared or put into a
// Map, never looked up in an object.
import { describeExpected, FILE_FIELDS, type Field, RULE_FIELDS } from "./fields.ts";
import { checkGlob } from "./glob.ts";
import type { Path } from "./source.ts";
import { suggest } from "./suggest.ts";

/** A problem whose place is still a path in the value. */
export interface Finding {
  readonly path: Path;
  readonly at: "key" | "value";
  readonly message: string;
  readonly rule?: number;
  readonly severity: "error" | "warning";
}

export interface FieldContext {
  readonly path: Path;
  readonly rule?: number;
  /** Stands before the field's name in a message. */
  readonly label: string;
  /** What happens because a known field is wrong. */
  readonly outcome: (name: string) => string;
}

/** The known fields of an object that hold what they must, and the names of those that do not. */
export function checkFields(
  object: object,
  fields: readonly Field[],
  { path, rule, label, outcome }: FieldContext,
  findings: Finding[],
): { good: ReadonlyMap<string, unknown>; bad: ReadonlySet<string> } {
  const good = new Map<string, unknown>();
  const bad = new Set<string>();
  const ofRule = rule === undefined ? {} : { rule };
  for (const [name, value] of Object.entries(object)) {
    const field = fields.find((known) => known.name === name);
    if (field === undefined) {
      const message = `${label}${showName(name)} ${describeUnknown(name, fields)}`;
      findings.push({ path: [...path, name], at: "key", message, ...ofRule, severity: "warning" });
      continue;
    }
    const faults = checkValue(field, value);
    if (faults.length === 0) good.set(name, value);
    else bad.add(name);
    for (const { steps, words } of faults) {
      const message = `${label}${name} ${words}; ${outcome(name)}`;
      findings.push({ path: [...path, name, ...steps], at: "value", message, ...ofRule, severity: "error" });
    }
  }
  return { good, bad };
}

/** `steps` lead from the field's value to the part that is wrong. */
function checkValue(field: Field, value: unknown): { steps: Path; words: string }[] {
  const wrong = (words: string) => [{ steps: [], words }];
  switch (field.kind) {
    case "flag":
      return typeof value === "boolean" ? [] : wrong(describeExpected(field));
    case "text":
      return typeof value === "string" ? [] : wrong(describeExpected(field));
    case "rules":
      return Array.isArray(value) ? [] : wrong(describeExpected(field));
    case "store":
      return isObject(value) ? [] : wrong(describeExpected(field));
    case "count": {
      const fits = Number.isInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
      return fits ? [] : wrong(describeExpected(field));
    }
    case "choice": {
      if (typeof value === "string" && field.choices.includes(value)) return [];
      const meant = typeof value === "string" ? suggest(value, field.choices) : undefined;
      return wrong(describeExpected(field) + (meant === undefined ? "" : ` (did you mean "${meant}"?)`));
    }
    case "glob": {
      const problem = typeof value === "string" ? checkGlob(value) : describeExpected(field);
      return problem === undefined ? [] : wrong(problem);
    }
    case "globs": {
      if (!Array.isArray(value)) return wrong(describeExpected(field));
      return value.flatMap((item, index) => {
        const problem = typeof item === "string" ? checkGlob(item) : "must be a string";
        return problem === undefined ? [] : [{ steps: [index], words: `item ${index + 1} ${problem}` }];
      });
    }
  }
}

function describeUnknown(name: string, fields: readonly Field[]): string {
  if (fields === FILE_FIELDS && RULE_FIELDS.some((field) => field.name === name)) {
    return 'belongs in a rule, in the list "rules"';
  }
  const names = fields.map((field) => field.name);
  const meant = suggest(name, names);
  return meant === undefined ? "is unknown and ignored" : `is unknown; did you mean ${meant}?`;
}

/** A foreign key in a message: quoted where it could be taken for the sentence, and short. */
export function showName(name: string): string {
  return /^[\w$.-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, 60));
}

/** A JSON object, no list. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
