// SPDX-License-Identifier: Apache-2.0
// One tool output with one clue in it: a word that occurs nowhere else. With every other seed another failure floods
// the output, so that the clue is one failure among many.
import { makeRandom, type Random } from "./random.ts";
import { isTextShape, type JsonShape, type Shape, type TextShape } from "./shape.ts";

export const POSITIONS = ["start", "middle", "end"] as const;
export const KINDS = ["error line", "error item", "rare value", "id"] as const;

export type Position = (typeof POSITIONS)[number];
/** In a text, an error item is a failure of several lines; in JSON, an error line stands in a long text of an item. */
export type Kind = (typeof KINDS)[number];

export interface Case {
  readonly shape: Shape;
  readonly position: Position;
  readonly kind: Kind;
  readonly seed: number;
}

export interface Payload {
  readonly text: string;
  readonly clue: string;
}

/** Every shape, position and kind, once for each of the seeds. */
export function listCases(shapes: readonly Shape[], seeds: readonly number[]): Case[] {
  return seeds.flatMap((seed) =>
    shapes.flatMap((shape) =>
      POSITIONS.flatMap((position) => KINDS.map((kind) => ({ shape, position, kind, seed }))),
    ),
  );
}

/** The output of a case; the same for the same case. */
export function generate({ shape, position, kind, seed }: Case): Payload {
  const r = makeRandom(`${seed} ${shape.name} ${position} ${kind}`);
  // Longer than an identifier of the output, and never one by chance.
  const clue = `kq${r.hex(8)}`;
  const floods = seed % 2 === 0;
  const text = isTextShape(shape)
    ? generateText(r, shape, { position, kind, clue, floods })
    : generateJson(r, shape, { position, kind, clue, floods });
  return { text, clue };
}

interface Clue {
  readonly position: Position;
  readonly kind: Kind;
  readonly clue: string;
  readonly floods: boolean;
}

function generateText(r: Random, shape: TextShape, { position, kind, clue, floods }: Clue): string {
  const count = Math.min(700 + r.int(900), shape.maxLines ?? Number.POSITIVE_INFINITY);
  const at = placeOf(r, position, count);
  const lines: string[] = [...(shape.head ?? [])];
  for (let i = 0; i < count; i++) {
    const slots = {
      id: i === at && kind === "id" ? clue : r.hex(8),
      value: i === at && kind === "rare value" ? clue : r.pick(shape.values),
    };
    if (floods && i !== at && i % 4 === 0)
      lines.push(`ERROR backend-${r.int(90)} answered 503 after ${r.int(900)} ms`);
    if (i === at && kind === "error line") lines.push(shape.error(r, clue));
    else if (i === at && kind === "error item") lines.push(...shape.block(r, clue));
    else lines.push(withValue(shape, r, i, slots, i === at));
  }
  lines.push(...(shape.tail?.(r, count) ?? []));
  return `${lines.join("\n")}\n`;
}

/** Some lines of an output have no place for each slot: the clue's line is one that has. */
function withValue(
  shape: TextShape,
  r: Random,
  i: number,
  slots: { id: string; value: string },
  isClue: boolean,
): string {
  if (!isClue) return shape.line(r, i, slots);
  for (let step = 0; ; step++) {
    const line = shape.line(r, i + step, slots);
    if (line.includes(slots.id) && line.includes(slots.value)) return line;
    if (step > 9) return line;
  }
}

function generateJson(r: Random, shape: JsonShape, { position, kind, clue, floods }: Clue): string {
  const count = 120 + r.int(120);
  const at = placeOf(r, position, count);
  const items = Array.from({ length: count }, (_, i) => {
    if (i === at && kind === "error item") return shape.failing(r, i, clue);
    if (i === at && kind === "error line") return shape.logging(r, i, clue);
    if (floods && i !== at && i % 2 === 0)
      return { id: i, state: "failed", backend: r.int(90), ms: r.int(900) };
    return shape.item(r, i, {
      id: i === at && kind === "id" ? clue : r.hex(8),
      value: i === at && kind === "rare value" ? clue : r.pick(shape.values),
    });
  });
  return shape.wrap(items.map((item) => JSON.stringify(item)));
}

/** Where the clue stands, of `count` lines or items: in the first twentieth, the middle fifth or the last twentieth. */
function placeOf(r: Random, position: Position, count: number): number {
  const share = Math.floor(count / 20);
  if (position === "start") return r.int(share);
  if (position === "end") return count - 1 - r.int(share);
  return Math.floor(count * 0.4) + r.int(Math.floor(count / 5));
}
