// SPDX-License-Identifier: Apache-2.0
// Rules as written → the one policy of a call, as resolved.
import { type Budget, type BudgetFields, resolveBudget } from "./budget.ts";
import { compileGlob } from "./glob.ts";

/** One rule as the file has it, checked; limits are positive whole numbers or absent. */
export interface Rule extends BudgetFields {
  readonly tool: string;
  readonly dropKeys: readonly string[];
  readonly maxItems?: number;
  readonly maxLines?: number;
  /** 0: none go to the end; absent: the default of `tailCount`. */
  readonly keepLast?: number;
  readonly maxStr?: number;
  readonly minBytes?: number;
  readonly dedup: boolean;
  readonly compact: boolean;
  readonly stripAnsi: boolean;
  readonly collapseCr: boolean;
  readonly spilled: "pass" | "excerpt";
  readonly pass: boolean;
  readonly why?: string;
}

/** What the matching rules add up to for one call; a limit of 0 is none. */
export interface Policy {
  /** Positions in the file of the rules that matched and reach this size, 0-based. */
  readonly rules: readonly number[];
  readonly dropKeys: readonly string[];
  readonly maxItems: number;
  readonly maxLines: number;
  /** Of N kept items or lines, how many go to the end; undefined: a quarter for lines, none for items. */
  readonly keepLast: number | undefined;
  readonly maxStr: number;
  /** Of the whole result; acts after the other limits. */
  readonly budget: Budget | undefined;
  readonly dedup: boolean;
  readonly compact: boolean;
  readonly stripAnsi: boolean;
  readonly collapseCr: boolean;
  readonly spilled: "pass" | "excerpt";
}

/** A rule with its position in the file (0-based) and its tool pattern ready to be asked. */
export interface CompiledRule extends Rule {
  readonly index: number;
  readonly matches: (tool: string) => boolean;
}

/** Makes a checked rule ready; a tool pattern that `checkGlob` refuses matches no tool. */
export function compileRule(rule: Rule, index: number): CompiledRule {
  return { ...rule, index, matches: compileGlob(rule.tool) };
}

/**
 * What the rules say about a call of `tool` whose regions sum to `bytes`; undefined: change nothing, because no
 * rule matches, none reaches its `min_bytes`, or one of those that match (at any size) says `pass`. The order of
 * rules makes no difference.
 */
export function resolvePolicy(
  rules: readonly CompiledRule[],
  tool: string,
  bytes: number,
): Policy | undefined {
  const matching = rules.filter((rule) => rule.matches(tool));
  if (matching.some((rule) => rule.pass)) return undefined;
  const acting = matching.filter((rule) => bytes >= (rule.minBytes ?? 0));
  if (acting.length === 0) return undefined;
  return {
    rules: acting.map((rule) => rule.index).sort((a, b) => a - b),
    // Sorted, so that the policy of the same rules in another order is the same value.
    dropKeys: [...new Set(acting.flatMap((rule) => rule.dropKeys))].sort(),
    maxItems: strictest(acting.map((rule) => rule.maxItems)),
    maxLines: strictest(acting.map((rule) => rule.maxLines)),
    keepLast: largest(acting.map((rule) => rule.keepLast)),
    maxStr: strictest(acting.map((rule) => rule.maxStr)),
    dedup: acting.some((rule) => rule.dedup),
    budget: resolveBudget(acting),
    compact: acting.some((rule) => rule.compact),
    stripAnsi: acting.some((rule) => rule.stripAnsi),
    collapseCr: acting.some((rule) => rule.collapseCr),
    spilled: acting.some((rule) => rule.spilled === "excerpt") ? "excerpt" : "pass",
  };
}

/** How many of the `limit` (1 or more) kept items or lines go to the end: at least one stays at the start. */
export function tailCount(limit: number, keepLast: number | undefined, kind: "lines" | "items"): number {
  const wanted = keepLast ?? (kind === "lines" ? Math.floor(limit / 4) : 0);
  return Math.min(wanted, limit - 1);
}

/** The smallest positive limit, 0 if there is none. */
function strictest(limits: readonly (number | undefined)[]): number {
  return limits.reduce<number>(
    (least, limit) => (limit && (least === 0 || limit < least) ? limit : least),
    0,
  );
}

function largest(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce(
    (most, count) => (count !== undefined && count > (most ?? -1) ? count : most),
    undefined,
  );
}
