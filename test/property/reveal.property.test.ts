// SPDX-License-Identifier: Apache-2.0
// Recovery: what a marker names is what its hole took, and pages join to what was asked for.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compress } from "../../src/core/compress.ts";
import { decodeText } from "../../src/core/json/strings.ts";
import type { CutMarker, HoleMarker } from "../../src/core/marker.ts";
import { takePage } from "../../src/core/recover/page.ts";
import { type Range, takeSpan } from "../../src/core/recover/span.ts";
import { type Part, recoverPart } from "../../src/core/recover.ts";
import { parseRules } from "../../src/core/rules/parse.ts";
import { resolvePolicy } from "../../src/core/rules/policy.ts";
import type { Splice } from "../../src/core/splice.ts";
import { PROPERTY_TIMEOUT_MS, payload, RUNS, rules, TOOL, toBytes } from "../support/arbitraries.ts";

type Named = CutMarker | HoleMarker;

const FACTS = { tool: TOOL, seen: false, stored: new Set<string>(), lossy: true };
const LINE_END = /\r?\n$/;

function cut(bytes: Uint8Array, file: readonly object[]): readonly Splice[] {
  const { settings } = parseRules(JSON.stringify({ rules: file }));
  const policy = resolvePolicy(settings.rules, TOOL, bytes.length);
  return policy === undefined ? [] : compress({ bytes, cut: "any", content: "text" }, policy, FACTS).splices;
}

function namedOf({ insert }: Splice): Named | undefined {
  return insert.find(
    (part): part is Named => typeof part !== "string" && (part.kind === "cut" || part.kind === "hole"),
  );
}

function partOf({ unit, from, to }: Named, field: string | undefined): Part {
  return { field, [unit]: { from, to } };
}

/** What the hole took, as bytes of the document and as the text of the string, or of the string in a string, that it is in. */
function readings(bytes: Uint8Array, { start, end }: Splice): string[] {
  const raw = bytes.subarray(start, end);
  const once = decodeFragment(raw);
  return [raw, once, decodeFragment(once)].map((text) => binary(text));
}

function decodeFragment(raw: Uint8Array): Uint8Array {
  return decodeText(Buffer.concat([Buffer.from('"'), raw, Buffer.from('"')]), 0, raw.length + 2);
}

function binary(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

describe("a marker's range", () => {
  it(
    "is exactly its hole, in any document",
    () => {
      let holes = 0;
      fc.assert(
        fc.property(payload, rules, ({ text }, file) => {
          const bytes = toBytes(text);
          const splices = cut(bytes, file);
          splices.forEach((splice, i) => {
            const marker = namedOf(splice);
            if (marker === undefined) return;
            holes++;
            // The field of an inner hole stands in the last marker of its site.
            const sites =
              marker.kind === "cut" ? [marker] : splices.slice(i).flatMap((later) => namedOf(later) ?? []);
            const fields = new Set(sites.map((site) => (site.kind === "cut" ? site.field : undefined)));
            // A marker beside an array stands apart from its hole, which has none.
            const own =
              splice.start < splice.end
                ? [splice]
                : splices.slice(0, i).filter(({ insert }) => insert.length === 0);
            const wanted = own.flatMap((hole) => readings(bytes, hole));
            const given = [...fields].map((field) => {
              const recovered = recoverPart(bytes, partOf(marker, field));
              return "bytes" in recovered ? binary(recovered.bytes) : recovered.problem;
            });
            // A hole of lines leaves the last line's end; a hole of items beside its marker takes a comma.
            const trim = (hole: string) =>
              marker.unit === "items" ? hole.replace(/^\s*,\s*|\s*,\s*$/g, "") : hole;
            const trimmed = given.flatMap((range) => [range, range.replace(LINE_END, "")]);
            expect(wanted.some((hole) => trimmed.includes(hole) || trimmed.includes(trim(hole)))).toBe(true);
          });
        }),
        { numRuns: RUNS },
      );
      expect(holes).toBeGreaterThan(RUNS / 2);
    },
    PROPERTY_TIMEOUT_MS,
  );

  it(
    "put back for each marker of a text gives the original",
    () => {
      let changed = 0;
      const texts = payload.filter(({ kind }) => kind === "text");
      const limits = fc.record({
        tool: fc.constant("*"),
        max_lines: fc.constantFrom(0, 4, 10),
        max_str: fc.constantFrom(0, 60),
      });
      fc.assert(
        fc.property(texts, limits, ({ text }, rule) => {
          const bytes = toBytes(text);
          const parts: Uint8Array[] = [];
          let from = 0;
          for (const splice of cut(bytes, [rule])) {
            const marker = namedOf(splice);
            const recovered = marker && recoverPart(bytes, partOf(marker, undefined));
            if (recovered === undefined || "problem" in recovered)
              throw new Error("a hole that nothing gives back");
            const kept =
              marker?.unit === "lines"
                ? binary(recovered.bytes).replace(LINE_END, "")
                : binary(recovered.bytes);
            parts.push(bytes.subarray(from, splice.start), Buffer.from(kept, "latin1"));
            from = splice.end;
            changed++;
          }
          parts.push(bytes.subarray(from));
          expect(binary(Buffer.concat(parts))).toBe(binary(bytes));
        }),
        { numRuns: RUNS },
      );
      expect(changed).toBeGreaterThan(RUNS / 4);
    },
    PROPERTY_TIMEOUT_MS,
  );
});

const WORDS = fc.constantFrom(
  "a",
  "line\n",
  "é",
  "漢字\r\n",
  "😀",
  "\u0000",
  "\n",
  "[isthmos: lines 1-2 truncated]\n",
);
const TEXTS = fc.oneof(
  fc
    .array(WORDS, { minLength: 1, maxLength: 60 })
    .map((words) => Uint8Array.from(Buffer.from(words.join("")))),
  fc.uint8Array({ minLength: 1, maxLength: 80 }),
);

describe("pages", () => {
  it("of bytes join to the slice that was asked for, and split no character", () => {
    fc.assert(
      fc.property(TEXTS, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 40 }), (text, a, b, maxBytes) => {
        const [x, y] = [a % (text.length + 1), b % (text.length + 1)];
        const [from, to] = [Math.min(x, y), Math.max(x, y)];
        const isText = isUtf8(text) && isBoundary(text, from) && isBoundary(text, to);
        const pages = readPages(text, { bytes: { from, to } }, maxBytes);
        expect(binary(Buffer.concat(pages))).toBe(binary(text.subarray(from, to)));
        for (const page of pages) {
          expect(page.length <= Math.max(maxBytes, 4)).toBe(true);
          if (isText) expect(isUtf8(page)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("of any size laid side by side lose and double nothing", () => {
    fc.assert(
      fc.property(TEXTS, fc.integer({ min: 1, max: 40 }), (text, size) => {
        const parts: Uint8Array[] = [];
        for (let from = 0; from < text.length; from += size) {
          parts.push(...readPages(text, { bytes: { from, to: from + size } }, 4096));
        }
        expect(binary(Buffer.concat(parts))).toBe(binary(text));
      }),
      { numRuns: RUNS },
    );
  });

  it("of lines join to the lines", () => {
    fc.assert(
      fc.property(TEXTS, fc.integer({ min: 1, max: 40 }), (text, maxBytes) => {
        const pages = readPages(text, { lines: { from: 1, to: 999 } }, maxBytes);
        expect(binary(Buffer.concat(pages))).toBe(binary(text));
      }),
      { numRuns: RUNS },
    );
  });

  it("of items join with commas, as long as no item is larger than a page", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength: 1 }), (items) => {
        const longest = Math.max(...items.map((item) => Buffer.byteLength(JSON.stringify(item))));
        const text = Uint8Array.from(Buffer.from(JSON.stringify(items)));
        const pages = readPages(text, { items: { from: 0, to: items.length } }, longest + 5);
        expect(`[${pages.map((page) => Buffer.from(page).toString()).join(",")}]`).toBe(
          JSON.stringify(items),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

/** All pages from the first on, as following `next` gives them. */
function readPages(text: Uint8Array, first: Part, maxBytes: number): Uint8Array[] {
  const pages: Uint8Array[] = [];
  for (let part: Part | undefined = first; part !== undefined; ) {
    const span = takeSpan(text, part);
    if ("problem" in span) throw new Error(span.problem);
    const page = takePage(text, span, maxBytes, false);
    pages.push(text.subarray(page.from, page.to));
    const next: { unit: string; range: Range } | undefined = page.next;
    part = next && { [next.unit]: next.range };
    if (pages.length > text.length + 1) throw new Error("the pages do not end");
  }
  return pages;
}

function isUtf8(bytes: Uint8Array): boolean {
  return Buffer.from(Buffer.from(bytes).toString()).equals(bytes);
}

function isBoundary(text: Uint8Array, at: number): boolean {
  return at === text.length || (text[at]! & 0xc0) !== 0x80;
}
