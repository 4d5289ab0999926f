// SPDX-License-Identifier: Apache-2.0
// An independent judge of a cut (C4, C5, C7): it reads markers out of the output text, knows nothing of splices, and
// walks original and output side by side. Whatever is not a marker must be the original's bytes in their order; what
// is missing must be a dropped member, white space under `compact`, what a clean-up takes (reference-clean.ts), or a
// range that a marker names.
// Texts are binary strings (latin1), one character a byte. Documents are walked with recursion: small ones only.

import { type CleanRules, cleanReference, splitsEscape } from "./reference-clean.ts";

export interface CutRules extends CleanRules {
  readonly dropKeys: readonly string[];
  readonly compact: boolean;
}

/** What the output's markers say, for further checks. */
export interface CutReport {
  readonly ids: Set<string>;
  markers: number;
  droppedKeys: number;
}

interface Said {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly count?: number;
  readonly total?: number;
  readonly field?: string | undefined;
  readonly id?: string;
}

const CUT =
  /\[isthmos: (\d+)(?: of (\d+))? (lines|items|bytes) truncated(?:, \d+ of them failing)?, \3 (\d+)-(\d+)(?:, field ([^\]]+?))?, full: isthmos reveal ([0-9a-f]{16})\]/;
const HOLE = /\[isthmos: (lines|items|bytes) (\d+)-(\d+) truncated\]/;
const REPEAT = /\[isthmos: previous line repeated (\d+) more times?\]/;
const ANY_MARKER = new RegExp(`${CUT.source.replace("\\3", "\\w+")}|${HOLE.source}|${REPEAT.source}`, "g");

export function toBinary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/** Throws, saying what is wrong, unless `output` is a fair cut of the JSON document `original`. */
export function checkJsonCut(original: Uint8Array, output: Uint8Array, rules: CutRules): CutReport {
  const report: CutReport = { ids: new Set(), markers: 0, droppedKeys: 0 };
  compareDocuments(toBinary(original), toBinary(output), { rules, report, nested: false, path: "" });
  return report;
}

/** The same for JSON lines. */
export function checkLinesCut(original: Uint8Array, output: Uint8Array, rules: CutRules): CutReport {
  const report: CutReport = { ids: new Set(), markers: 0, droppedKeys: 0 };
  const before = splitLines(toBinary(original));
  let at = 0;
  let hidden = 0;
  let last: Said | undefined;
  let previous = "";
  for (const line of splitLines(toBinary(output))) {
    const { text, end } = line;
    const inner = /^\{"isthmos":"(\[isthmos: .*\])"\}$/.exec(text)?.[1];
    const said = inner === undefined ? undefined : readMarker(inner);
    const times = Number(inner === undefined ? undefined : REPEAT.exec(inner)?.[1]);
    if (said !== undefined) {
      same(said.from, at + 1, "a marker's first line");
      hidden += said.to - said.from + 1;
      at = said.to;
      last = said;
      note(report, said);
    } else if (times > 0) {
      for (let i = 0; i < times; i++) same(before[at++]?.text, previous, "a repeated line");
      report.markers++;
    } else {
      const source = before[at++];
      if (source === undefined) throw new Error("more lines than the original has");
      if (!isDocument(source.text)) {
        same(text, cleanReference(source.text, rules).text, "a line that is no record");
      } else if (source.text !== text) {
        compareDocuments(source.text, text, { rules, report, nested: false, path: `/${at - 1}` });
      }
      previous = source.text;
    }
    same(end, before[at - 1]?.end, "a line end");
  }
  same(at, before.length, "lines told of");
  checkTotals(last, hidden, before.length);
  return report;
}

/** The same for a text: with the named ranges put back, it is the original. */
export function checkTextCut(original: Uint8Array, output: Uint8Array, rules: CleanRules = {}): CutReport {
  const report: CutReport = { ids: new Set(), markers: 0, droppedKeys: 0 };
  compareTexts(toBinary(original), toBinary(output), { rules, report, path: undefined });
  return report;
}

interface TextWalk {
  readonly rules: CleanRules;
  readonly report: CutReport;
  readonly path: string | undefined;
}

function compareTexts(original: string, output: string, { rules, report, path: field }: TextWalk): void {
  const { text: clean, origin } = cleanReference(original, rules);
  const lines = splitLines(clean);
  const total = splitLines(original).length;
  // Of a last line without an end nothing may be left.
  const isLastGone = /[^\n]$/.test(original) && /(?:^|\n)$/.test(clean);
  same(lines.length, isLastGone ? total - 1 : total, "the number of lines");
  let whole = "";
  let hidden = 0;
  let last: Said | undefined;
  let from = 0;
  for (const match of output.matchAll(ANY_MARKER)) {
    whole += output.slice(from, match.index);
    from = match.index + match[0].length;
    const said = readMarker(match[0]);
    const times = Number(REPEAT.exec(match[0])?.[1]);
    if (said === undefined) {
      const start = whole.lastIndexOf("\n", whole.length - 2) + 1;
      whole = trimEnd(whole + whole.slice(start).repeat(times));
      report.markers++;
      continue;
    }
    if (said.field !== undefined) same(readable(said.field), readable(field), "the marker's field");
    if (said.unit === "bytes") {
      // The hole begins after the last byte that is shown and ends before the next: also where others went unmarked.
      const at = whole.length;
      const isHere = said.from > (origin[at - 1] ?? -1) && said.from <= (origin[at] ?? original.length);
      const isSplit = rules.stripAnsi && [said.from, said.to].some((edge) => splitsEscape(original, edge));
      if (isSplit) throw new Error("a hole of bytes ends inside an escape sequence");
      if (!isHere) same(said.from, origin[at], "where a hole of bytes begins");
      const next = origin.findIndex((place, i) => i >= at && place >= said.to);
      whole += clean.slice(at, next < 0 ? undefined : next);
      if (said.count !== undefined) same(said.count, said.to - said.from, "a marker's count of bytes");
    } else {
      same(said.unit, "lines", "the unit of a hole in a text");
      const range = lines.slice(said.from - 1, said.to);
      hidden += range.length;
      whole += trimEnd(range.map((line) => line.text + line.end).join(""));
    }
    last = said;
    note(report, said);
  }
  same(whole + output.slice(from), clean, "the text with its holes filled");
  if (last?.unit === "lines") checkTotals(last, hidden, total);
  else if (last !== undefined && last.id === undefined)
    throw new Error("the last hole of a text cites no id");
}

function checkTotals(last: Said | undefined, hidden: number, total: number): void {
  if (last === undefined) return;
  if (last.id === undefined) throw new Error("the last hole of a site cites no id");
  same(last.count, hidden, "the count of a site's last marker");
  same(last.total, total, "the total of a site's last marker");
}

interface Node {
  readonly kind: "object" | "array" | "string" | "other";
  readonly start: number;
  readonly end: number;
  /** White space on both sides, up to the next token. */
  readonly before: string;
  readonly after: string;
  readonly members: (readonly [key: Node, value: Node])[];
  readonly items: Node[];
}

interface Walk {
  readonly rules: CutRules;
  readonly report: CutReport;
  /** The document is the value of a string. */
  readonly nested: boolean;
  /** Its JSON pointer, or undefined where it is ambiguous. */
  readonly path: string | undefined;
}

/** What one walk compares: both sources, and the way to the place. */
interface Pair extends Walk {
  readonly before: string;
  readonly after: string;
}

function compareDocuments(before: string, after: string, walk: Walk): void {
  const old = parse(before);
  const cut = parse(after);
  same(cut.before, old.before, "white space before the document");
  same(cut.after, old.after, "white space after the document");
  compare(old, cut, { ...walk, before, after });
}

function compare(old: Node, cut: Node, pair: Pair): void {
  same(cut.kind, old.kind, "the kind of a value");
  const raw = pair.before.slice(old.start, old.end);
  if (old.kind === "object") compareObjects(old, cut, pair);
  else if (old.kind === "array") compareArrays(old, cut, pair, undefined);
  else if (old.kind === "string") compareStrings(raw, pair.after.slice(cut.start, cut.end), pair);
  else same(pair.after.slice(cut.start, cut.end), raw, "a number or word");
}

function compareObjects(old: Node, cut: Node, pair: Pair): void {
  const { before, after, rules, report } = pair;
  const rawOf = (key: Node): string => before.slice(key.start, key.end);
  let at = 0;
  let dropped: readonly [Node, Node] | undefined;
  let kept: Node | undefined;
  for (const [key, value] of old.members) {
    const name = decodeString(rawOf(key));
    if (rules.dropKeys.some((pattern) => matches(pattern, name))) {
      dropped ??= [key, value];
      report.droppedKeys++;
      continue;
    }
    const member = cut.members[at++];
    if (member === undefined) throw new Error(`the member ${name} is missing`);
    same(after.slice(member[0].start, member[0].end), rawOf(key), "a key's spelling");
    sameSpace(member[0].before, [key.before, dropped?.[0].before], pair);
    sameSpace(member[0].after, [key.after], pair);
    sameSpace(member[1].before, [value.before], pair);
    dropped = undefined;
    const isAmbiguous = old.members.filter(([other]) => decodeString(rawOf(other)) === name).length > 1;
    const path = isAmbiguous || pair.path === undefined ? undefined : `${pair.path}/${step(name)}`;
    const isTaken = old.members.some(([other]) => rawOf(other) === besideName(rawOf(key)));
    const beside = isTaken ? undefined : markerBeside(after, cut.members[at], rawOf(key));
    if (beside !== undefined && value.kind === "array") {
      same(member[1].kind, "array", "the kind of a value");
      compareArrays(value, member[1], { ...pair, path }, beside);
      sameSpace(member[1].after, [""], pair);
      at++;
    } else compare(value, member[1], { ...pair, path });
    kept = value;
  }
  same(at, cut.members.length, "members of an object");
  const last = cut.members.at(-1)?.[1];
  if (last !== undefined) sameSpace(last.after, [kept?.after, old.members.at(-1)?.[1].after], pair);
}

function sameSpace(got: string, wanted: readonly (string | undefined)[], { rules, nested }: Walk): void {
  if (rules.compact && !nested) same(got, "", "white space under compact");
  else if (!wanted.includes(got)) same(got, wanted[0], "white space");
}

function besideName(rawKey: string): string {
  return `${rawKey.slice(0, -1)} (isthmos)"`;
}

function markerBeside(
  after: string,
  member: readonly [Node, Node] | undefined,
  rawKey: string,
): Said | undefined {
  if (member === undefined || after.slice(member[0].start, member[0].end) !== besideName(rawKey))
    return undefined;
  return readMarker(after.slice(member[1].start + 1, member[1].end - 1));
}

function compareArrays(old: Node, cut: Node, pair: Pair, beside: Said | undefined): void {
  const { before, after, report } = pair;
  let at = 0;
  let hidden = 0;
  let last = beside;
  const skip = (said: Said): void => {
    same(said.unit, "items", "the unit of a hole in an array");
    same(said.from, at, "where a hole of items begins");
    if (said.field !== undefined) same(readable(said.field), readable(pair.path), "the marker's field");
    hidden += said.to - said.from + 1;
    at = said.to + 1;
    note(report, said);
  };
  for (const item of cut.items) {
    const first = old.items[at];
    if (beside !== undefined && at === beside.from) skip(beside);
    const raw = after.slice(item.start, item.end);
    const source = old.items[at];
    const inner = /^(?:\{"isthmos":)?"(\[isthmos: .* truncated.*\])"\}?$/.exec(raw)?.[1];
    const said = inner === undefined ? undefined : readMarker(inner);
    if (said?.unit === "items" && raw !== before.slice(source?.start, source?.end)) {
      same(item.kind, old.items[0]?.kind, "the kind of a marker in an array");
      if (old.items.some(({ kind }) => kind !== item.kind)) throw new Error("a marker in a mixed array");
      skip(said);
      last = said;
      sameSpace(item.before, [source?.before], pair);
      sameSpace(item.after, [old.items[at - 1]?.after], pair);
      continue;
    }
    if (source === undefined) throw new Error("an item that the original has not");
    compare(source, item, { ...pair, path: pair.path === undefined ? undefined : `${pair.path}/${at}` });
    sameSpace(item.before, [source.before, first?.before], pair);
    at++;
    sameSpace(item.after, [source.after, old.items.at(-1)?.after], pair);
  }
  if (beside !== undefined && at === beside.from) skip(beside);
  same(at, old.items.length, "items told of");
  checkTotals(last, hidden, old.items.length);
}

function compareStrings(old: string, cut: string, pair: Pair): void {
  if (old === cut) return;
  const oldText = decodeString(old);
  const cutText = decodeString(cut);
  if (!pair.nested && isDocument(oldText) && isDocument(cutText)) {
    if (!pair.rules.collapseCr) checkSpelling(old, cut.replace(ESCAPED_BESIDE, "").replace(ESCAPED_ITEM, ""));
    compareDocuments(oldText, cutText, { ...pair, nested: true });
  } else {
    let from = 0;
    const isCleaned = pair.rules.stripAnsi || pair.rules.collapseCr;
    for (const piece of isCleaned ? "" : cut.replace(ANY_MARKER, "\0").slice(1, -1).split("\0")) {
      const at = old.indexOf(piece, from);
      if (at < 0) throw new Error(`not in the original string as it was spelled: ${piece.slice(0, 80)}`);
      from = at + piece.length;
    }
    compareTexts(oldText, cutText, pair);
  }
}

const BLANK = String.raw`(?:[ ]|\\[nrt])*`;
const QUOTED_MARKER = String.raw`\\"\[isthmos: [^\]]*\]\\"`;
/** What a cut adds to a document in a string beside the markers themselves. */
const ESCAPED_BESIDE = new RegExp(
  String.raw`,${BLANK}\\"[^"\\]* \(isthmos\)\\"${BLANK}:${BLANK}${QUOTED_MARKER}`,
  "g",
);
const ESCAPED_ITEM = new RegExp(String.raw`\{\\"isthmos\\":${QUOTED_MARKER}\}|${QUOTED_MARKER}`, "g");

/** What is shown of a string is spelled as it was: its bytes without markers stand in the original, in order. */
function checkSpelling(old: string, cut: string): void {
  let at = 0;
  for (const c of cut.replace(ANY_MARKER, "")) {
    at = old.indexOf(c, at) + 1;
    if (at === 0) throw new Error(`not in the original string as it was spelled: ${cut.slice(0, 300)}`);
  }
}

function isDocument(text: string): boolean {
  try {
    return ["object", "array"].includes(parse(text).kind);
  } catch {
    return false;
  }
}

function note(report: CutReport, said: Said): void {
  report.markers++;
  if (said.id !== undefined) report.ids.add(said.id);
}

function readMarker(text: string): Said | undefined {
  const cut = CUT.exec(text);
  if (cut !== null) {
    const [, count, total, unit = "", from, to, field, id = ""] = cut;
    const totals = total === undefined ? {} : { total: Number(total) };
    return { unit, from: Number(from), to: Number(to), count: Number(count), ...totals, field, id };
  }
  const hole = HOLE.exec(text);
  return hole === null ? undefined : { unit: hole[1] ?? "", from: Number(hole[2]), to: Number(hole[3]) };
}

function parse(text: string): Node {
  let at = 0;
  const space = (): string => {
    const from = at;
    while (/[ \t\r\n]/.test(text[at] ?? "")) at++;
    return text.slice(from, at);
  };
  const take = (c: string): boolean => {
    if (text[at] !== c) return false;
    at++;
    return true;
  };
  const must = (ok: boolean): void => {
    if (!ok) throw new Error(`not JSON at ${at}: ${text.slice(at, at + 40)}`);
  };
  const token = (members: Node["members"], items: Node[]): Node["kind"] => {
    if (take("{")) {
      const from = at;
      space();
      if (take("}")) return "object";
      at = from;
      do {
        const key = value();
        must(key.kind === "string" && take(":"));
        members.push([key, value()]);
      } while (take(","));
      must(take("}"));
      return "object";
    }
    if (take("[")) {
      const from = at;
      space();
      if (take("]")) return "array";
      at = from;
      do items.push(value());
      while (take(","));
      must(take("]"));
      return "array";
    }
    const simple = /"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null/y;
    simple.lastIndex = at;
    const start = at;
    must(simple.test(text));
    at = simple.lastIndex;
    return text[start] === '"' ? "string" : "other";
  };
  const value = (): Node => {
    const before = space();
    const start = at;
    const members: Node["members"] = [];
    const items: Node[] = [];
    const kind = token(members, items);
    const end = at;
    return { kind, start, end, before, after: space(), members, items };
  };
  const node = value();
  must(at === text.length);
  return node;
}

const ESCAPES = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["b", "\b"],
  ["f", "\f"],
]);

/** The bytes (as a binary string) that a raw string stands for; a lone surrogate takes three. */
function decodeString(raw: string): string {
  return raw.slice(1, -1).replace(/(?:\\u[0-9a-fA-F]{4})+|\\./g, (spelled) => {
    if (!spelled.startsWith("\\u")) return ESCAPES.get(spelled.slice(1)) ?? spelled.slice(1);
    const units = spelled
      .slice(2)
      .split("\\u")
      .map((hex) => Number.parseInt(hex, 16));
    let out = "";
    for (const character of String.fromCharCode(...units)) {
      const code = character.codePointAt(0) ?? 0;
      const isLone = code >= 0xd800 && code < 0xe000;
      out += isLone
        ? String.fromCharCode(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
        : Buffer.from(character).toString("latin1");
    }
    return out;
  });
}

/** A pattern with `*` only; the tests write no other. */
function matches(pattern: string, name: string): boolean {
  const source = pattern
    .split("*")
    .map((part) => part.replace(/[^\w]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${source}$`).test(name);
}

/** A pointer as text; what is no UTF-8 (a lone surrogate) becomes U+FFFD, as in the marker. */
function readable(pointer: string | undefined): string | undefined {
  return pointer === undefined ? undefined : Buffer.from(pointer, "latin1").toString();
}

function step(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

interface Line {
  readonly text: string;
  readonly end: string;
}

function splitLines(text: string): Line[] {
  return [...text.matchAll(/([^\n]*?)(\r?\n|$)/gy)]
    .map(([, line = "", end = ""]) => ({ text: line, end }))
    .filter(({ text: line, end }, i, all) => i < all.length - 1 || line !== "" || end !== "");
}

function trimEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function same(got: unknown, wanted: unknown, what: string): void {
  if (got !== wanted) {
    throw new Error(
      `${what}: ${JSON.stringify(got)?.slice(0, 300)} instead of ${JSON.stringify(wanted)?.slice(0, 300)}`,
    );
  }
}
