// SPDX-License-Identifier: Apache-2.0
// The lines of a text of JSON lines: what each is, and what its own limits take of it.
import type { Cuts } from "../cuts.ts";
import type { Policy } from "../rules/policy.ts";
import { type Splice, splicedLength } from "../splice.ts";
import { cleanText } from "../text/clean.ts";
import { markDiffs } from "../text/diff.ts";
import { isFailingLine } from "../text/failing.ts";
import { splitLines } from "../text/lines.ts";
import { FIXED } from "../text/marks.ts";
import { fitDocument } from "./elide.ts";
import { isFailingItem } from "./failures.ts";
import { readMarkerItem } from "./items.ts";
import { type JsonContext, keyTable, pruneJson } from "./prune.ts";
import { ARRAY, type JsonIndex, OBJECT, scan } from "./scan.ts";

/** Share of the lines that must be records. */
const RECORD_SHARE = 0.9;
/** Each line is an object in memory, of about 200 bytes; a text of more lines passes. */
export const LINES_MAX = 2_500_000;
/** A failing record's strings come down to so much: some of each is better than none of the record. */
const FAILING_LEAF_BYTES = 128;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** `text`: no record. `diff`: part of a patch, a record or not. `marker`: of an earlier cut, where one cites a stored id. */
export type Role = "record" | "failing" | "text" | "blank" | "diff" | "marker";

/** A line's bytes, its end apart: what is before `textEnd` is its text. */
interface LineSpan {
  readonly start: number;
  readonly textEnd: number;
  /** After the line end. */
  readonly end: number;
}

export interface Line extends LineSpan {
  readonly role: Role;
  /** What the record's own limits take. */
  readonly splices: readonly Splice[];
  readonly cuts: Readonly<Cuts>;
  /** Bytes of the text once `splices` are applied. */
  readonly outBytes: number;
}

/** The lines of a text of JSON lines, or undefined if it is none; of too many lines, more than `LINES_MAX`. */
export function readLines(bytes: Uint8Array, policy: Policy, context: JsonContext): Line[] | undefined {
  const lines: Line[] = [];
  const markers: number[] = [];
  let cites = false;
  let records = 0;
  let texts = 0;
  for (let start = 0; start < bytes.length && lines.length <= LINES_MAX; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    const textEnd =
      newline < 0 ? end : newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline;
    const span = { start, textEnd, end };
    const index = scan(bytes, start, textEnd);
    if (index !== undefined && (index.kind[0] === OBJECT || index.kind[0] === ARRAY)) {
      const marker = context.stored.size > 0 ? readMarkerItem(index, 0) : undefined;
      if (marker !== undefined && (marker.id === undefined || context.stored.has(marker.id))) {
        markers.push(lines.length);
        cites ||= marker.id !== undefined;
      }
      lines.push(
        readRecord(span, index, policy, {
          ...context,
          pointerPrefix: `/${lines.length}`,
          line: lines.length,
        }),
      );
      records++;
    } else {
      const line = readText(bytes, span, policy);
      if (line.role !== "blank") texts++;
      if (records === 0 && texts > 0) return undefined;
      lines.push(line);
    }
    start = end;
  }
  if (records < 2 || records < (records + texts) * RECORD_SHARE) return undefined;
  if (cites) for (const line of markers) lines[line] = plainLine(lines[line]!, "marker");
  // A patch has lines that are no records.
  if (texts > 0) fixDiffs(bytes, lines);
  return lines;
}

/** The record with its largest strings elided, so that it takes at most `most` bytes; undefined: it cannot. */
export function elideRecord(
  bytes: Uint8Array,
  line: Line,
  most: number,
  policy: Policy,
  context: JsonContext,
): Line | undefined {
  const length = line.textEnd - line.start;
  const index = most > 0 ? scan(bytes, line.start, line.textEnd) : undefined;
  if (index === undefined) return undefined;
  // The index says the length of all lines.
  const budget = { maxBytes: bytes.length - length + most, headBytes: most >> 1, tailBytes: most >> 2 };
  const pruned = fitDocument(
    index,
    policy,
    context,
    budget,
    { splices: [...line.splices], cuts: line.cuts },
    FAILING_LEAF_BYTES,
  );
  return pruned && { ...line, ...pruned, outBytes: splicedLength(length, pruned.splices) };
}

function readRecord(span: LineSpan, index: JsonIndex, policy: Policy, context: JsonContext): Line {
  const { splices, cuts } = pruneJson(index, policy, context);
  const role = isFailingItem(index, 0, keyTable(policy.dropKeys)) ? "failing" : "record";
  return { ...span, role, splices, cuts, outBytes: splicedLength(span.textEnd - span.start, splices) };
}

function readText(bytes: Uint8Array, span: LineSpan, policy: Policy): Line {
  const { start, textEnd } = span;
  if (isBlank(bytes, start, textEnd)) return plainLine(span, "blank");
  const clean = cleanText(bytes.subarray(start, textEnd), policy);
  const shown = clean?.text ?? bytes.subarray(start, textEnd);
  const line = plainLine(span, isFailingLine(shown, 0, shown.length) ? "failing" : "text");
  if (clean === undefined) return line;
  const splices = clean.splices.map((splice) => ({
    ...splice,
    start: splice.start + start,
    end: splice.end + start,
  }));
  return { ...line, splices, cuts: clean.cuts, outBytes: shown.length };
}

function plainLine({ start, textEnd, end }: LineSpan, role: Role): Line {
  return { start, textEnd, end, role, splices: [], cuts: {}, outBytes: textEnd - start };
}

function fixDiffs(bytes: Uint8Array, lines: Line[]): void {
  const marks = new Uint8Array(lines.length);
  markDiffs(splitLines(bytes, lines.length), marks);
  for (const [i, line] of lines.entries()) if ((marks[i]! & FIXED) !== 0) lines[i] = plainLine(line, "diff");
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! > 0x20) return false;
  return true;
}
