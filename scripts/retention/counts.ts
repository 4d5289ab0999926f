// SPDX-License-Identifier: Apache-2.0
import type { LoadedRules, Store } from "../../src/index.ts";
import { type Case, generate } from "./generate.ts";
import { type Fate, judge } from "./judge.ts";

/** Of the clues that tell of a failure, so many must be in view. */
const VISIBLE_SHARE_MIN = 0.995;

export interface Counts {
  cases: number;
  /** Results that the rules made smaller. */
  changed: number;
  errors: number;
  errorsVisible: number;
  others: number;
  othersVisible: number;
  revealed: number;
  lost: number;
  inBytes: number;
  outBytes: number;
  readonly revealBytes: number[];
}

export interface Miss extends Case {
  readonly fate: Fate["fate"];
  readonly clue: string;
}

export interface Retention {
  readonly total: Counts;
  readonly byShape: ReadonlyMap<string, Counts>;
  /** Failures that are not in view, and anything that one reveal does not give back. */
  readonly misses: readonly Miss[];
}

/** Compresses the output of every case and counts what becomes of the clues. */
export function measureRetention(
  cases: readonly Case[],
  rules: LoadedRules["settings"],
  store: Store,
): Retention {
  const total = noCounts();
  const byShape = new Map<string, Counts>();
  const misses: Miss[] = [];
  for (const one of cases) {
    const payload = generate(one);
    const fate = judge(payload, one.shape.tool, rules, store);
    const counts = byShape.get(one.shape.name) ?? noCounts();
    byShape.set(one.shape.name, counts);
    const isError = tellsOfFailure(one);
    for (const sums of [total, counts]) add(sums, fate, isError);
    if (fate.fate === "lost" || (isError && fate.fate !== "visible")) {
      misses.push({ ...one, fate: fate.fate, clue: payload.clue });
    }
  }
  return { total, byShape, misses };
}

/** What is wrong with the counts, in words; nothing if they hold. */
export function findShortfalls({ errors, errorsVisible, lost, changed, cases }: Counts): string[] {
  const problems: string[] = [];
  if (errorsVisible < errors * VISIBLE_SHARE_MIN) {
    problems.push(`only ${errorsVisible} of ${errors} failures are in view`);
  }
  if (lost > 0) problems.push(`${lost} clues are neither in view nor given back by one reveal`);
  if (changed < cases * 0.9) problems.push(`only ${changed} of ${cases} results were made smaller`);
  return problems;
}

function tellsOfFailure({ kind }: Case): boolean {
  return kind === "error line" || kind === "error item";
}

function noCounts(): Counts {
  return {
    cases: 0,
    changed: 0,
    errors: 0,
    errorsVisible: 0,
    others: 0,
    othersVisible: 0,
    revealed: 0,
    lost: 0,
    inBytes: 0,
    outBytes: 0,
    revealBytes: [],
  };
}

function add(
  counts: Counts,
  { fate, changed, inBytes, outBytes, revealBytes }: Fate,
  isError: boolean,
): void {
  const visible = fate === "visible" ? 1 : 0;
  counts.cases++;
  if (changed) counts.changed++;
  if (isError) counts.errors++;
  else counts.others++;
  if (isError) counts.errorsVisible += visible;
  else counts.othersVisible += visible;
  if (fate === "revealed") counts.revealed++;
  if (fate === "lost") counts.lost++;
  counts.inBytes += inBytes;
  counts.outBytes += outBytes;
  if (revealBytes !== undefined) counts.revealBytes.push(revealBytes);
}
