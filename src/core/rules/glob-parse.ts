// SPDX-License-Identifier: Apache-2.0
// A pattern's text → its alternatives, braces expanded, each a list of tokens. Sizes are checked before
// anything is built, so a pattern of any text costs little.
import { utf8Length } from "../utf8.ts";

/** Longer patterns are no names that a person wrote. */
export const GLOB_MAX_BYTES = 200;
const GLOB_MAX_ALTERNATIVES = 64;
/** Two stars say "contains"; more is hardly ever meant. */
const GLOB_MAX_STARS = 2;
const BRACE_MAX_DEPTH = 4;

/** `source`: the token as micromatch reads it; `literal`: the character it stands for, or undefined. */
export type Token = { readonly source: string; readonly literal: string | undefined };
/** Any characters, none included. */
export const STAR: Token = { source: "*", literal: undefined };
const ANY: Token = { source: "?", literal: undefined };

export type ParsedGlob =
  | { readonly alternatives: readonly (readonly Token[])[] }
  | { readonly problem: string };

/** An open brace: alternatives that are done, and the ways to write the one that is being read. */
interface Group {
  readonly done: Token[][];
  ways: Token[][];
}

/** The pattern's alternatives, or what is wrong with it, in words that follow its name. */
export function parseGlob(pattern: string): ParsedGlob {
  if (utf8Length(pattern) > GLOB_MAX_BYTES) return { problem: `is longer than ${GLOB_MAX_BYTES} bytes` };
  const open: Group[] = [];
  let group: Group = { done: [], ways: [[]] };
  const add = (token: Token) => {
    for (const way of group.ways) way.push(token);
  };
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!;
    if (c === "*") add(STAR);
    else if (c === "?") add(ANY);
    else if (c === "\\") {
      if (++i === pattern.length) return { problem: "ends in a single backslash" };
      add(literal(pattern[i]!));
    } else if (c === "[") {
      const bracket = readBracket(pattern, i);
      if ("problem" in bracket) return bracket;
      add({ source: bracket.source, literal: undefined });
      i = bracket.last;
    } else if (c === "]") return { problem: 'has a "]" without "["; write "\\\\]" for a plain one' };
    else if (c === "{") {
      if (open.length === BRACE_MAX_DEPTH) return { problem: `nests braces deeper than ${BRACE_MAX_DEPTH}` };
      open.push(group);
      group = { done: [], ways: [[]] };
    } else if (c === "," && open.length > 0) {
      group.done.push(...group.ways);
      group.ways = [[]];
    } else if (c === "}") {
      const outer = open.pop();
      if (outer === undefined) return { problem: 'has a "}" without "{"; write "\\\\}" for a plain one' };
      if (group.done.length === 0) return { problem: "has braces without a comma between two alternatives" };
      const inner = [...group.done, ...group.ways];
      if (inner.length * outer.ways.length > GLOB_MAX_ALTERNATIVES) return tooMany();
      outer.ways = outer.ways.flatMap((way) => inner.map((tail) => [...way, ...tail]));
      group = outer;
    } else add(literal(c));
    if (group.done.length + group.ways.length > GLOB_MAX_ALTERNATIVES) return tooMany();
  }
  if (open.length > 0) return { problem: 'has a "{" without "}"; write "\\\\{" for a plain one' };
  const starry = group.ways.some((way) => way.filter((token) => token === STAR).length > GLOB_MAX_STARS);
  if (starry) return { problem: `has more than ${GLOB_MAX_STARS} "*" in one alternative` };
  return { alternatives: group.ways };
}

function tooMany(): ParsedGlob {
  return { problem: `has more than ${GLOB_MAX_ALTERNATIVES} alternatives` };
}

function literal(c: string): Token {
  // micromatch folds runs of backslashes together, in brackets it does not.
  if (c === "\\") return { source: "[\\\\]", literal: c };
  return { source: /[!-/:-@[-`{-~]/.test(c) ? `\\${c}` : c, literal: c };
}

/** Reads the set that opens at `at`; `last` is the position of its "]". */
function readBracket(pattern: string, at: number): { source: string; last: number } | { problem: string } {
  let i = at + 1;
  const negated = pattern[i] === "!" || pattern[i] === "^";
  if (negated) i++;
  const first = i;
  let source = "";
  let from: string | undefined;
  for (; i < pattern.length; i++) {
    let c = pattern[i]!;
    if (c === "]" && i > first) return { source: `[${negated ? "^" : ""}${source}]`, last: i };
    if (/[\ud800-\udfff]/.test(c))
      return { problem: "has a character in brackets that only braces can hold" };
    if (c === "[") return { problem: 'has a "[" inside of brackets; write "\\\\[" for a plain one' };
    if (c === "-" && from !== undefined && i + 1 < pattern.length && pattern[i + 1] !== "]") {
      c = pattern[++i]!;
      if (c === "\\") c = pattern[++i] ?? "";
      if (c < from) return { problem: `has a range that runs backwards, "${from}-${c}"` };
      source += `-${inBracket(c)}`;
      from = undefined;
      continue;
    }
    if (c === "\\") c = pattern[++i] ?? "";
    source += inBracket(c);
    from = c;
  }
  return { problem: 'has a "[" without "]"; write "\\\\[" for a plain one' };
}

function inBracket(c: string): string {
  return /[\\[\]^!:-]/.test(c) ? `\\${c}` : c;
}
