// SPDX-License-Identifier: Apache-2.0
// Which tools a hook's matcher fires for, as the client decides it. Observed with client 2.1.332.

/** A matcher is the user's own expression, but it must not be tried on endless text. */
const TOOL_NAME_MAX_LENGTH = 200;

/** Only these characters: a list of exact names. Anything else makes it a regular expression. */
const PLAIN = /^[A-Za-z0-9_|, ]*$/;

/** True if a hook with `matcher` fires for `tool`; an invalid expression fires for none. */
export function matcherMatches(matcher: string | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (PLAIN.test(matcher)) return listNames(matcher).includes(tool);
  // The client's expressions are unanchored and case-sensitive.
  return compileMatcher(matcher)?.test(tool.slice(0, TOOL_NAME_MAX_LENGTH)) ?? false;
}

/** True if the client can use `matcher`; one it cannot use never fires. */
export function isValidMatcher(matcher: string): boolean {
  return matcher === "*" || PLAIN.test(matcher) || compileMatcher(matcher) !== undefined;
}

/** Rules for these stand for other tools too. */
const FAMILIES: ReadonlySet<string> = new Set(["Agent", "Edit", "Read", "Task", "Write"]);

/** False if a hook with the permission rule `condition` never starts for `tool`; what is not certain is true. */
export function conditionAllows(condition: string | undefined, tool: string): boolean {
  const [, named] = /^([A-Za-z0-9_-]+)(?:\(|$)/.exec(condition ?? "") ?? [];
  return named === undefined || FAMILIES.has(named) || named === tool;
}

/**
 * True for a matcher that may be meant for tools nobody can list: it spells one of an MCP server, or is an expression
 * with the beginning of such names.
 */
export function mayMatchServerTool(matcher: string): boolean {
  if (PLAIN.test(matcher)) return listNames(matcher).some((name) => /^mcp__.+?__./.test(name));
  return matcher.includes("mcp__") && compileMatcher(matcher) !== undefined;
}

/** True if some tool gets both hooks. Tried on `tools` and on the names that the matchers themselves spell. */
export function matchersOverlap(
  one: string | undefined,
  other: string | undefined,
  tools: readonly string[],
): boolean {
  const spelled = [one ?? "", other ?? ""].flatMap((matcher) => matcher.match(/[A-Za-z0-9_]+/g) ?? []);
  return [...tools, ...spelled].some((tool) => matcherMatches(one, tool) && matcherMatches(other, tool));
}

/** True if the client takes `matcher` for a list of exact names. */
export function isPlainMatcher(matcher: string): boolean {
  return PLAIN.test(matcher);
}

/** The names of a list. */
export function listNames(matcher: string): string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

function compileMatcher(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher);
  } catch {
    return undefined;
  }
}
