// SPDX-License-Identifier: Apache-2.0

/** A comma or a comment; a line comment ends before its line end. */
export interface Trivia {
  readonly kind: "comma" | "line" | "block";
  readonly start: number;
  readonly end: number;
}

/** The commas and comments between two values of JSONC; undefined if anything else but white space is there. */
export function scanTrivia(text: string, from: number, to: number): Trivia[] | undefined {
  const found: Trivia[] = [];
  for (let at = from; at < to; ) {
    const c = text[at]!;
    if (c === "," || c === "/") {
      const kind = c === "," ? "comma" : text[at + 1] === "/" ? "line" : "block";
      if (kind === "block" && text[at + 1] !== "*") return undefined;
      const end = endOf(kind, text, at, to);
      found.push({ kind, start: at, end });
      at = end;
    } else if (c === " " || c === "\t" || c === "\n" || c === "\r") at++;
    else return undefined;
  }
  return found;
}

function endOf(kind: Trivia["kind"], text: string, at: number, to: number): number {
  if (kind === "comma") return at + 1;
  if (kind === "block") {
    const close = text.indexOf("*/", at + 2);
    return close < 0 ? to : Math.min(to, close + 2);
  }
  let end = at;
  while (end < to && text[end] !== "\n" && text[end] !== "\r") end++;
  return end;
}
