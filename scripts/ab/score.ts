// SPDX-License-Identifier: Apache-2.0
import type { Values } from "./protocol.ts";
import type { Row, Usage } from "./row.ts";

export interface Score {
  readonly values: Values;
  readonly rewrites: number;
  readonly withoutUsage: number;
}

/** Counts one run. Each reply, call and result counts once, however many rows or copies it has. */
export function scoreRows(rows: readonly Row[]): Score {
  const replies = new Map<string, Usage | undefined>();
  const uses = new Map<string, { readonly key: string; readonly isReveal: boolean }>();
  const results = new Map<string, { readonly bytes: number; readonly failed: boolean }>();
  const rewritten = new Set<string>();
  for (const row of rows) {
    if (row.kind === "rewrite") rewritten.add(row.useId);
    if (row.kind === "results") for (const result of row.results) results.set(result.useId, result);
    if (row.kind !== "reply") continue;
    replies.set(row.reply, largest(replies.get(row.reply), row.usage));
    // Another reader has not seen the first call's result.
    for (const { id, key, isReveal } of row.uses) uses.set(id, { key: `${row.agent} ${key}`, isReveal });
  }
  const usages = [...replies.values()];
  const sum = (field: keyof Usage) => usages.reduce((total, usage) => total + (usage?.[field] ?? 0), 0);
  const reveals = [...uses].filter(([, use]) => use.isReveal).map(([id]) => id);
  const others = [...uses.values()].filter(({ isReveal }) => !isReveal);
  const bytesOf = (ids: Iterable<string>) =>
    [...ids].reduce((total, id) => total + (results.get(id)?.bytes ?? 0), 0);
  return {
    values: {
      all_input_tokens: sum("input") + sum("cacheCreation") + sum("cacheRead"),
      input_tokens: sum("input"),
      cache_creation_tokens: sum("cacheCreation"),
      cache_read_tokens: sum("cacheRead"),
      output_tokens: sum("output"),
      replies: replies.size,
      tool_calls: uses.size,
      reruns: others.length - new Set(others.map(({ key }) => key)).size,
      failed_calls: [...results.values()].filter(({ failed }) => failed).length,
      reveals: reveals.length,
      result_bytes: bytesOf(results.keys()),
      reveal_bytes: bytesOf(reveals),
    },
    rewrites: rewritten.size,
    withoutUsage: usages.filter((usage) => usage === undefined).length,
  };
}

/** The first rows of a reply may have been written before its last token was counted. */
function largest(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const { max } = Math;
  return {
    input: max(a.input, b.input),
    cacheCreation: max(a.cacheCreation, b.cacheCreation),
    cacheRead: max(a.cacheRead, b.cacheRead),
    output: max(a.output, b.output),
  };
}
