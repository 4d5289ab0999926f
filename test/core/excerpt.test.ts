// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { excerptFile } from "../../src/core/excerpt.ts";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import { budgetOf } from "../../src/core/rules/budget.ts";
import { applySplices } from "../../src/core/splice.ts";
import { decode, encode, policyOf } from "./json/support.ts";

const FAILURE = "src/parse.c:41:7: error: expected ';' before '}' token\n";
const TEXT = Array.from({ length: 2000 }, (_, i) =>
  i === 1200 ? FAILURE : `[${i}/2000] compiling unit number ${i} of the program\n`,
).join("");
const FACTS = { tool: "Bash", seen: false, stored: new Set<string>(), lossy: true };

it.each([
  ["counts the first line", 600, 600],
  ["has at least 512 bytes", 256, 512],
  ["has at least 512 bytes", 511, 512],
  ["counts the first line", 513, 513],
  ["is never above what the host shows", 50_000, 20_000],
])("C9: an excerpt %s, and holds the failing line: max_bytes %i", (_, maxBytes, most) => {
  const bytes = encode(TEXT);
  for (const path of ["/h/tool-results/b1.txt", `/h/${"long/".repeat(40)}tool-results/b1.txt`]) {
    const excerpt = excerptFile(bytes, path, 20_000, policyOf({ budget: budgetOf(maxBytes) }), FACTS);
    const out = decode(applySplices(bytes, excerpt?.splices ?? [], EXAMPLE_ID));
    expect(encode(out).length).toBeLessThanOrEqual(most);
    expect(out).toContain(FAILURE);
    expect(out.startsWith("[isthmos: excerpt of ")).toBe(true);
  }
});
