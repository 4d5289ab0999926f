// SPDX-License-Identifier: Apache-2.0
// Rows of the measurement log: what they say, their JSON line, and back. The Go program's fields (`ts, tool,
// in_bytes, out_bytes, reveal`) keep their names and types, so each program reads the other's rows.
import { CUT_KINDS, type Cuts, KEPT_KINDS, type Kept } from "../core/cuts.ts";
import { cleanName } from "../report.ts";

interface RowBase {
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly tool: string;
  /** The adapter's name; absent for `filter` and in rows of the Go program. */
  readonly host?: string | undefined;
}

/** One tool result: UTF-8 bytes of what the model would see without and with isthmos. */
export interface CallRow extends RowBase {
  readonly kind: "call";
  readonly inBytes: number;
  /** Equal to `inBytes` where nothing was changed. */
  readonly outBytes: number;
  /** `hashCall` of the host's use id; joins the delivered row. */
  readonly call?: string | undefined;
  /** Computed, not answered. */
  readonly shadow?: boolean | undefined;
  /** A failed call, which the host does not let us rewrite. */
  readonly failure?: boolean | undefined;
  /** Time spent, milliseconds. */
  readonly ms?: number | undefined;
  readonly cuts?: Readonly<Cuts> | undefined;
  /** Positions of the rules that applied, 0-based. */
  readonly rules?: readonly number[] | undefined;
  /** An excerpt; `inBytes` is then the host's preview, so that it may be less than `outBytes`. */
  readonly excerpt?: boolean | undefined;
  /** What stayed whole although the result is above `max_bytes`. */
  readonly kept?: Kept | undefined;
}

/** What the host says reached the model for one call, in bytes. */
export interface DeliveredRow extends RowBase {
  readonly kind: "delivered";
  readonly call: string;
  readonly delivered: number;
}

/** An original (or a part of it) was given back. */
export interface RevealRow extends RowBase {
  readonly kind: "reveal";
  /** Bytes given back; undefined in rows of the Go program, which did not count them. */
  readonly revealed?: number | undefined;
}

export type Row = CallRow | DeliveredRow | RevealRow;

/**
 * The short form of a host's use id: 8 hex digits of 32-bit FNV-1a. It only has to tell apart the few calls
 * that are open at one time, and to leave no id of the host on disk.
 */
export function hashCall(useId: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < useId.length; i++) hash = Math.imul(hash ^ useId.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/** The row's JSON line, without line end. Names are cleaned and cut; fields at their default are left out. */
export function formatRow(row: Row): string {
  const base = { ts: new Date(row.ts).toISOString(), tool: cleanName(row.tool) };
  const host = row.host === undefined ? undefined : cleanName(row.host);
  return JSON.stringify({ ...base, ...fields(row, host) });
}

function fields(row: Row, host: string | undefined): object {
  switch (row.kind) {
    case "delivered":
      return { host, call: row.call, delivered: row.delivered };
    case "reveal":
      return { host, reveal: true, revealed: row.revealed };
    case "call": {
      const cuts = CUT_KINDS.filter((kind) => row.cuts?.[kind]).map((kind) => [kind, row.cuts?.[kind]]);
      return {
        in_bytes: row.inBytes,
        out_bytes: row.outBytes,
        host,
        call: row.call,
        shadow: row.shadow || undefined,
        failure: row.failure || undefined,
        ms: Math.round(row.ms ?? 0) || undefined,
        cuts: cuts.length > 0 ? Object.fromEntries(cuts) : undefined,
        rules: row.rules?.length ? row.rules : undefined,
        excerpt: row.excerpt || undefined,
        kept: row.kept,
      };
    }
  }
}

/**
 * The row in a parsed JSON value, or undefined if it is none. Unknown fields are ignored, a wrong type is no row, and
 * names come out clean.
 */
export function parseRow(value: unknown): Row | undefined {
  if (!isObject(value)) return undefined;
  const { ts, tool, host, call, reveal, revealed, delivered, in_bytes, out_bytes, shadow, failure, ms } =
    value;
  const time = typeof ts === "string" ? Date.parse(ts) : Number.NaN;
  if (Number.isNaN(time) || typeof tool !== "string" || !isOptionalText(host)) return undefined;
  if (!isOptionalText(call)) return undefined;
  const base = { ts: time, tool: cleanName(tool), ...(host !== undefined && { host: cleanName(host) }) };

  if (reveal === true) {
    if (revealed === undefined) return { kind: "reveal", ...base };
    return isCount(revealed) ? { kind: "reveal", ...base, revealed } : undefined;
  }
  if (delivered !== undefined) {
    if (!isCount(delivered) || call === undefined) return undefined;
    return { kind: "delivered", ...base, call, delivered };
  }
  if (!isCount(in_bytes) || !isCount(out_bytes) || !isOptionalFlag(reveal)) return undefined;
  if (!isOptionalFlag(shadow) || !isOptionalFlag(failure) || !isOptionalFlag(value.excerpt)) return undefined;
  const kept = KEPT_KINDS.find((kind) => kind === value.kept);
  if (value.kept !== undefined && kept === undefined) return undefined;
  if (ms !== undefined && !(typeof ms === "number" && ms >= 0)) return undefined;
  const cuts = parseCuts(value.cuts);
  const rules = value.rules ?? [];
  if (cuts === undefined || !Array.isArray(rules) || !rules.every(isCount)) return undefined;
  return {
    kind: "call",
    ...base,
    inBytes: in_bytes,
    outBytes: out_bytes,
    ...(call !== undefined && { call }),
    ...(shadow === true && { shadow }),
    ...(failure === true && { failure }),
    ...(ms !== undefined && { ms }),
    ...(Object.keys(cuts).length > 0 && { cuts }),
    ...(rules.length > 0 && { rules }),
    ...(value.excerpt === true && { excerpt: true }),
    ...(kept !== undefined && { kept }),
  };
}

function parseCuts(value: unknown): Cuts | undefined {
  if (value === undefined) return {};
  if (!isObject(value)) return undefined;
  const cuts: Cuts = {};
  for (const kind of CUT_KINDS) {
    const count = value[kind];
    if (count === undefined) continue;
    if (!isCount(count)) return undefined;
    cuts[kind] = count;
  }
  return cuts;
}

/** Adds `more` to `sum`, kind by kind. */
export function addCuts(sum: Cuts, more: Readonly<Cuts>): void {
  for (const kind of CUT_KINDS) {
    const count = more[kind];
    if (count) sum[kind] = (sum[kind] ?? 0) + count;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isOptionalFlag(value: unknown): value is boolean | undefined {
  return value === undefined || typeof value === "boolean";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
