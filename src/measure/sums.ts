// SPDX-License-Identifier: Apache-2.0
// Sums per tool and in all: how one call, one reveal, one call known only from the host's report adds to them. All
// sizes in UTF-8 bytes of what the model sees.
import type { Cuts } from "../core/cuts.ts";
import { addCuts, type CallRow, type RevealRow } from "./row.ts";
import { settle } from "./settle.ts";
import { estimateTokens } from "./tokens.ts";

export interface Totals {
  readonly calls: number;
  /** What the model would have got without isthmos. */
  readonly in: number;
  /** What it got; reveals apart. */
  readonly out: number;
  /** `in - out - revealed`: negative where isthmos cost more than it saved. */
  readonly saved: number;
  /** `estimateTokens(saved)`. */
  readonly tokens: number;
  readonly reveals: number;
  /** Bytes given back. */
  readonly revealed: number;
  /** Reveals whose bytes are not known (rows of the Go program), so not netted. */
  readonly unsized: number;
  /** Calls whose size the host reported, and calls for which it is our own figure. */
  readonly delivered: number;
  readonly estimated: number;
  /** Rewrites that did not reach the model: refused, overruled, or replaced by the host's preview. */
  readonly rejected: number;
  /** Failed calls, which a host does not let us rewrite. */
  readonly failures: number;
  /** Calls that only the host's report names: no hook of ours was asked for them. */
  readonly unrouted: number;
  /** Excerpts in place of a host's preview, which they may be larger than. */
  readonly excerpts: number;
  /** Results that stayed above `max_bytes`, because of a diff, or as a JSON document without long strings. */
  readonly kept: number;
  /** Of rewrites that reached the model (or would have). */
  readonly cuts: Readonly<Cuts>;
}

export interface ToolTotals extends Totals {
  readonly tool: string;
}

export interface Section {
  /** The most saved first, then by name. */
  readonly tools: readonly ToolTotals[];
  readonly total: Totals;
}

/** Sums while they grow; the key is the tool's name. */
export type OpenSection = Map<string, Sums>;

type Sums = { -readonly [Key in keyof Totals]: Key extends "cuts" ? Cuts : number };

const COUNTS = [
  ...(["calls", "in", "out", "saved", "tokens", "reveals", "revealed", "unsized"] as const),
  ...(["delivered", "estimated", "rejected", "failures", "unrouted"] as const),
  ...(["excerpts", "kept"] as const),
] as const satisfies (keyof Totals)[];

export function addCall(section: OpenSection, call: CallRow, delivered: number | undefined): void {
  const sums = sumsOf(section, call.tool);
  const settled = settle(call, delivered);
  sums.calls++;
  sums.in += settled.in;
  sums.out += settled.out;
  if (call.failure) sums.failures++;
  if (call.excerpt && !settled.rejected) sums.excerpts++;
  if (call.kept !== undefined) sums.kept++;
  if (delivered === undefined) sums.estimated++;
  else sums.delivered++;
  if (settled.rejected) sums.rejected++;
  else addCuts(sums.cuts, call.cuts ?? {});
}

export function addUnrouted(section: OpenSection, tool: string, delivered: number): void {
  const sums = sumsOf(section, tool);
  sums.calls++;
  sums.in += delivered;
  sums.out += delivered;
  sums.delivered++;
  sums.unrouted++;
}

export function addReveal(section: OpenSection, { tool, revealed }: RevealRow): void {
  const sums = sumsOf(section, tool);
  sums.reveals++;
  sums.revealed += revealed ?? 0;
  if (revealed === undefined) sums.unsized++;
}

/** The finished section. */
export function toSection(section: OpenSection): Section {
  const total = emptySums();
  const tools: ToolTotals[] = [];
  for (const [tool, sums] of section) {
    sums.saved = sums.in - sums.out - sums.revealed;
    sums.tokens = estimateTokens(sums.saved);
    for (const key of COUNTS) total[key] += sums[key];
    addCuts(total.cuts, sums.cuts);
    tools.push({ tool, ...sums });
  }
  // Not the sum of rounded figures.
  total.tokens = estimateTokens(total.saved);
  // Code units, not the locale, so that the order is the same everywhere.
  tools.sort((a, b) => b.saved - a.saved || (a.tool < b.tool ? -1 : 1));
  return { tools, total };
}

function sumsOf(section: OpenSection, tool: string): Sums {
  let sums = section.get(tool);
  if (sums === undefined) {
    sums = emptySums();
    section.set(tool, sums);
  }
  return sums;
}

function emptySums(): Sums {
  return {
    ...{ calls: 0, in: 0, out: 0, saved: 0, tokens: 0, reveals: 0, revealed: 0, unsized: 0 },
    ...{ delivered: 0, estimated: 0, rejected: 0, failures: 0, unrouted: 0 },
    ...{ excerpts: 0, kept: 0 },
    cuts: {},
  };
}
