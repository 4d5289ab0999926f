// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compress, type Facts } from "../../../src/core/compress.ts";
import { parseMarker } from "../../../src/core/marker.ts";
import { recoverPart } from "../../../src/core/recover.ts";
import { budgetOf } from "../../../src/core/rules/budget.ts";
import { applySplices } from "../../../src/core/splice.ts";
import { policyOf } from "./support.ts";

const ID = "00112233445566ff";
const FACTS: Facts = { tool: "t", seen: false, stored: new Set(), lossy: true };
const LOG = Array.from({ length: 400 }, (_, i) => `a line of the log, number ${i}\n`).join("");
const FAILURE = "error: it failed";

function cut(text: string, maxBytes: number, more = {}): { out: string; kept: string | undefined } {
  const bytes = new TextEncoder().encode(text);
  const policy = policyOf({ ...more, budget: budgetOf(maxBytes) });
  const { splices, kept } = compress({ bytes, cut: "any", content: "text" }, policy, FACTS);
  return { out: new TextDecoder().decode(applySplices(bytes, splices, ID)), kept };
}

describe("max_bytes of a JSON document", () => {
  const text = JSON.stringify({ id: 7, log: LOG, note: "short", list: [1, 2, 3], url: "x".repeat(400) });

  it.each([
    ["exactly the budget", text.length, true],
    ["a byte more", text.length - 1, false],
  ])("%s", (_name, most, whole) => {
    const { out, kept } = cut(text, most);
    expect(out === text).toBe(whole);
    expect(out.length).toBeLessThanOrEqual(most);
    expect(kept).toBeUndefined();
  });

  it("C7: the largest string loses its middle, with a pointer; all else is as it was", () => {
    const { out } = cut(text, 4000);
    const { log, ...rest } = JSON.parse(out);
    const { log: _log, ...before } = JSON.parse(text);
    expect(rest).toEqual(before);
    expect(out.length).toBeLessThanOrEqual(4000);
    const [marker = ""] = log.match(/\[isthmos: [^\]]*\]/) ?? [];
    const { field, from = 0, to = 0, id } = parseMarker(marker) ?? {};
    expect([field, id]).toEqual(["/log", ID]);
    const part = recoverPart(new TextEncoder().encode(text), { field, bytes: { from, to } });
    expect("bytes" in part && log.replace(marker, new TextDecoder().decode(part.bytes))).toBe(LOG);
  });

  it("C9: a failing line in the middle stays in view", () => {
    const log = LOG.replace("number 200\n", `number 200\n${FAILURE}\n`);
    expect(cut(JSON.stringify({ log }), 4000).out).toContain(FAILURE);
  });

  it("two large strings come down to one size", () => {
    const { out } = cut(
      JSON.stringify({ a: "a ".repeat(5000), b: "b ".repeat(4000), c: "c ".repeat(500) }),
      6000,
    );
    const { a, b, c } = JSON.parse(out);
    expect(Math.abs(a.length - b.length)).toBeLessThan(50);
    expect(c).toBe("c ".repeat(500));
    expect(out.length).toBeLessThanOrEqual(6000);
  });

  it("S10: a string whose pointer cannot be quoted stays whole, and another makes room", () => {
    const { out } = cut(JSON.stringify({ "a]": LOG, b: LOG }), LOG.length + 2000);
    expect(JSON.parse(out)["a]"]).toBe(LOG);
    expect(out.length).toBeLessThanOrEqual(LOG.length + 2000);
    const whole = JSON.stringify({ "a]": LOG });
    expect(cut(whole, 2000)).toEqual({ out: whole, kept: "json" });
  });

  it.each([
    [
      "S9: an array of small items",
      JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, ok: true }))),
    ],
    ["strings of less than 512 bytes", JSON.stringify(Array.from({ length: 90 }, () => "s".repeat(500)))],
    ["numbers", JSON.stringify(Array.from({ length: 900 }, (_, i) => i))],
    ["bytes that a client decodes", JSON.stringify({ type: "image", data: "iVBORw0KGgo".repeat(900) })],
  ])("%s stays whole, and that is said", (_name, document) => {
    expect(cut(document, 1000)).toEqual({ out: document, kept: "json" });
  });

  it("what the other limits take is taken first, and stays where the budget does not fit", () => {
    const items = JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, ok: true })));
    expect(cut(items, 4000, { maxItems: 100 })).toEqual({
      out: cut(items, 0x7fffffff, { maxItems: 100 }).out,
      kept: undefined,
    });
    expect(cut(items, 600, { maxItems: 100 }).kept).toBe("json");
  });

  it("a document inside a string keeps its shape", () => {
    const { out } = cut(JSON.stringify({ content: JSON.stringify({ ok: true, log: LOG }) }), 4000);
    const inner = JSON.parse(JSON.parse(out).content);
    expect(inner.ok).toBe(true);
    expect(inner.log).toContain("field /content/log, full: ");
    expect(out.length).toBeLessThanOrEqual(4000);
  });

  it("C7: JSON stays JSON of the same keys, within the budget or above it with the word", () => {
    const leaf = fc.oneof(
      fc.integer(),
      fc.constant(null),
      fc.string(),
      fc.integer({ min: 300, max: 3000 }).map((n) => 'z\\\n"é '.repeat(n / 6)),
    );
    let changed = 0;
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), leaf, { minKeys: 2 }),
        fc.integer({ min: 256, max: 5000 }),
        (value, most) => {
          const document = JSON.stringify(value);
          const { out, kept } = cut(document, most);
          if (out !== document) changed++;
          expect(Object.keys(JSON.parse(out))).toEqual(Object.keys(JSON.parse(document)));
          expect(new TextEncoder().encode(out).length <= most || kept === "json").toBe(true);
        },
      ),
      { numRuns: 300 },
    );
    expect(changed).toBeGreaterThan(30);
  });
});

describe("max_bytes of JSON lines", () => {
  const record = (i: number, level = "info"): string => `{"i":${i},"level":"${level}","msg":"step ${i}"}\n`;
  const text = Array.from({ length: 500 }, (_, i) => record(i, i === 250 ? "error" : "info")).join("");

  it("whole records: head, tail, and failing ones (C9)", () => {
    const { out, kept } = cut(text, 1500);
    expect(kept).toBeUndefined();
    expect(out.length).toBeLessThanOrEqual(1500);
    const lines = out.trimEnd().split("\n");
    expect(lines.every((one) => typeof JSON.parse(one) === "object")).toBe(true);
    expect(lines).toContain(record(250, "error").trimEnd());
    expect([lines[0], lines.at(-1)]).toEqual([record(0).trimEnd(), record(499).trimEnd()]);
    expect(out).toMatch(/\{"isthmos":"\[isthmos: \d+ of 500 lines truncated, lines /);
  });

  it("records that are larger than either end stay whole, and that is said", () => {
    const large = `{"a":"${"x".repeat(900)}"}\n`.repeat(3);
    expect(cut(large, 1000)).toEqual({ out: large, kept: "json" });
  });
});
