// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { compress } from "../../src/core/compress.ts";
import { parseRules } from "../../src/core/rules/parse.ts";
import { resolvePolicy } from "../../src/core/rules/policy.ts";
import { insertBytes } from "../../src/core/splice.ts";
import { decodeUtf8 } from "../../src/core/utf8.ts";
import { type Bench, makeBench } from "../support/apply-here.ts";
import {
  type Payload,
  PROPERTY_TIMEOUT_MS,
  payload,
  RUNS,
  rule,
  rules,
  TOOL,
  toBytes,
} from "../support/arbitraries.ts";
import { toBinary } from "../support/check-cut.ts";

const bench: Bench = makeBench();
afterAll(() => bench.remove());

type FileRules = readonly { readonly tool: string }[];

/** Runs a property over payloads and rules; more than half of its runs must have changed something. */
function check(
  name: string,
  test: (bytes: Uint8Array, file: FileRules, payload: Payload) => boolean,
  numRuns = RUNS,
): void {
  it(
    name,
    () => {
      let changed = 0;
      fc.assert(
        fc.property(payload, rules, (given, file) => {
          if (test(toBytes(given.text), file, given)) changed++;
        }),
        { numRuns },
      );
      expect(changed).toBeGreaterThan(numRuns / 2);
    },
    PROPERTY_TIMEOUT_MS,
  );
}

/** Runs of a property that makes a folder, or a line on stderr, each time. */
const FEW_RUNS = RUNS / 10;

function expectSame(got: Uint8Array | undefined, wanted: Uint8Array): void {
  // The matchers of the test library take seconds for a large array.
  if (got === undefined || !Buffer.from(got).equals(wanted)) expect(got).toEqual(wanted);
}

/** The engine alone: what the rules make of the text. */
function compressHere(bytes: Uint8Array, file: FileRules, lossy = true) {
  const { settings } = parseRules(JSON.stringify(file));
  const policy = resolvePolicy(settings.rules, TOOL, bytes.length);
  const facts = { tool: TOOL, seen: false, stored: new Set<string>(), lossy };
  return policy && compress({ bytes, cut: "any", content: "text" }, policy, facts);
}

check("C2: the output is smaller by what the log says, or it is the input", (bytes, file) => {
  const { output, changed, outBytes } = bench.apply(bytes, file);
  expect(outBytes).toBe(output.length);
  if (changed) expect(output.length).toBeLessThan(bytes.length);
  else expect(output).toBe(bytes);
  return changed;
});

check("C2: each hole is larger than what stands in it", (bytes, file) => {
  const splices = compressHere(bytes, file)?.splices ?? [];
  let end = 0;
  for (const splice of splices) {
    expect(splice.start).toBeGreaterThanOrEqual(end);
    end = splice.end;
    const inserted = splice.insert.reduce((sum, part) => sum + insertBytes(part), 0);
    // A marker beside its array stands at its end; its hole is the splice before.
    if (splice.end > splice.start) expect(splice.end - splice.start).toBeGreaterThan(inserted);
  }
  expect(end).toBeLessThanOrEqual(bytes.length);
  return splices.length > 0;
});

check("C6: what the markers cite is stored, and it is the input", (bytes, file) => {
  const { output, changed, id } = bench.apply(bytes, file);
  const cited = new Set(toBinary(output).match(/(?<=full: isthmos reveal )[0-9a-f]{16}(?=\])/g));
  expect([...cited]).toEqual(id === undefined ? [] : [id]);
  const loaded = id === undefined ? undefined : bench.store.load(id);
  if (loaded !== undefined) expectSame(loaded.status === "ok" ? loaded.bytes : undefined, bytes);
  return changed;
});

check("C7: JSON stays JSON of the same kind, and valid UTF-8 stays valid", (bytes, file, { kind, text }) => {
  const { output, changed } = bench.apply(bytes, file);
  const decoded = decodeUtf8(output);
  if (decodeUtf8(bytes) !== undefined) expect(decoded).toBeDefined();
  if (kind === "json" && decoded !== undefined) {
    expect(Array.isArray(JSON.parse(decoded))).toBe(text.trimStart().startsWith("["));
  }
  if (kind === "lines") {
    for (const line of (decoded ?? "").split("\n"))
      if (/^\s*\{/.test(line)) expect(() => JSON.parse(line)).not.toThrow();
  }
  return changed;
});

check(
  "C10: what was revealed is not cut, whatever the rules",
  (bytes, file) => {
    const { changed } = bench.apply(bytes, file);
    const other = makeRevealed(bytes);
    expect(other.apply(bytes, file).changed).toBe(false);
    other.remove();
    return changed;
  },
  FEW_RUNS,
);

function makeRevealed(bytes: Uint8Array): Bench {
  const other = makeBench();
  other.store.markRevealed(other.store.save(bytes, { tool: TOOL, kind: "text" }));
  return other;
}

check("C11: the order of the rules, and doing it again, make no difference", (bytes, file) => {
  const once = bench.apply(bytes, file);
  expectSame(bench.apply(bytes.slice(), [...file].reverse()).output, once.output);
  expectSame(bench.apply(bytes.slice(), [...file, ...file]).output, once.output);
  return once.changed;
});

check(
  "C11: without time the answer is the original",
  (bytes, file) => {
    const hasTime = bench.apply(bytes, file).changed;
    expect(bench.apply(bytes, file, { env: { ISTHMOS_BUDGET_MS: "0" } }).output).toBe(bytes);
    return hasTime;
  },
  FEW_RUNS,
);

check(
  "C1, C6: without a store that can be written the answer is the original",
  (bytes, file) => {
    const { changed, id } = bench.apply(bytes, file);
    const broken = bench.apply(bytes, file, { env: { ISTHMOS_KEY_FILE: "/dev/null/key" } });
    // What cites nothing needs no store.
    expectSame(broken.output, id === undefined ? bench.apply(bytes, file).output : bytes);
    return changed;
  },
  FEW_RUNS,
);

check(
  "C5: with the store off, nothing that matters is lost: no item, line or string is cut",
  (bytes, file) => {
    const { cuts, id } = bench.apply(bytes, file, { file: { store: { enabled: false } } });
    expect(id).toBeUndefined();
    expect({ items: cuts.items, lines: cuts.lines, strings: cuts.strings, seen: cuts.seen }).toEqual({});
    return bench.apply(bytes, file).changed;
  },
);

check(
  "C14: in shadow nothing changes and nothing is stored, and the estimate is that of the live mode",
  (bytes, file) => {
    const live = bench.apply(bytes, file);
    const other = makeBench();
    const shadow = other.apply(bytes, file, { file: { mode: "shadow" } });
    expect(shadow.output).toBe(bytes);
    expect(shadow.outBytes).toBe(live.outBytes);
    expect(other.store.stats()).toMatchObject({ entries: 0 });
    other.remove();
    return live.changed;
  },
  FEW_RUNS,
);

describe("C3: without a matching rule the bytes stay as they are", () => {
  const foreign = fc
    .tuple(
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      fc.constantFrom("Bash", "mcp__tracker__get", "tracker", "MCP__*"),
    )
    .map(([file, tool]) => file.map((one) => ({ ...one, tool })));

  it(
    "when they name other tools, and every one of them would cut",
    () => {
      let cuts = 0;
      fc.assert(
        fc.property(payload, foreign, (given, file) => {
          const bytes = toBytes(given.text);
          expect(bench.apply(bytes, file).output).toBe(bytes);
          if (
            bench.apply(
              bytes,
              file.map((one) => ({ ...one, tool: TOOL })),
            ).changed
          )
            cuts++;
        }),
        { numRuns: RUNS },
      );
      expect(cuts).toBeGreaterThan(RUNS / 2);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    "when one of them says pass, or the result is below their min_bytes",
    () => {
      fc.assert(
        fc.property(payload, rules, (given, file) => {
          const bytes = toBytes(given.text);
          expect(bench.apply(bytes, [...file, { tool: "mcp__*", pass: true }]).output).toBe(bytes);
          const large = file.map((one) => ({ ...one, min_bytes: bytes.length + 1 }));
          expect(bench.apply(bytes, large).output).toBe(bytes);
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe("C9: a failure stays in view", () => {
  const FAILURE = "ERROR src/pay.ts:88 the unique failure";
  const calm = fc
    .integer({ min: 30, max: 300 })
    .map((count) =>
      Array.from({ length: count }, (_, i) => `[${i}] compiled src/part-${i % 97}.ts in ${i % 89} ms`),
    );
  const limits = fc.record({
    max_lines: fc.constantFrom(1, 2, 5, 20),
    keep_last: fc.constantFrom(0, 1, 5),
    dedup: fc.boolean(),
  });

  it(
    "wherever its line is in a text",
    () => {
      fc.assert(
        fc.property(calm, fc.nat(), limits, (lines, where, limit) => {
          const text = lines.toSpliced(where % lines.length, 0, FAILURE).join("\n");
          const { output, changed } = bench.apply(toBytes(text), [{ tool: TOOL, ...limit }]);
          expect(changed).toBe(true);
          expect(toBinary(output)).toContain(FAILURE);
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    "wherever its item is in an array",
    () => {
      const failing = fc.constantFrom(
        '{"id":7,"status":"failed"}',
        '{"id":7,"error":"disk full"}',
        '{"id":7,"ok":false}',
      );
      fc.assert(
        fc.property(
          fc.integer({ min: 20, max: 200 }),
          fc.nat(),
          failing,
          fc.constantFrom(1, 2, 9),
          (count, where, item, most) => {
            const items = Array.from(
              { length: count },
              (_, i) => `{"id":${i},"status":"open","title":"row ${i}"}`,
            );
            const text = `{"rows":[${items.toSpliced(where % count, 0, item).join(",")}]}`;
            const { output, changed } = bench.apply(toBytes(text), [{ tool: TOOL, max_items: most }]);
            expect(changed).toBe(true);
            expect(toBinary(output)).toContain(item);
          },
        ),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT_MS,
  );
});

describe("C8: a diff passes byte for byte", () => {
  it(
    "alone or inside a larger text, under every limit",
    () => {
      const hunk = fc.integer({ min: 1, max: 60 }).map((n) => {
        const body = Array.from({ length: n }, (_, i) => ` same ${i}\n-old ${i}\n+new ${i}\n`).join("");
        return `diff --git a/x.ts b/x.ts\nindex 1111111..2222222 100644\n--- a/x.ts\n+++ b/x.ts\n@@ -1,${2 * n} +1,${2 * n} @@\n${body}`;
      });
      const noise = fc.integer({ min: 0, max: 120 }).map((n) => "a line of the same log\n".repeat(n));
      let cuts = 0;
      fc.assert(
        fc.property(
          noise,
          hunk,
          noise,
          fc.array(rule, { minLength: 1, maxLength: 2 }),
          (before, patch, after, file) => {
            const text = `$ git log -p\n${before}${patch}${after}`;
            const { output, changed } = bench.apply(toBytes(text), file);
            expect(toBinary(output)).toContain(patch);
            if (changed) cuts++;
          },
        ),
        { numRuns: RUNS },
      );
      expect(cuts).toBeGreaterThan(RUNS / 2);
    },
    PROPERTY_TIMEOUT_MS,
  );
});
