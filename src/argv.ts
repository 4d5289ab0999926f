// SPDX-License-Identifier: Apache-2.0
// Command-line spellings: Go-style single-dash long flags, durations, ranges. Pure text in, values out.

/** `-tool` and `-since=7d` become `--tool` and `--since=7d`; one-letter flags and values stay. */
export function normaliseFlags(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.map((arg, i) => (/^-[a-z][a-z-]/.test(arg) && (end < 0 || i < end) ? `-${arg}` : arg));
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
]);

/** A duration in ms ("168h", "7d", "1h30m"), or undefined if `text` is none. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(\.\d{1,9})?(ms|[smhdw]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)) {
    total += Number(amount) * (UNIT_MS.get(unit ?? "") ?? 0);
  }
  return total;
}

/** Two numbers as a marker or a flag spells a range ("21:380", "21-380"); undefined if it is none or reversed. */
export function parseRange(text: string): { from: number; to: number } | undefined {
  const match = /^(\d{1,15})[:-](\d{1,15})$/.exec(text);
  if (match === null) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2]);
  return from <= to ? { from, to } : undefined;
}
