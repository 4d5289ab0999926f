// SPDX-License-Identifier: Apache-2.0
import { cleanName } from "../report.ts";

/** Lines of what stays that are shown around a change. */
const CONTEXT = 2;
/** Cells of the comparison's table; larger parts are shown as removed and added whole. */
const CELLS_MAX = 4_000_000;
const LINE_MAX_BYTES = 1000;

/** A line of a difference for a terminal. */
export function showLine(line: string): string {
  return `    ${cleanName(line.replace(/\r$/, "").replaceAll("\t", "  "), LINE_MAX_BYTES)}`;
}

interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** The lines that differ, each with its mark, and some around them; empty where nothing differs. */
export function diffLines(before: string, after: string): string[] {
  const lines = compare(splitLines(before), splitLines(after));
  const shown = new Set<number>();
  lines.forEach(({ mark }, at) => {
    if (mark === " ") return;
    for (let near = at - CONTEXT; near <= at + CONTEXT; near++) shown.add(near);
  });
  const out: string[] = [];
  let last = -1;
  lines.forEach(({ mark, text }, at) => {
    if (!shown.has(at)) return;
    if (at > last + 1) out.push("@@");
    last = at;
    out.push(`${mark}${text}`);
  });
  return out;
}

function splitLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function compare(old: readonly string[], now: readonly string[]): Line[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const same = (text: string): Line => ({ mark: " ", text });
  return [
    ...old.slice(0, head).map(same),
    ...compareMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

// The longest common subsequence, by the table of its lengths.
function compareMiddle(old: readonly string[], now: readonly string[]): Line[] {
  const removed = (text: string): Line => ({ mark: "-", text });
  const added = (text: string): Line => ({ mark: "+", text });
  const width = now.length + 1;
  if ((old.length + 1) * width > CELLS_MAX) return [...old.map(removed), ...now.map(added)];
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ mark: " ", text: old[i++]! });
      j++;
    } else if (
      j >= now.length ||
      (i < old.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    )
      lines.push(removed(old[i++]!));
    else lines.push(added(now[j++]!));
  }
  return lines;
}
