// SPDX-License-Identifier: Apache-2.0
// The value of a rules file → settings, and what is wrong with it. What cannot be used has the effect that
// changes least: a bad rule is left out whole, a bad mode is "off", a bad store keeps nothing.
import {
  describeExpected,
  FILE_FIELDS,
  type Field,
  RULE_FIELDS,
  type RuleFieldName,
  STORE_FIELDS,
  type StoreFieldName,
} from "./fields.ts";
import { checkGlob } from "./glob.ts";
import { type CompiledRule, compileRule, type Rule } from "./policy.ts";
import { type Mode, NO_RULES, type Settings, type StoreSettings } from "./settings.ts";
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

export interface CheckedFile {
  readonly settings: Settings;
  readonly findings: readonly Finding[];
  /** False: no rules can be had from this file. */
  readonly usable: boolean;
}

/** Checks the value of a whole file: an object, or the bare list of rules. */
export function checkFile(value: unknown): CheckedFile {
  const findings: Finding[] = [];
  if (Array.isArray(value)) {
    return { settings: { ...NO_RULES, rules: checkRules(value, [], findings) }, findings, usable: true };
  }
  if (!isObject(value)) {
    const message = "the file must be an object with rules, or a list of rules";
    return {
      settings: NO_RULES,
      findings: [{ path: [], at: "value", message, severity: "error" }],
      usable: false,
    };
  }
  const { good, bad } = checkFields(
    value,
    FILE_FIELDS,
    { path: [], label: "", outcome: fileOutcome },
    findings,
  );
  const rules = good.get("rules");
  const store = good.get("store");
  const settings = {
    mode: bad.has("mode") ? "off" : toMode(good.get("mode")),
    rules: Array.isArray(rules) ? checkRules(rules, ["rules"], findings) : [],
    store: isObject(store) ? checkStore(store, findings) : { enabled: !bad.has("store") },
  } satisfies Settings;
  return { settings, findings, usable: !bad.has("rules") };
}

function fileOutcome(name: string): string {
  if (name === "mode") return 'taken as "off"';
  if (name === "store") return "nothing is stored";
  return name === "rules" ? "there are no rules" : "ignored";
}

function checkRules(values: readonly unknown[], path: Path, findings: Finding[]): CompiledRule[] {
  const rules: CompiledRule[] = [];
  for (const [index, value] of values.entries()) {
    const rule = checkRule(value, index, [...path, index], findings);
    if (rule !== undefined) rules.push(compileRule(rule, index));
  }
  return rules;
}

function checkRule(value: unknown, index: number, path: Path, findings: Finding[]): Rule | undefined {
  const label = `rule ${index + 1}`;
  const outcome = "the rule is left out";
  const place = { path, at: "value", rule: index, severity: "error" } as const;
  if (!isObject(value)) {
    findings.push({ ...place, message: `${label} must be an object; ${outcome}` });
    return undefined;
  }
  const context = { path, rule: index, label: `${label}: `, outcome: () => outcome };
  const { good, bad } = checkFields(value, RULE_FIELDS, context, findings);
  const tool = good.get("tool");
  if (!Object.hasOwn(value, "tool")) {
    findings.push({ ...place, message: `${label}: tool is missing; ${outcome}` });
  }
  return bad.size === 0 && typeof tool === "string" ? toRule(tool, good) : undefined;
}

function toRule(tool: string, good: ReadonlyMap<string, unknown>): Rule {
  const limit = (name: RuleFieldName) => toCount(good.get(name)) || undefined;
  const flag = (name: RuleFieldName) => good.get(name) === true;
  const dropKeys = good.get("drop_keys");
  const why = good.get("why");
  const [maxItems, maxLines, maxStr] = [limit("max_items"), limit("max_lines"), limit("max_str")];
  const [keepLast, minBytes] = [toCount(good.get("keep_last")), limit("min_bytes")];
  return {
    tool,
    dropKeys: Array.isArray(dropKeys) ? dropKeys.filter((key) => typeof key === "string") : [],
    ...(maxItems !== undefined && { maxItems }),
    ...(maxLines !== undefined && { maxLines }),
    ...(keepLast !== undefined && { keepLast }),
    ...(maxStr !== undefined && { maxStr }),
    ...(minBytes !== undefined && { minBytes }),
    dedup: flag("dedup"),
    compact: flag("compact"),
    spilled: good.get("spilled") === "excerpt" ? "excerpt" : "pass",
    pass: flag("pass"),
    ...(typeof why === "string" && { why }),
  };
}

function checkStore(value: object, findings: Finding[]): StoreSettings {
  const outcome = (name: string) => (name === "enabled" ? "nothing is stored" : "the default is used");
  const context = { path: ["store"], label: "store: ", outcome };
  const { good, bad } = checkFields(value, STORE_FIELDS, context, findings);
  const count = (name: StoreFieldName) => toCount(good.get(name));
  const [ttlHours, maxBytes] = [count("ttl_hours"), count("max_bytes")];
  const [maxEntries, maxEntryBytes] = [count("max_entries"), count("max_entry_bytes")];
  return {
    enabled: !bad.has("enabled") && good.get("enabled") !== false,
    ...(ttlHours !== undefined && { ttlHours }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxEntries !== undefined && { maxEntries }),
    ...(maxEntryBytes !== undefined && { maxEntryBytes }),
  };
}

interface Context {
  readonly path: Path;
  readonly rule?: number;
  /** Stands before the field's name in a message. */
  readonly label: string;
  /** What happens because a known field is wrong. */
  readonly outcome: (name: string) => string;
}

/** The known fields of an object that hold what they must, and the names of those that do not. */
function checkFields(
  object: object,
  fields: readonly Field[],
  { path, rule, label, outcome }: Context,
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

function toMode(value: unknown): Mode {
  return value === "shadow" || value === "off" ? value : "live";
}

function toCount(value: unknown): number | undefined {
  // -0 is a whole number of JSON.
  return typeof value === "number" ? value + 0 : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
