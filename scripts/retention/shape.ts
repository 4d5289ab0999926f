// SPDX-License-Identifier: Apache-2.0
// What the generator knows of a kind of tool output: its lines or items when all is well, and how it tells of a
// failure, each in the tool's own words.
import type { Random } from "./random.ts";

/** What a line or item says besides: an id, and a value of which most lines have the same few. */
export interface Slots {
  readonly id: string;
  readonly value: string;
}

export interface TextShape {
  readonly name: string;
  readonly tool: string;
  readonly head?: readonly string[];
  /** Fewer lines than usual, where each is long. */
  readonly maxLines?: number;
  line(r: Random, i: number, slots: Slots): string;
  /** The common values of `line`. */
  readonly values: readonly string[];
  /** A failure on one line, with `clue` in it. */
  error(r: Random, clue: string): string;
  /** A failure of several lines, with `clue` in the one that tells what failed. */
  block(r: Random, clue: string): readonly string[];
  tail?(r: Random, lines: number): readonly string[];
}

export interface JsonShape {
  readonly name: string;
  readonly tool: string;
  item(r: Random, i: number, slots: Slots): object;
  readonly values: readonly string[];
  /** An item that failed, with `clue` in what it says. */
  failing(r: Random, i: number, clue: string): object;
  /** An item with a long text in which one line tells of a failure, with `clue` in it. */
  logging(r: Random, i: number, clue: string): object;
  /** The answer around the items; each is JSON text. */
  wrap(items: readonly string[]): string;
}

export type Shape = TextShape | JsonShape;

export function isTextShape(shape: Shape): shape is TextShape {
  return "line" in shape;
}

const NOUNS = [
  "parser",
  "session",
  "router",
  "ledger",
  "queue",
  "cache",
  "mailer",
  "report",
  "invoice",
  "search",
  "export",
  "worker",
  "socket",
  "token",
  "profile",
  "upload",
  "theme",
  "billing",
  "retry",
  "error",
  "webhook",
  "schema",
] as const;
const VERBS = [
  "keeps",
  "reads",
  "writes",
  "rejects",
  "merges",
  "skips",
  "throws",
  "returns",
  "orders",
  "renders",
] as const;

/** A name such as files and modules have. Some hold a failure word, as real ones do. */
export function moduleName(r: Random): string {
  return `${r.pick(NOUNS)}-${r.pick(NOUNS)}`;
}

/** What a test says that it shows. */
export function sentence(r: Random): string {
  return `${r.pick(VERBS)} the ${r.pick(NOUNS)} of the ${r.pick(NOUNS)}`;
}

export function path(r: Random, ending: string): string {
  return `src/${r.pick(NOUNS)}/${moduleName(r)}.${ending}`;
}

/** A time of one day, one step later with each line. */
export function clock(i: number): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${two(Math.floor(i / 3600) % 24)}:${two(Math.floor(i / 60) % 60)}:${two(i % 60)}`;
}

export function isoTime(i: number): string {
  return `2026-11-30T${clock(i)}.${String((i * 37) % 1000).padStart(3, "0")}Z`;
}

/** A text of `lines` lines with one that fails in its middle, for a string of JSON. */
export function logText(r: Random, lines: number, failing: string): string {
  const at = (lines >> 1) + r.int(lines >> 2);
  return Array.from({ length: lines }, (_, i) =>
    i === at ? failing : `${isoTime(i)} INFO ${moduleName(r)} took ${r.int(900)} ms`,
  ).join("\n");
}
