// SPDX-License-Identifier: Apache-2.0
// From rows to sums (C14), in memory that does not grow with the log. Pure: the rows come in; no file, no clock.
// Delivered rows find their call among the newest ones; older calls are summed up as they are.
import type { CallRow, DeliveredRow, Row } from "./row.ts";
import { addCall, addReveal, addUnrouted, type OpenSection, type Section, toSection } from "./sums.ts";

export type { Section } from "./sums.ts";

export interface Aggregate {
  readonly live: Section;
  /** Calls of shadow mode: what would have been saved. In no total of `live`. */
  readonly shadow: Section;
  /** Live calls of each host, most first; "" is the filter and the Go program. */
  readonly hosts: readonly { readonly host: string; readonly calls: number }[];
  /** Times of the first and the last row counted, ms since the epoch; absent where there is no row. */
  readonly first?: number;
  readonly last?: number;
}

export interface AggregateOptions {
  /** Rows before this time do not count, ms since the epoch. */
  readonly since?: number | undefined;
}

/**
 * So many newest calls can still find their delivered row, and at most twice as many are held. A turn has a few
 * dozen, and its delivered rows follow at its end.
 */
export const OPEN_CALLS = 10_000;

/** A call and what is known of it so far; its rows come in either order, and twice where a hook is wired twice. */
interface OpenCall {
  call?: CallRow;
  delivered?: DeliveredRow;
  /** Where a call goes that only the host's report names: to the mode of the call row before. */
  readonly unroutedTo: OpenSection;
}

/** Sums up `rows`, read once, in the order they were written. */
export function aggregate(rows: Iterable<Row>, { since }: AggregateOptions = {}): Aggregate {
  const live: OpenSection = new Map();
  const shadow: OpenSection = new Map();
  const hosts = new Map<string, number>();
  // Two generations: dropping the older one whole keeps the cost of a row constant.
  let newer = new Map<string, OpenCall>();
  let older = new Map<string, OpenCall>();
  let mode = live;
  let first: number | undefined;
  let last: number | undefined;

  const close = ({ call, delivered, unroutedTo }: OpenCall): void => {
    if (call !== undefined) {
      addCall(call.shadow ? shadow : live, call, delivered?.delivered);
      if (!call.shadow) hosts.set(call.host ?? "", (hosts.get(call.host ?? "") ?? 0) + 1);
    } else if (delivered !== undefined) addUnrouted(unroutedTo, delivered.tool, delivered.delivered);
  };
  const find = (key: string): OpenCall => {
    const known = newer.get(key) ?? older.get(key);
    if (known !== undefined) return known;
    if (newer.size === OPEN_CALLS) {
      for (const entry of older.values()) close(entry);
      older = newer;
      newer = new Map();
    }
    const entry: OpenCall = { unroutedTo: mode };
    newer.set(key, entry);
    return entry;
  };

  for (const row of rows) {
    if (since !== undefined && row.ts < since) continue;
    first = Math.min(first ?? row.ts, row.ts);
    last = Math.max(last ?? row.ts, row.ts);
    if (row.kind === "reveal") addReveal(live, row);
    else if (row.kind === "delivered") find(`${row.call} ${row.tool}`).delivered ??= row;
    else {
      mode = row.shadow ? shadow : live;
      if (row.call === undefined) close({ call: row, unroutedTo: mode });
      else find(`${row.call} ${row.tool}`).call ??= row;
    }
  }
  for (const generation of [older, newer]) for (const entry of generation.values()) close(entry);

  return {
    live: toSection(live),
    shadow: toSection(shadow),
    hosts: [...hosts].map(([host, calls]) => ({ host, calls })).sort((a, b) => b.calls - a.calls),
    ...(first !== undefined && { first }),
    ...(last !== undefined && { last }),
  };
}
