// SPDX-License-Identifier: Apache-2.0
// `isthmos reveal ID`: an original, the part of it that a marker names, or what a search finds in it. Plain text is
// given whole, a search's lines as grep prints them; `--json` answers in pages.
import type { Group, Matches } from "../core/recover/matches.ts";
import type { Units } from "../core/recover/units.ts";
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { reportError, reportNotice, toCaret } from "../report.ts";
import { look } from "../reveal/look.ts";
import { type RevealRequest, reveal } from "../reveal.ts";

export interface RevealArgs {
  readonly request: RevealRequest;
  readonly json: boolean;
}

const NEWLINE = 0x0a;

/** Exit code 0, or 1 where there is nothing to give back. */
export function run({ request, json }: RevealArgs, env: Env, io: Io): number {
  if (json) {
    const answer = reveal(request, env);
    io.stdout(`${JSON.stringify(answer)}\n`);
    return answer.status === "ok" ? 0 : 1;
  }
  const { maxBytes = Number.POSITIVE_INFINITY, maxMatches = Number.POSITIVE_INFINITY } = request;
  const looked = look(request, env, { maxBytes, maxMatches });
  if (looked.status !== "ok") {
    reportError(looked.reason, looked.hint);
    return 1;
  }
  const { text, span, found } = looked;
  const bytes =
    found === undefined
      ? text.subarray(span.from, span.to)
      : printMatches(text, found.units, found.matches, hasContext(request));
  looked.note(bytes.length);
  io.stdout(io.isTerminal ? toCaret(bytes) : bytes);
  if (found?.matches.total === 0) reportNotice("nothing matches");
  return 0;
}

/** As grep does: `12:` before a line that matches, `12-` before its neighbours, `--` between runs. */
function printMatches(text: Uint8Array, units: Units, { groups }: Matches, isApart: boolean): Uint8Array {
  const parts: Uint8Array[] = [];
  const write = (head: string, from: number, to: number): void => {
    parts.push(Buffer.from(head), text.subarray(from, to));
    if (text[to - 1] !== NEWLINE) parts.push(Buffer.from("\n"));
  };
  for (const [i, group] of groups.entries()) {
    if (isApart && i > 0) parts.push(Buffer.from("--\n"));
    printGroup(units, group, write);
  }
  return Buffer.concat(parts);
}

function hasContext({ context, errors }: RevealRequest): boolean {
  return context === undefined ? errors === true : context > 0;
}

/** A window says its bytes: `12@4096-4400:`, as `--bytes` takes them. */
function printGroup(
  units: Units,
  { first, last, matching, window }: Group,
  write: (head: string, from: number, to: number) => void,
): void {
  if (window !== undefined) {
    write(`${first.number}@${window.from}-${window.to}:`, window.from, window.to);
    return;
  }
  const matches = new Set(matching);
  for (let place = first; ; ) {
    write(`${place.number}${matches.has(place.number) ? ":" : "-"}`, place.from, place.to);
    const after = place.number === last.number ? undefined : units.after(place);
    if (after === undefined) return;
    place = after;
  }
}
