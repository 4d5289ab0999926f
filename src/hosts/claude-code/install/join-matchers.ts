// SPDX-License-Identifier: Apache-2.0
import { isPlainMatcher, isValidMatcher, listNames, matcherMatches } from "../matcher.ts";
import { DEFAULT_MATCHER } from "./hooks.ts";

/** Fires for every tool. */
const ALL = "*";
/** Names that a regular expression of the simplest kind spells: a server, or all of them. */
const SERVERS = /^\^?mcp__(?:\w*)(?:\.\*)?\$?$/;
/** What would mean another group where expressions are put together. */
const BACK_REFERENCE = /\\[1-9]|\\k</;

/**
 * One matcher that fires wherever one of `matchers` does (undefined: a hook without one); undefined where none of them
 * ever fires. A single one stays as it stands.
 */
export function joinMatchers(matchers: readonly (string | undefined)[]): string | undefined {
  const distinct = [...new Set(matchers.map((matcher) => matcher || ALL))].filter(isValidMatcher);
  const [first] = distinct;
  if (first === undefined || distinct.length === 1) return first;
  if (distinct.includes(ALL)) return ALL;
  if (distinct.includes(DEFAULT_MATCHER) && distinct.every(isInDefault)) return DEFAULT_MATCHER;
  const joined = distinct
    .map((matcher) =>
      isPlainMatcher(matcher) ? `^(?:${listNames(matcher).filter(Boolean).join("|")})$` : `(?:${matcher})`,
    )
    .join("|");
  // Too much is better than too little: rules say what is done with a result.
  return isValidMatcher(joined) && !BACK_REFERENCE.test(joined) ? joined : ALL;
}

function isInDefault(matcher: string): boolean {
  if (matcher === DEFAULT_MATCHER || SERVERS.test(matcher)) return true;
  return isPlainMatcher(matcher) && listNames(matcher).every((name) => matcherMatches(DEFAULT_MATCHER, name));
}
