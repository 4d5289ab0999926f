// SPDX-License-Identifier: Apache-2.0
// The value of a rules file → settings, and what is wrong with it. What cannot be used has the effect that
// changes least: a bad rule is left out whole, a bad mode is "off", a bad store keeps nothing.
import { checkFields, type Finding, isObject } from "./check-fields.ts";
import { FILE_FIELDS, RULE_FIELDS, type RuleFieldName, STORE_FIELDS, type StoreFieldName } from "./fields.ts";
import { type CompiledRule, compileRule, type Rule } from "./policy.ts";
import { KEY_KINDS, type Mode, NO_RULES, type Settings, type StoreSettings } from "./settings.ts";
import type { Path } from "./source.ts";

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
  const [maxBytes, headBytes, tailBytes] = [limit("max_bytes"), limit("head_bytes"), limit("tail_bytes")];
  const profile = good.get("profile") === "sutra" ? "sutra" : undefined;
  return {
    tool,
    dropKeys: Array.isArray(dropKeys) ? dropKeys.filter((key) => typeof key === "string") : [],
    ...(maxItems !== undefined && { maxItems }),
    ...(maxLines !== undefined && { maxLines }),
    ...(keepLast !== undefined && { keepLast }),
    ...(maxStr !== undefined && { maxStr }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(headBytes !== undefined && { headBytes }),
    ...(tailBytes !== undefined && { tailBytes }),
    ...(profile !== undefined && { profile }),
    ...(minBytes !== undefined && { minBytes }),
    dedup: flag("dedup"),
    compact: flag("compact"),
    stripAnsi: good.has("strip_ansi") ? flag("strip_ansi") : profile !== undefined,
    collapseCr: flag("collapse_cr"),
    spilled: good.get("spilled") === "excerpt" ? "excerpt" : "pass",
    pass: flag("pass"),
    ...(typeof why === "string" && { why }),
  };
}

function checkStore(value: object, findings: Finding[]): StoreSettings {
  // Who wants a key that is not in a file must not get one for a slip of the pen.
  const outcome = (name: string) =>
    name === "enabled" || name === "key" ? "nothing is stored" : "the default is used";
  const context = { path: ["store"], label: "store: ", outcome };
  const { good, bad } = checkFields(value, STORE_FIELDS, context, findings);
  const count = (name: StoreFieldName) => toCount(good.get(name));
  const [ttlHours, maxBytes] = [count("ttl_hours"), count("max_bytes")];
  const [maxEntries, maxEntryBytes] = [count("max_entries"), count("max_entry_bytes")];
  const key = KEY_KINDS.find((kind) => kind === good.get("key"));
  return {
    enabled: !bad.has("enabled") && !bad.has("key") && good.get("enabled") !== false,
    ...(key !== undefined && { key }),
    ...(ttlHours !== undefined && { ttlHours }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxEntries !== undefined && { maxEntries }),
    ...(maxEntryBytes !== undefined && { maxEntryBytes }),
  };
}

function toMode(value: unknown): Mode {
  return value === "shadow" || value === "off" ? value : "live";
}

function toCount(value: unknown): number | undefined {
  // -0 is a whole number of JSON.
  return typeof value === "number" ? value + 0 : undefined;
}
