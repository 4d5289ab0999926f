// SPDX-License-Identifier: Apache-2.0
import { parseMarker } from "../../../src/core/marker.ts";
import { applySplices, type Splice } from "../../../src/core/splice.ts";
import { compressText, type TextContext, type TextLimits } from "../../../src/core/text/text.ts";

export const ID = "00112233445566ff";

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

export const LIMITS: TextLimits = { maxLines: 0, keepLast: undefined, maxStr: 0, dedup: false };
export const CONTEXT: TextContext = { cut: "any", content: "text", unit: "line", stored: new Set() };

/** The rendered text of `text` under the limits. */
export function render(
  text: string | Uint8Array,
  limits: Partial<TextLimits>,
  context: Partial<TextContext> = {},
): string {
  const bytes = typeof text === "string" ? encode(text) : text;
  const { splices } = compressText(bytes, { ...LIMITS, ...limits }, { ...CONTEXT, ...context });
  return decode(applySplices(bytes, splices, ID));
}

/** `count` lines `line 1` to `line <count>`, those in `at` replaced. */
export function numbered(count: number, at: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: count }, (_, i) => `${at[i + 1] ?? `line ${i + 1}`}\n`).join("");
}

/** What stands in the text's holes, put back by what the markers say, each hole found by its marker alone. */
export function restore(original: Uint8Array, rendered: Uint8Array): Uint8Array {
  const starts = [0];
  original.forEach((byte, i) => {
    if (byte === 0x0a) starts.push(i + 1);
  });
  if (original.length > 0 && original.at(-1) !== 0x0a) starts.push(original.length);
  const out: number[] = [];
  const push = (bytes: Iterable<number>): void => {
    for (const byte of bytes) out.push(byte);
  };
  const latin1 = Array.from(rendered, (byte) => String.fromCharCode(byte)).join("");
  let from = 0;
  for (const match of latin1.matchAll(/\[isthmos: [^\]]*\]/g)) {
    push(rendered.subarray(from, match.index));
    from = match.index + match[0].length;
    const marker = parseMarker(match[0]);
    const repeat = /previous line repeated (\d+) more/.exec(match[0]);
    if (repeat !== null) {
      const end = out.length;
      const start = end < 2 ? 0 : out.lastIndexOf(0x0a, end - 2) + 1;
      const line = out.slice(start, end);
      for (let i = 0; i < Number(repeat[1]); i++) push(line);
      trimEnd(out);
    } else if (marker?.unit === "lines") {
      push(original.subarray(starts[marker.from! - 1]!, starts[marker.to!]!));
      trimEnd(out);
    } else if (marker?.unit === "bytes") {
      push(original.subarray(marker.from!, marker.to!));
    } else push(rendered.subarray(match.index, from));
  }
  push(rendered.subarray(from));
  return Uint8Array.from(out);
}

// The line end after a marker line is that of the last line it stands for.
function trimEnd(out: number[]): void {
  if (out.at(-1) !== 0x0a) return;
  out.pop();
  if (out.at(-1) === 0x0d) out.pop();
}

export function insertsOf(splices: readonly Splice[]) {
  return splices.flatMap((splice) => splice.insert);
}
