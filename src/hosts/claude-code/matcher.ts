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

/** True if some tool gets both hooks. Tried on `tools` and on the names that the matchers themselves spell. */
export function matchersOverlap(
  one: string | undefined,
  other: string | undefined,
  tools: readonly string[],
): boolean {
  const spelled = [one ?? "", other ?? ""].flatMap((matcher) => matcher.match(/[A-Za-z0-9_]+/g) ?? []);
  return [...tools, ...spelled].some((tool) => matcherMatches(one, tool) && matcherMatches(other, tool));
}

function listNames(matcher: string): string[] {
  return matcher.split(/[|,]/).map((name) => name.trim());
}

function compileMatcher(matcher: string): RegExp | undefined {
  try {
    return new RegExp(matcher);
  } catch {
    return undefined;
  }
}
