// SPDX-License-Identifier: Apache-2.0
// What may be asked of reveal, its bounds, and what is wrong with a request, in words. Options and the tool's
// arguments are spelled alike, so the words fit both.
import type { Part, Range } from "../core/recover.ts";

/** What is asked for. At most one of `lines`, `bytes` and `items`; at most one of `search` and `errors`, within them. */
export interface RevealRequest extends Part {
  /** The id of a marker, or its first 8 digits or more where only one entry begins with them. */
  readonly id: string;
  /** Lines that hold this text, case-sensitive; as a regular expression if `regex`. */
  readonly search?: string | undefined;
  readonly regex?: boolean | undefined;
  /** Lines that tell of a failure; of an array its failing items. */
  readonly errors?: boolean | undefined;
  /** Lines or items shown around each match. Default: 0 for `search`, 2 for `errors`. */
  readonly context?: number | undefined;
  /** Most bytes of text to give back. Default: MAX_BYTES. */
  readonly maxBytes?: number | undefined;
  /** Most matches to show. Default: MAX_MATCHES. */
  readonly maxMatches?: number | undefined;
}

/** Bytes of text in an answer: 2,000 tokens or so, what a model can be asked to read by the way. */
export const MAX_BYTES = 8192;
const MAX_BYTES_LIMIT = 65_536;
export const MAX_MATCHES = 5;
const MAX_MATCHES_LIMIT = 20;
const CONTEXT_LIMIT = 50;
export const ERRORS_CONTEXT = 2;
/** Longer texts are no search; the bound keeps a regular expression's compilation small. */
const SEARCH_MAX_UNITS = 1000;

export interface Refusal {
  readonly status: "too_large" | "error";
  readonly reason: string;
}

/** Why the request cannot be answered, whatever is stored; undefined if it can. */
export function checkRequest(request: RevealRequest): Refusal | undefined {
  const { search, maxBytes } = request;
  if (maxBytes !== undefined && maxBytes > MAX_BYTES_LIMIT) {
    return { status: "too_large", reason: `max_bytes is at most ${MAX_BYTES_LIMIT}, not ${maxBytes}` };
  }
  const reason = findProblem(request, search);
  return reason === undefined ? undefined : { status: "error", reason };
}

function findProblem(request: RevealRequest, search: string | undefined): string | undefined {
  const { lines, bytes, items, regex, errors, context, maxBytes, maxMatches } = request;
  if ([lines, bytes, items].filter((range) => range !== undefined).length > 1) {
    return "give one of lines, bytes and items";
  }
  if (search !== undefined && errors === true) return "give one of search and errors";
  if (search === "") return "the search is empty";
  if (search !== undefined && search.length > SEARCH_MAX_UNITS) {
    return `the search is longer than ${SEARCH_MAX_UNITS} characters`;
  }
  if (regex === true && search === undefined) return "regex says how to search: give a search too";
  if (search === undefined && errors !== true && (context ?? maxMatches) !== undefined) {
    return "context and max_matches are for search and errors";
  }
  for (const [name, range] of Object.entries({ lines, bytes, items })) {
    const problem = range && checkRange(name, range);
    if (problem !== undefined) return problem;
  }
  return (
    checkNumber("context", context, 0, CONTEXT_LIMIT) ??
    checkNumber("max_bytes", maxBytes, 1, MAX_BYTES_LIMIT) ??
    checkNumber("max_matches", maxMatches, 1, MAX_MATCHES_LIMIT)
  );
}

function checkRange(name: string, { from, to }: Range): string | undefined {
  const first = name === "lines" ? 1 : 0;
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return `${name} are two whole numbers, A:B`;
  if (from < first) return `${name} count from ${first}`;
  return from > to ? `${name} ${from}:${to} run backwards` : undefined;
}

function checkNumber(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
): string | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most))
    return undefined;
  return `${name} is a whole number from ${least} to ${most}`;
}
