// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { pruneJson } from "../../../src/core/json/prune.ts";
import { scan } from "../../../src/core/json/scan.ts";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import { applySplices, splicedLength } from "../../../src/core/splice.ts";
import { encode, FULL, policyOf, prune } from "./support.ts";

const LONG = "a sentence of some length, ".repeat(20);

describe("drop_keys", () => {
  it.each([
    ['{"k":1}', "{}", 1],
    ['{ "k" : 1 }', "{}", 1],
    ['{"k":1,"a":2}', '{"a":2}', 1],
    ['{"a":2,"k":1}', '{"a":2}', 1],
    ['{"a":1,"k":2,"b":3}', '{"a":1,"b":3}', 1],
    ['{"k":1,"k":2,"a":3,"k":4,"k":5,"b":6,"k":7,"k":8}', '{"a":3,"b":6}', 6],
    ['{\n  "a": 1,\n  "k": [1, 2],\n  "b": 2\n}', '{\n  "a": 1,\n  "b": 2\n}', 1],
    ['{\n  "a": 1,\n  "k": 2\n}', '{\n  "a": 1\n}', 1],
    ['{"a" : 1 , "k" : 2 , "b" : 3 }', '{"a" : 1 , "b" : 3 }', 1],
    ['[{"k":1},{"a":{"k":1,"b":[{"k":{}}]}}]', '[{},{"a":{"b":[{}]}}]', 3],
    // A dropped subtree is not looked into; names are compared decoded, values never.
    ['{"k":{"k":1}}', "{}", 1],
    ['{"\\u006b":1,"a":"k"}', '{"a":"k"}', 1],
    ['{"K":1,"kk":2}', '{"K":1,"kk":2}', undefined],
  ])("%j", (text, out, keys) => {
    const result = prune(text, { dropKeys: ["k"] });
    expect([result.out, result.cuts.keys]).toEqual([out, keys]);
  });

  it.each([
    [["*_url"], '{"html_url":1,"url":2,"_url":3}', '{"url":2}'],
    [["node_id", "x*"], '{"x":1,"node_id":2,"y":3,"xy":4}', '{"y":3}'],
    [["*"], '{"a":{"b":1},"c":2}', "{}"],
    [["__proto__"], '{"__proto__":1,"constructor":2}', '{"constructor":2}'],
    [["é"], '{"é":1,"\\u00e9":2,"e":3}', '{"e":3}'],
    [["a/b"], '{"a\\/b":1}', "{}"],
  ])("%j on %s", (dropKeys, text, out) => {
    expect(prune(text, { dropKeys }).out).toBe(out);
  });

  it("C4: leaves numbers, duplicates, order and escapes as they are written", () => {
    const kept =
      '"n":[12345678901234567890,1.10,1E2,-0,1e400],"a":1,"a":2,"__proto__":{"x":1},"s":"\\ud83d \\u0041\\/<>&","2":0,"1":0';
    expect(prune(`{"k":1,${kept},"k":2}`, { dropKeys: ["k"] }).out).toBe(`{${kept}}`);
  });

  it("C4: works where a string is not UTF-8", () => {
    const bytes = Uint8Array.of(...encode('{"k":1,"a":"'), 0xff, 0xc3, ...encode('"}'));
    const index = scan(bytes);
    if (index === undefined) throw new Error("not scanned");
    const { splices } = pruneJson(index, policyOf({ dropKeys: ["k"] }), {
      stored: new Set(),
      pointerPrefix: "",
      nested: false,
    });
    expect([...applySplices(bytes, splices)]).toEqual([...encode('{"a":"'), 0xff, 0xc3, ...encode('"}')]);
  });
});

describe("strings", () => {
  it("are cut as a whole, with pointer and offsets of the decoded text", () => {
    const { out, cuts } = prune(JSON.stringify({ a: [{ b: `\u00e9"${LONG}` }] }), { maxStr: 100 });
    expect(out).toMatch(
      /^\{"a":\[\{"b":"é\\"a sentence.*field \/a\/0\/b, full: isthmos reveal \w{16}\].*"\}\]\}$/,
    );
    expect(cuts).toEqual({ strings: 1 });
    const [, from, to] = /bytes (\d+)-(\d+)/.exec(out) ?? [];
    const original = encode(`\u00e9"${LONG}`);
    const kept = new TextDecoder().decode(original.subarray(0, Number(from)));
    expect(JSON.parse(out).a[0].b.startsWith(`${kept}[isthmos: `)).toBe(true);
    expect(JSON.parse(out).a[0].b.endsWith(new TextDecoder().decode(original.subarray(Number(to))))).toBe(
      true,
    );
  });

  it("of many lines lose lines", () => {
    const text = Array.from({ length: 100 }, (_, i) => `this is line ${i} of the log`).join("\n");
    const { out, cuts } = prune(JSON.stringify({ log: text }), { maxLines: 8 });
    const lines: string[] = JSON.parse(out).log.split("\n");
    expect(lines.slice(5, 8)).toEqual([
      "this is line 5 of the log",
      `[isthmos: 92 of 100 lines truncated, lines 7-98, field /log${FULL}`,
      "this is line 98 of the log",
    ]);
    expect(cuts).toEqual({ lines: 92 });
  });

  it("lose repeated lines without a reference to the store", () => {
    const { out } = prune(JSON.stringify(`${"the very same line, again and again\n".repeat(9)}end`), {
      dedup: true,
    });
    expect(JSON.parse(out)).toBe(
      "the very same line, again and again\n[isthmos: previous line repeated 8 more times]\nend",
    );
  });

  it.each([
    ["a bracket", "a]"],
    ["a parenthesis", "a)"],
    ["a quote", 'a"'],
    ["a backslash", "a\\b"],
    ["a line end", "a\nb"],
    ["256 bytes", "k".repeat(256)],
  ])("stay whole where no marker can point to them: %s", (_, name) => {
    expect(prune(JSON.stringify({ [name]: LONG }), { maxStr: 100 }).splices).toEqual([]);
    expect(prune(JSON.stringify({ [name]: [LONG, LONG, LONG] }), { maxItems: 1 }).splices).toEqual([]);
    const inner = JSON.stringify({ rows: [LONG, LONG, LONG], text: LONG });
    expect(prune(JSON.stringify({ [name]: inner }), { maxItems: 1, maxStr: 100 }).splices).toEqual([]);
    const lines = "the very same line, again and again\n".repeat(9);
    expect(prune(JSON.stringify({ [name]: lines }), { dedup: true, maxLines: 3 }).out).toContain(
      "8 more times",
    );
  });

  it("are cut where the pointer has 256 bytes", () => {
    const name = "k".repeat(255);
    expect(prune(JSON.stringify({ [name]: LONG }), { maxStr: 100 }).out).toContain(`field /${name}`);
  });

  it.each(["keys", "short values"])("%s stay", (what) => {
    const text = what === "keys" ? `{"${LONG}":1}` : `{"a":"${"x".repeat(150)}"}`;
    expect(prune(text, { maxStr: 100 }).splices).toEqual([]);
  });

  it("C4: never tear an escape", () => {
    for (const piece of ["\\u00e9", "\\ud83d\\ude00", "\\n", "🎉"]) {
      for (let offset = 0; offset < 8; offset++) {
        const text = `{"a":"${"x".repeat(offset)}${piece.repeat(300)}"}`;
        const { out, splices } = prune(text, { maxStr: 100 });
        expect(splices.length).toBeGreaterThan(0);
        expect(String(JSON.parse(out).a).isWellFormed()).toBe(true);
      }
    }
    // A lone half stays as it is written, six letters or none.
    const { out } = prune(`{"a":"${"\\ud83d|".repeat(200)}"}`, { maxStr: 100 });
    expect(out.replace(/\[isthmos.*?\]/, "").replaceAll("\\ud83d", "")).toMatch(/^\{"a":"\|+"\}$/);
  });
});

describe("JSON in a string", () => {
  const inner = {
    rows: Array.from({ length: 9 }, (_, i) => ({ i, note: `"${LONG}"`, node_id: i })),
    t: "x\ny",
  };

  it("C7: is treated as a document, and stays one", () => {
    const { out, cuts } = prune(JSON.stringify([{ text: JSON.stringify(inner) }]), {
      dropKeys: ["node_id"],
      maxItems: 2,
      maxStr: 100,
    });
    const rows = JSON.parse(JSON.parse(out)[0].text).rows;
    expect(rows.map((row: object) => Object.keys(row).join())).toEqual(["i,note", "i,note", "isthmos"]);
    expect(rows[2].isthmos).toBe(`[isthmos: 7 of 9 items truncated, items 2-8, field /0/text/rows${FULL}`);
    expect(rows[1].note).toContain(", field /0/text/rows/1/note, full:");
    expect(cuts).toEqual({ keys: 2, items: 7, strings: 2 });
  });

  it("gets its marker beside an array of numbers escaped", () => {
    const text = JSON.stringify({
      t: JSON.stringify({ v: Array.from({ length: 99 }, (_, i) => i) }, null, 1),
    });
    const { out } = prune(text, { maxItems: 3 });
    expect(JSON.parse(JSON.parse(out).t)).toEqual({
      v: [0, 1, 2],
      "v (isthmos)": `[isthmos: 96 of 99 items truncated, items 3-98, field /t/v${FULL}`,
    });
  });

  it("is never clipped, and its white space stays", () => {
    const text = JSON.stringify({
      t: JSON.stringify(
        Array.from({ length: 99 }, (_, i) => i),
        null,
        1,
      ),
    });
    expect(prune(text, { maxStr: 50, maxLines: 5, dedup: true, compact: true }).splices).toEqual([]);
  });

  it("is text on the second level", () => {
    const text = JSON.stringify({ t: JSON.stringify({ u: JSON.stringify({ node_id: LONG }) }) });
    expect(prune(text, { dropKeys: ["node_id"] }).splices).toEqual([]);
    const { out } = prune(text, { maxStr: 100 });
    expect(JSON.parse(JSON.parse(out).t).u).toContain("field /t/u, full:");
  });

  it("stays as it is where nothing in it goes", () => {
    const text = JSON.stringify({ metadata: "{}", tags: '["alpha","beta"]', broken: "{not json}" });
    expect(prune(text, { dropKeys: ["k"], maxItems: 3, maxStr: 200 }).splices).toEqual([]);
  });
});

it("without the store only what loses nothing goes", () => {
  const line = "the very same line, again and again\n";
  const text = JSON.stringify(
    { k: 1, rows: Array.from({ length: 50 }, () => LONG), log: line.repeat(90) },
    null,
    1,
  );
  const part = { dropKeys: ["k"], maxItems: 2, maxStr: 50, maxLines: 3, dedup: true, compact: true };
  const { out, cuts } = prune(text, part, { lossy: false });
  expect(Object.keys(cuts).sort()).toEqual(["keys", "runs", "space"]);
  expect(out).not.toContain("reveal");
});

it("C11: a whole rule set gives one result, also behind a pointer", () => {
  const text = `{"k":1,"list":["${LONG}","b","c","d"],"z":[${Array.from({ length: 80 }, (_, i) => i)}] , "k":2}\n`;
  const part = { dropKeys: ["k"], maxItems: 2, compact: true };
  const { out } = prune(text, part, { pointerPrefix: "/7" });
  expect(out).toBe(
    `{"list":["${LONG}","b","c","d"],"z":[0,1],"z (isthmos)":"[isthmos: 78 of 80 items truncated, items 2-79, field /7/z${FULL}"}\n`,
  );
  expect(prune(text, part, { pointerPrefix: "/7" }).out).toBe(out);
});

describe("C15: 20 MB of the worst input takes linear time", () => {
  const MB = 1_000_000;
  const part = {
    dropKeys: ["node_id", "*_url"],
    maxItems: 5,
    keepLast: 1,
    maxStr: 200,
    maxLines: 50,
    dedup: true,
    compact: true,
  };
  const many = (length: number, make: (i: number) => string): string =>
    Array.from({ length }, (_, i) => make(i)).join(",");
  it.each<[string, () => string]>([
    [
      "arrays 90,000 deep, over and over",
      () => `[${many(110, () => "[".repeat(90_000) + "]".repeat(90_000))}]`,
    ],
    ["objects 90,000 deep", () => `${'{"a":'.repeat(90_000)}"${"x".repeat(19 * MB)}"${"}".repeat(90_000)}`],
    ["a million names", () => `{${many(1_250_000, (i) => `"key${i}":${i % 10}`)}}`],
    ["a million dropped names", () => `{${many(1_100_000, (i) => `"k${i}_url":${i % 10}`)}}`],
    ["one name, a million times", () => `{${many(1_300_000, () => '"data":"abcd"')}}`],
    ["escapes only", () => `["${"\\u0041".repeat((20 * MB) / 6)}"]`],
    ["line ends only", () => `["${"\\n".repeat(10 * MB)}"]`],
    ["one string", () => `{"a":"${"x".repeat(20 * MB)}"}`],
    ["empty objects", () => `[${many(6_000_000, () => "{}")}]`],
    ["failing items", () => `[${many(600_000, () => '{"status":"failed","i":1}')}]`],
    ["white space", () => `[1,${" \n".repeat(10 * MB)}2]`],
    ["strings that look like documents", () => `{${many(900_000, (i) => `"a${i % 9}":"{\\"b\\":[}"`)}}`],
    ["one string full of brackets", () => `["[${"[1],".repeat(5 * MB)}x]"]`],
    [
      "long names above cut strings",
      () => `{"${"n".repeat(MB)}":[${many(60_000, () => `"${"y".repeat(300)}"`)}]}`,
    ],
  ])("%s", (_, make) => {
    const bytes = encode(make());
    const from = performance.now();
    const index = scan(bytes);
    if (index === undefined) throw new Error("not scanned");
    const context = { stored: new Set([EXAMPLE_ID]), pointerPrefix: "", nested: false };
    const { splices } = pruneJson(index, policyOf(part), context);
    expect(splicedLength(bytes.length, splices)).toBeLessThanOrEqual(bytes.length);
    expect(performance.now() - from).toBeLessThan(30_000);
  });
});
