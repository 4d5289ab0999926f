// SPDX-License-Identifier: Apache-2.0
import type { CompiledRule } from "../../core/rules/policy.ts";
import { matcherMatches } from "../../hosts/claude-code/matcher.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { BUILT_IN_TOOLS, sampleNames } from "./tool-names.ts";

/** Rules that no PostToolUse matcher of ours brings a tool to. */
export function checkRoutes({ setup, wired, traffic }: Facts): Finding[] {
  const check = "matcher";
  const { rules } = setup.loaded.settings;
  const matchers = wired.ours.filter(({ event }) => event === "PostToolUse").map(({ matcher }) => matcher);
  if (matchers.length === 0 || rules.length === 0) return [];

  const spelled = matchers.flatMap((matcher) => matcher?.match(/[A-Za-z0-9_-]+/g) ?? []);
  const known = [...BUILT_IN_TOOLS, ...traffic.tools, ...spelled];
  const isRouted = (name: string) => matchers.some((matcher) => matcherMatches(matcher, name));
  const dead = rules.filter((rule) => {
    // What is not routed passes anyway.
    if (rule.pass || [...traffic.piped].some(rule.matches)) return false;
    const names = namesOf(rule, known);
    return names.length > 0 && !names.some(isRouted);
  });
  if (dead.length === 0)
    return [{ check, level: "ok", message: "every rule has tools that are routed to it" }];
  const shown = matchers.map((matcher) => cleanName(matcher ?? "*")).join("  and  ");
  return dead.map(({ index, tool }): Finding => {
    const message = `rule ${index + 1} (${tool}) never applies: no PostToolUse matcher lets such a tool through`;
    const plain = "plain names are exact, anything else is a regular expression";
    return { check, level: "warning", message, hint: `widen the matcher ${shown}: ${plain}` };
  });
}

/** Names that the rule is for. The empty one is for `filter` without a tool. */
function namesOf({ tool, matches }: CompiledRule, known: readonly string[]): string[] {
  return [...sampleNames(tool), ...known].filter((name) => name !== "" && matches(name));
}
