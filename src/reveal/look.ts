// SPDX-License-Identifier: Apache-2.0
// One look into the store: the original of an id, the text and the span that are asked for, and of a search what it
// finds there. Nothing is copied but what a string's escapes make necessary.
import { findFailures } from "../core/recover/failures.ts";
import { collectMatches, type FindHit, type Matches, windowReach } from "../core/recover/matches.ts";
import { type Problem, type Span, takeSpan, takeText } from "../core/recover/span.ts";
import { lineUnits, type Units } from "../core/recover/units.ts";
import type { Env } from "../env.ts";
import { recordHealth } from "../health.ts";
import { appendRow } from "../measure/log.ts";
import { readSetup } from "../setup.ts";
import type { Loaded } from "../store/load.ts";
import { openStore } from "../store/vault.ts";
import { findByRegex } from "./regex.ts";
import { checkRequest, ERRORS_CONTEXT, type RevealRequest } from "./request.ts";

export interface Refusal {
  readonly status: "not_found" | "expired" | "too_large" | "unavailable" | "error";
  readonly id: string;
  readonly reason: string;
  readonly hint: string;
}

export interface Bounds {
  readonly maxBytes: number;
  readonly maxMatches: number;
}

type Original = Extract<Loaded, { status: "ok" }>;

export interface Looked {
  readonly status: "ok";
  /** Whole, also where a prefix was asked for. */
  readonly id: string;
  /** Its bytes are the text's; what else was in them may be gone. */
  readonly original: Original;
  /** The original, or the value of the field. */
  readonly text: Uint8Array;
  readonly span: Span;
  /** Of a search. */
  readonly found?: { readonly units: Units; readonly matches: Matches };
  /** Marks the original as given back, and measures `bytes` of it. */
  note(bytes: number): void;
}

/** Longer lines are shown as windows: one such line would be the whole answer. */
const LONG_LINE_BYTES = 1024;
const NEWLINE = 0x0a;

/** Never throws for what is asked or stored. */
export function look(request: RevealRequest, env: Env, bounds: Bounds): Looked | Refusal {
  const wrong = checkRequest(request);
  if (wrong !== undefined)
    return { ...wrong, id: request.id, hint: "isthmos reveal --help lists what can be asked" };
  const { store: options, mode, storeEnabled } = readSetup(env);
  const store = openStore(options);
  const resolved = store.find(request.id);
  if (!("id" in resolved)) {
    const { status, problem: reason, hint } = resolved;
    return { status, id: request.id, reason, hint };
  }
  const { id } = resolved;
  const original = store.load(id);
  if (original.status !== "ok") {
    const { status, reason, hint } = original;
    if (status !== "not_found" || storeEnabled) return { status, id, reason, hint };
    return {
      status: "unavailable",
      id,
      reason: `${reason}, and the rules file switches the store off`,
      hint,
    };
  }

  const failed = ({ problem }: Problem): Refusal => ({
    status: "error",
    id,
    reason: problem,
    hint: `isthmos reveal ${id} gives the whole original back`,
  });
  const text = takeText(original.bytes, request.field, true);
  if ("problem" in text) return failed(text);
  const span = takeSpan(text, request);
  if ("problem" in span) return failed(span);
  const found = find(text, span, request, bounds);
  if (found !== undefined && "problem" in found) return failed(found);

  return {
    status: "ok",
    id,
    original,
    text,
    span,
    ...(found !== undefined && { found }),
    note(bytes) {
      store.markRevealed(id);
      if (mode !== "off") measure(env, original.tool, bytes);
    },
  };
}

function find(
  text: Uint8Array,
  span: Span,
  request: RevealRequest,
  { maxBytes, maxMatches }: Bounds,
): { readonly units: Units; readonly matches: Matches } | Problem | undefined {
  const { search, regex, errors, context } = request;
  if (search === undefined && errors !== true) return undefined;
  let longBytes = Math.min(LONG_LINE_BYTES, maxBytes);
  let units: Units;
  let findHit: FindHit;
  if (search === undefined) {
    ({ units, find: findHit } = findFailures(text));
    // An item is read as a whole.
    if (units.unit === "items") longBytes = maxBytes;
  } else {
    units = lineUnits(text);
    const made = regex
      ? findByRegex(text, search, wholeLines(text, span), longBytes, windowReach(longBytes))
      : findLiteral(text, search);
    if ("problem" in made) return made;
    findHit = made.find;
  }
  const limits = {
    maxBytes,
    maxMatches,
    longBytes,
    context: context ?? (search === undefined ? ERRORS_CONTEXT : 0),
  };
  return { units, matches: collectMatches(text, units, findHit, span, limits) };
}

/** A search of the runtime, which is faster than any loop and linear for all but contrived texts. */
function findLiteral(text: Uint8Array, search: string): { readonly find: FindHit } {
  const haystack = Buffer.from(text.buffer, text.byteOffset, text.length);
  const needle = Buffer.from(search);
  return {
    find(from) {
      const start = haystack.indexOf(needle, from);
      return start < 0 ? undefined : { start, end: start + needle.length };
    },
  };
}

function wholeLines(text: Uint8Array, { from, to }: Span): { from: number; to: number } {
  const start = from === 0 ? 0 : text.lastIndexOf(NEWLINE, from - 1) + 1;
  const newline = to === 0 ? 0 : text.indexOf(NEWLINE, to - 1) + 1;
  return { from: start, to: newline === 0 ? text.length : newline };
}

function measure(env: Env, tool: string, revealed: number): void {
  try {
    appendRow(env.stateDir.value, { kind: "reveal", ts: Date.now(), tool, revealed });
  } catch {
    recordHealth(env.stateDir.value, "log_failed", { tool });
  }
}
