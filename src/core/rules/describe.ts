// SPDX-License-Identifier: Apache-2.0
import { resolveBudget } from "./budget.ts";
import { type Rule, tailCount } from "./policy.ts";

/** Keys of a rule that are named; the rest is counted. */
const KEYS_SHOWN = 6;

/** What a rule does to results of its tool, in words. */
export function describeRule(rule: Rule): string {
  if (rule.pass) return "nothing is changed, whatever other rules say";
  const parts: string[] = [];
  if (rule.dropKeys.length > 0) parts.push(`drops the keys ${describeKeys(rule.dropKeys)}`);
  if (rule.maxItems !== undefined) {
    parts.push(`keeps ${rule.maxItems} items of longer arrays${describeTail(rule.maxItems, rule, "items")}`);
  }
  if (rule.maxLines !== undefined) {
    parts.push(`keeps ${rule.maxLines} lines of longer text${describeTail(rule.maxLines, rule, "lines")}`);
  }
  if (rule.maxStr !== undefined) parts.push(`keeps about ${rule.maxStr} bytes of longer strings`);
  const budget = resolveBudget([rule]);
  if (budget !== undefined) {
    const { maxBytes, headBytes, tailBytes } = budget;
    parts.push(
      `keeps ${maxBytes} bytes of larger results, ${headBytes} from the start and ${tailBytes} from the end`,
    );
  }
  if (rule.dedup) parts.push("collapses repeated lines");
  if (rule.compact) parts.push("drops white space of JSON");
  if (rule.stripAnsi) parts.push("drops escape sequences of a terminal");
  if (rule.collapseCr) parts.push("leaves what a terminal would show");
  if (rule.spilled === "excerpt") parts.push("gives an excerpt where the host would give a preview");
  if (parts.length === 0) return "nothing: it sets no limit";
  const size = rule.minBytes === undefined ? "" : `on results of at least ${rule.minBytes} bytes: `;
  return size + parts.join("; ");
}

function describeKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, KEYS_SHOWN).join(", ");
  return keys.length > KEYS_SHOWN ? `${shown} and ${keys.length - KEYS_SHOWN} more` : shown;
}

function describeTail(limit: number, { keepLast }: Rule, kind: "lines" | "items"): string {
  const tail = tailCount(limit, keepLast, kind);
  return tail === 0 ? "" : `, ${tail} of them from the end`;
}
