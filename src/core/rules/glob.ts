// SPDX-License-Identifier: Apache-2.0
// Patterns for tool names and JSON keys: `*` any characters, `?` one UTF-16 unit but "/", `[...]` one of a set,
// `{a,b}` alternatives, `\` takes the next character as it is. No negation, no extglob, case-sensitive.
// A pattern is split at its stars, and what is left has a fixed length, so that a name of any content and
// length is answered in linear time. Only pieces with `?` or `[...]` go through micromatch.
import { utf8Length } from "../utf8.ts";
import { GLOB_MAX_BYTES, parseGlob, STAR, type Token } from "./glob-parse.ts";

/** Verdicts remembered per list, and the longest name worth it (characters): at most about 1 MiB. */
const MEMO_MAX_NAMES = 4096;
const MEMO_MAX_NAME = 128;

const MICROMATCH_OPTIONS = {
  dot: true,
  bash: true,
  nonegate: true,
  noextglob: true,
  strictBrackets: true,
  // Otherwise "[ab]" would also match its own spelling, and a piece would match with a "/" after it.
  literalBrackets: false,
  strictSlashes: true,
} as const;

/** What is wrong with the pattern, in words that follow its name, or undefined. */
export function checkGlob(pattern: string): string | undefined {
  const parsed = parseGlob(pattern);
  return "problem" in parsed ? parsed.problem : undefined;
}

/** Answers whether a name matches the pattern; a pattern that `checkGlob` refuses matches no name. */
export function compileGlob(pattern: string): (name: string) => boolean {
  const parsed = parseGlob(pattern);
  if ("problem" in parsed) return () => false;
  const matchers = parsed.alternatives.map(compileAlternative);
  const [first] = matchers;
  if (first !== undefined && matchers.length === 1) return first;
  return (name) => matchers.some((matches) => matches(name));
}

/** Answers whether a name matches any of the patterns; plain names cost one look-up, verdicts are remembered. */
export function compileGlobs(patterns: readonly string[]): (name: string) => boolean {
  const plain = new Set<string>();
  const matchers: ((name: string) => boolean)[] = [];
  for (const pattern of patterns) {
    if (/^[^*?[\]{}\\]*$/.test(pattern) && utf8Length(pattern) <= GLOB_MAX_BYTES) plain.add(pattern);
    else matchers.push(compileGlob(pattern));
  }
  if (matchers.length === 0) return (name) => plain.has(name);
  const memo = new Map<string, boolean>();
  return (name) => {
    if (plain.has(name)) return true;
    if (name.length > MEMO_MAX_NAME) return matchers.some((matches) => matches(name));
    const known = memo.get(name);
    if (known !== undefined) return known;
    const verdict = matchers.some((matches) => matches(name));
    if (memo.size < MEMO_MAX_NAMES) memo.set(name, verdict);
    return verdict;
  };
}

/** A piece between stars: `length` UTF-16 units, either plain text or something for micromatch. */
interface Piece {
  readonly length: number;
  readonly literal: string | undefined;
  readonly source: string;
}

function compileAlternative(tokens: readonly Token[]): (name: string) => boolean {
  const pieces = splitAtStars(tokens);
  const least = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const first = pieces[0]!;
  const last = pieces[pieces.length - 1]!;
  const isFirst = pieceTest(first);
  if (pieces.length === 1) return (name) => name.length === least && isFirst(name);
  const isLast = pieceTest(last);
  const middle = pieces.length === 3 ? pieceSearch(pieces[1]!) : undefined;
  return (name) =>
    name.length >= least &&
    isFirst(name.slice(0, first.length)) &&
    isLast(name.slice(name.length - last.length)) &&
    (middle === undefined || middle(name.slice(first.length, name.length - last.length)));
}

function splitAtStars(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  let length = 0;
  let literal: string | undefined = "";
  let source = "";
  const close = () => {
    // "**" is one star: nothing stands between the two.
    if (length > 0 || pieces.length === 0) pieces.push({ length, literal, source });
    length = 0;
    literal = "";
    source = "";
  };
  for (const token of tokens) {
    if (token === STAR) {
      close();
      continue;
    }
    length++;
    literal = literal === undefined || token.literal === undefined ? undefined : literal + token.literal;
    source += token.source;
  }
  if (tokens.at(-1) === STAR || length > 0 || pieces.length === 0) pieces.push({ length, literal, source });
  return pieces;
}

/** Whether a text as long as the piece is the piece. */
function pieceTest({ literal, source }: Piece): (text: string) => boolean {
  if (literal !== undefined) return (text) => text === literal;
  let expression: RegExp | undefined;
  return (text) => {
    expression ??= makeExpression(source, false);
    return expression.test(text);
  };
}

/** Whether a text holds the piece somewhere. */
function pieceSearch({ literal, source }: Piece): (text: string) => boolean {
  if (literal !== undefined) return (text) => text.includes(literal);
  let expression: RegExp | undefined;
  return (text) => {
    expression ??= makeExpression(source, true);
    return expression.test(text);
  };
}

function makeExpression(source: string, contains: boolean): RegExp {
  // Loaded only where a name is asked of a pattern that needs it: micromatch is slow to load.
  const micromatch: typeof import("micromatch") = require("micromatch");
  return micromatch.makeRe(source, { ...MICROMATCH_OPTIONS, contains });
}
