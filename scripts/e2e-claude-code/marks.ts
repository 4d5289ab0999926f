// SPDX-License-Identifier: Apache-2.0
// Markers as docs/formats.md describes them, read without the product's own code.

export interface Mark {
  readonly kind: "cut" | "hole" | "repeat" | "seen";
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  /** Of a cut: what the whole site leaves out; of a repeat: how often. */
  readonly count: number;
  readonly total: number;
  readonly failing: number;
  readonly id: string;
}

const CUT =
  /^\[isthmos: (\d+)(?: of (\d+))? (lines|items|bytes) truncated(?:, (\d+) of them failing)?, \3 (\d+)-(\d+)(?:, field [^\]]+)?, full: isthmos reveal ([0-9a-f]{16})\]$/;
const HOLE = /^\[isthmos: (lines|items|bytes) (\d+)-(\d+) truncated\]$/;
const REPEAT = /^\[isthmos: previous line repeated (\d+) more times\]$/;
const SEEN =
  /^\[isthmos: identical to an earlier \S+ result in this session, (\d+) (lines|bytes), full: isthmos reveal ([0-9a-f]{16})\]$/;
const NONE = { unit: "", from: 0, to: 0, count: 0, total: 0, failing: 0, id: "" };

/** The marker that `text` is, whole; undefined if it is none. */
export function readMark(text: string): Mark | undefined {
  const cut = CUT.exec(text);
  if (cut !== null) {
    const [, count, total, unit = "", failing, from, to, id = ""] = cut;
    const numbers = { count: Number(count), total: Number(total ?? 0), failing: Number(failing ?? 0) };
    return { kind: "cut", unit, ...numbers, from: Number(from), to: Number(to), id };
  }
  const hole = HOLE.exec(text);
  if (hole !== null) {
    const [, unit = "", from, to] = hole;
    return { ...NONE, kind: "hole", unit, from: Number(from), to: Number(to) };
  }
  const repeat = REPEAT.exec(text);
  if (repeat !== null) return { ...NONE, kind: "repeat", count: Number(repeat[1]) };
  const seen = SEEN.exec(text);
  if (seen !== null) {
    const [, count, unit = "", id = ""] = seen;
    return { ...NONE, kind: "seen", unit, count: Number(count), id };
  }
  return undefined;
}

/** The ids that a text cites, each once. */
export function citedIds(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/full: isthmos reveal ([0-9a-f]{16})\]/g)].map((match) => match[1] ?? "")),
  ];
}
