// SPDX-License-Identifier: Apache-2.0
import type { CompiledRule } from "../../core/rules/policy.ts";
import { conditionAllows, matcherMatches, mayMatchServerTool } from "../../hosts/claude-code/matcher.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { BUILT_IN_TOOLS, sampleNames } from "./tool-names.ts";

const PLAIN_WORDS = "plain names are exact, anything else is a regular expression";
/** A tool of an MCP server. */
const SERVER_TOOL = "mcp__x__list_issues";

/** Matchers of ours that let no tool through, and rules that none of them brings a tool to. */
export function checkRoutes({ setup, wired, traffic }: Facts): Finding[] {
  const check = "matcher";
  const { rules } = setup.loaded.settings;
  const hooks = chooseHooks(wired.ours, setup.mode);
  if (hooks.length === 0) return [];
  const isRouted = (name: string) =>
    hooks.some((hook) => matcherMatches(hook.matcher, name) && conditionAllows(hook.condition, name));
  const shown = hooks.map(describeMatcher).join("  and  ");
  const isOpen =
    [...BUILT_IN_TOOLS, SERVER_TOOL, ...traffic.tools].some(isRouted) ||
    hooks.some(({ matcher, condition }) => condition === undefined && mayMatchServerTool(matcher ?? ""));
  if (!isOpen) {
    // A plugin's hooks have matchers of their own.
    const level = wired.plugins.length > 0 ? "warning" : "broken";
    const message = `no PostToolUse matcher lets any known tool through (${shown}): nothing is ever changed`;
    return [{ check, level, message, hint: `run isthmos init, or put it right: ${PLAIN_WORDS}` }];
  }
  if (rules.length === 0) return [];

  const spelled = hooks.flatMap(({ matcher }) => matcher?.match(/[A-Za-z0-9_-]+/g) ?? []);
  const known = [...BUILT_IN_TOOLS, ...traffic.tools, ...spelled];
  const dead = rules.filter((rule) => {
    // What is not routed passes anyway.
    if (rule.pass || [...traffic.piped].some(rule.matches)) return false;
    const names = namesOf(rule, known);
    return names.length > 0 && !names.some(isRouted);
  });
  if (dead.length === 0)
    return [{ check, level: "ok", message: "every rule has tools that are routed to it" }];
  return dead.map(({ index, tool }): Finding => {
    const message = `rule ${index + 1} (${tool}) never applies: no PostToolUse matcher lets such a tool through`;
    return { check, level: "warning", message, hint: `widen the matcher ${shown}: ${PLAIN_WORDS}` };
  });
}

/** The hooks on results that can change one: where all are asynchronous, which is said elsewhere, all. */
function chooseHooks(ours: readonly WiredHook[], mode: string): readonly WiredHook[] {
  const onResults = ours.filter(({ event }) => event === "PostToolUse");
  const awaited = onResults.filter((hook) => mode !== "live" || !hook.async);
  return awaited.length > 0 ? awaited : onResults;
}

function describeMatcher({ matcher, condition }: WiredHook): string {
  const only = condition === undefined ? "" : ` if ${cleanName(condition)}`;
  return cleanName(matcher ?? "*") + only;
}

/** Names that the rule is for. The empty one is for `filter` without a tool. */
function namesOf({ tool, matches }: CompiledRule, known: readonly string[]): string[] {
  return [...sampleNames(tool), ...known].filter((name) => name !== "" && matches(name));
}
