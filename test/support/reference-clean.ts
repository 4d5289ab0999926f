// SPDX-License-Identifier: Apache-2.0
// The clean-ups once more, by other means: regular expressions and a screen of cells, for the judge of cuts. It
// knows the shapes that the generators make, and no wide characters. Texts are binary strings (latin1).

export interface CleanRules {
  readonly stripAnsi?: boolean;
  readonly collapseCr?: boolean;
}

export interface Cleaned {
  readonly text: string;
  /** Where each byte of `text` stands in the original. */
  readonly origin: readonly number[];
}

const ESCAPE = String.raw`\x1b(?:\[[0-?]*[ -/]*[@-~]?|[()][0-9A-Za-z]|\][^\x00-\x1f]*(?:\x07|\x1b\\)|[78c=>])`;
const TOKEN = new RegExp(String.raw`${ESCAPE}|[\xc0-\xff][\x80-\xbf]*|[\s\S]`, "g");
const DIFF_START = /^(?:\x1b\[[\d;]*m)*diff --git /;
const HUNK = /^(?:\x1b\[[\d;]*m)*@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const FAILS = /ERROR|FAIL|fatal:/;

interface Cell {
  readonly at: number;
  readonly text: string;
}

/** The text after the clean-ups, line by line; lines of a diff stay. */
export function cleanReference(text: string, rules: CleanRules): Cleaned {
  const out: Cell[] = [];
  let at = 0;
  let old = 0;
  let fresh = 0;
  let inHeader = false;
  for (const [line = ""] of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const hunk = HUNK.exec(line);
    if (DIFF_START.test(line)) inHeader = true;
    const isDiff = inHeader || old + fresh > 0;
    if (inHeader && hunk !== null) {
      inHeader = false;
      old = Number(hunk[1] ?? 1);
      fresh = Number(hunk[2] ?? 1);
    } else if (!inHeader && old + fresh > 0) {
      const sign = line.replace(/\x1b\[[\d;]*m/g, "")[0];
      if (sign !== "+") old--;
      if (sign !== "-") fresh--;
    }
    const body = line.replace(/\r?\n$/, "");
    if (isDiff) out.push({ at, text: line });
    else {
      out.push(...cleanLine(body, at, rules));
      out.push({ at: at + body.length, text: line.slice(body.length) });
    }
    at += line.length;
  }
  return {
    text: out.map((cell) => cell.text).join(""),
    origin: out.flatMap((cell) => Array.from(cell.text, (_, i) => cell.at + (cell.text.length > 0 ? i : 0))),
  };
}

/** True if the offset lies inside an escape sequence. */
export function splitsEscape(text: string, at: number): boolean {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const near = text.slice(line, text.indexOf("\n", at) < 0 ? undefined : text.indexOf("\n", at));
  return Array.from(near.matchAll(new RegExp(ESCAPE, "g"))).some(
    ({ index, 0: found }) => line + index < at && at < line + index + found.length,
  );
}

function cleanLine(line: string, at: number, rules: CleanRules): Cell[] {
  const shown = rules.collapseCr ? showLine(line, rules.stripAnsi === true) : undefined;
  if (shown !== undefined) return shown.map((cell) => ({ at: at + cell.at, text: cell.text }));
  if (!rules.stripAnsi) return [{ at, text: line }];
  const cells: Cell[] = [];
  let from = 0;
  const runs = new RegExp(`(?:${ESCAPE})+`, "g");
  for (const match of line.matchAll(runs)) {
    cells.push({ at: at + from, text: line.slice(from, match.index) });
    from = match.index + match[0].length;
    const moves = /\x1b(?:\[\d*[A-H]|[78])/.test(match[0]);
    const parts =
      moves && /[^\x00-\x20]$/.test(line.slice(0, match.index)) && /^[^\x00-\x20]/.test(line.slice(from));
    if (parts) cells.push({ at: at + match.index, text: " " });
  }
  cells.push({ at: at + from, text: line.slice(from) });
  return cells;
}

/** The cells that a terminal shows, with the colours that still hold; undefined where the line stays as it is. */
function showLine(line: string, strips: boolean): Cell[] | undefined {
  if (!/[\r\b]|\x1b\[\d*[DG]/.test(line)) return undefined;
  const tokens = Array.from(line.matchAll(TOKEN), (match): Cell => ({ at: match.index, text: match[0] }));
  let cells: Cell[] = [];
  const styles: Cell[] = [];
  let column = 0;
  for (const token of tokens) {
    const { text } = token;
    const csi = /^\x1b\[(\d*)([A-Za-z])$/.exec(text);
    if (text === "\r") column = 0;
    else if (text === "\b") column = Math.max(0, column - 1);
    else if (csi?.[2] === "G") column = Math.max(1, Number(csi[1])) - 1;
    else if (csi?.[2] === "D") column = Math.max(0, column - Math.max(1, Number(csi[1])));
    else if (csi?.[2] === "K" && csi[1] !== "1") cells = csi[1] === "2" ? [] : cells.slice(0, column);
    else if (csi !== null && csi[2] !== "m") return undefined;
    else if (text.startsWith("\x1b")) styles.push(token);
    else if (text < " " || column > cells.length) return undefined;
    else cells[column++] = token;
  }
  const over = line.split(/[\r\b]|\x1b\[\d*[A-LP]/).slice(0, -1);
  const plain = (text: string): string => text.replace(new RegExp(ESCAPE, "g"), "");
  const key = (text: string): string => plain(text).replace(/\w*\d\w*/g, "#");
  const final = cells.map(({ text }) => text).join("");
  if (over.some((text) => FAILS.test(plain(text)) && key(text) !== key(final))) return undefined;
  const moved = cells.findIndex((cell, i) => i > 0 && cell.at < cells[i - 1]!.at);
  if (moved >= 0) {
    const rest = cells.splice(moved);
    if (rest.some(({ text }) => text !== " ") || (!strips && styles.length > 0)) return undefined;
  }
  if (strips || styles.length === 0) return cells;
  const kept = styles.filter((style, i) => {
    const next = cells.find((cell) => cell.at > style.at)?.at ?? line.length;
    return !styles
      .slice(i + 1)
      .some(({ at, text }) => at < next && /^\x1b\[0?m$/.test(text) && /m$/.test(style.text));
  });
  return [...cells, ...kept].sort((a, b) => a.at - b.at);
}
