// SPDX-License-Identifier: Apache-2.0
// What holds of every document that the rules cut.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateDocument, locateField } from "../../../src/core/json/locate.ts";
import { ARRAY } from "../../../src/core/json/scan.ts";
import { EXAMPLE_ID, parseMarker } from "../../../src/core/marker.ts";
import { insertBytes } from "../../../src/core/splice.ts";
import { DOCUMENT, encode, hasUniqueNames, prune, scanText } from "./support.ts";

const RUNS = process.env.SLOW === undefined ? 150 : 3000;
const POLICIES = fc.record({
  dropKeys: fc.constantFrom<string[][]>([], ["node_id"], ["*_url", "id"]),
  maxItems: fc.constantFrom(2, 3, 5),
  keepLast: fc.constantFrom(undefined, 0, 1, 9),
  maxStr: fc.constantFrom(0, 60, 200),
  maxLines: fc.constantFrom(0, 4, 12),
  dedup: fc.boolean(),
  compact: fc.boolean(),
});

/** Runs the property and holds that the rules cut more than half of the documents. */
function holds(
  check: (text: string, part: Parameters<typeof prune>[1], result: ReturnType<typeof prune>) => void,
): void {
  let cut = 0;
  let runs = 0;
  fc.assert(
    fc.property(DOCUMENT, POLICIES, (text, part) => {
      const result = prune(text, part);
      runs++;
      if (result.splices.length > 0) cut++;
      check(text, part, result);
    }),
    { numRuns: RUNS },
  );
  expect(cut).toBeGreaterThan(runs / 2);
}

describe("every cut document", () => {
  it("C2, C4: is the original but for splices in order, and smaller", () => {
    holds((text, _, { out, splices, cuts }) => {
      const bytes = encode(text);
      let at = 0;
      for (const { start, end } of splices) {
        expect(start >= at && end >= start && end <= bytes.length).toBe(true);
        at = end;
      }
      if (splices.length === 0) expect([out, cuts]).toEqual([text, {}]);
      else expect(encode(out).length).toBeLessThan(bytes.length);
      // Each hole by itself; a marker beside its array belongs to the hole in it.
      splices.forEach(({ start, end, insert }) => {
        const size = insert.reduce((sum, part) => sum + insertBytes(part), 0);
        if (end > start) expect(end - start).toBeGreaterThan(size);
      });
    });
  });

  it("C7: is JSON, and its arrays keep the kind of their items", () => {
    holds((_text, _part, { out }) => {
      const check = (value: unknown): void => {
        if (Array.isArray(value) && value.some(isMarkerItem)) {
          expect(new Set(value.map(kindOf)).size).toBe(1);
        }
        if (typeof value === "object" && value !== null) Object.values(value).forEach(check);
      };
      check(JSON.parse(out));
    });
  });

  it("drop_keys: is what a model with parsed values gives", () => {
    let compared = 0;
    let changed = 0;
    fc.assert(
      fc.property(
        DOCUMENT,
        fc.constantFrom(["node_id"], ["node_id", "text"], ["absent", "html_url", "id", "__proto__"]),
        (text, dropKeys) => {
          if (!hasUniqueNames(text)) return;
          compared++;
          const { out, splices } = prune(text, { dropKeys });
          if (splices.length > 0) changed++;
          expect(model(JSON.parse(out), [], true)).toEqual(model(JSON.parse(text), dropKeys, true));
        },
      ),
      { numRuns: 2 * RUNS },
    );
    expect([compared > RUNS / 10, changed > compared / 2]).toEqual([true, true]);
  });

  it("C5: says in each marker which items its hole took", () => {
    let holes = 0;
    holds((text, _, { splices }) => {
      const index = scanText(text);
      const places = new Map<number, { array: number; item: number; node: number }>();
      const lengths = new Map<number, number>();
      for (let array = 0; array < index.count; array++) {
        if (index.kind[array] !== ARRAY) continue;
        let item = 0;
        for (let node = array + 1; node < (index.next[array] ?? 0); node = index.next[node] ?? 0) {
          places.set(index.start[node] ?? 0, { array, item: item++, node });
        }
        lengths.set(array, item);
      }
      const left = new Map<number, number>();
      for (const { start, end, insert } of splices) {
        for (const marker of insert) {
          const place = places.get(start);
          if (typeof marker === "string" || place === undefined || end === start) continue;
          if ((marker.kind !== "cut" && marker.kind !== "hole") || marker.unit !== "items") continue;
          holes++;
          let last = place.node;
          for (let item = marker.from; item < marker.to; item++) last = index.next[last] ?? 0;
          expect([place.item, index.end[last]]).toEqual([marker.from, end]);
          left.set(place.array, (left.get(place.array) ?? 0) + marker.to - marker.from + 1);
          if (marker.kind !== "cut") continue;
          expect([marker.count, marker.total]).toEqual([left.get(place.array), lengths.get(place.array)]);
          const document = locateDocument(index.bytes);
          if (marker.field === undefined || document === undefined) continue;
          const found = locateField(document, marker.field);
          expect("start" in found && found.start).toBe(index.start[place.array]);
        }
      }
    });
    expect(holes).toBeGreaterThan(RUNS / 6);
  });

  it("is not cut again once its original is stored", () => {
    holds((_, part, { out }) => {
      expect(prune(out, part, { stored: new Set([EXAMPLE_ID]) }).out).toBe(out);
    });
  });
});

function isMarkerItem(item: unknown): boolean {
  const text = typeof item === "object" && item !== null && "isthmos" in item ? item.isthmos : item;
  return typeof text === "string" && parseMarker(text) !== undefined;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return value === null ? "null" : typeof value;
}

/** The document without the members to drop; a string that is a document stands as that document. */
function model(value: unknown, dropKeys: readonly string[], outer: boolean): unknown {
  if (typeof value === "string" && outer && /^\s*[{[]/.test(value)) {
    try {
      const inner: unknown = JSON.parse(value);
      return { document: model(inner, dropKeys, false) };
    } catch {
      return value;
    }
  }
  if (Array.isArray(value)) return value.map((item) => model(item, dropKeys, outer));
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([name]) => !dropKeys.includes(name))
    .map(([name, child]) => [name, model(child, dropKeys, outer)]);
}
