// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { findByRegex } from "../../src/reveal/regex.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The pieces of the text that the expression hits, or the problem. */
function hits(text: string | Uint8Array, pattern: string, longBytes = 1024): string[] | string {
  const bytes = typeof text === "string" ? encode(text) : text;
  const made = findByRegex(bytes, pattern, { from: 0, to: bytes.length }, longBytes, 12);
  if ("problem" in made) return made.problem;
  const found: string[] = [];
  for (let hit = made.find(0, longBytes); hit !== undefined; hit = made.find(hit.start + 1, longBytes)) {
    found.push(Buffer.from(bytes.subarray(hit.start, hit.end)).toString("latin1"));
  }
  return found;
}

describe("findByRegex", () => {
  it.each<[string, string, string, string[]]>([
    ["the first of a short line", "aa a\nb\na", "a", ["a", "a"]],
    ["anchors of a line, without its end", "one\r\ntwo\r\none", "^one$", ["one", "one"]],
    ["no line end", "a\nb", "a.b|a\\s", []],
    ["an empty hit", "x\n\ny", "^$", [""]],
    ["behind wider characters", "é漢😀x\n😀y", "[xy]", ["x", "y"]],
  ])("hits %s", (_, text, pattern, expected) => {
    expect(hits(text, pattern)).toEqual(expected);
  });

  it("hits whole characters where it stops inside of one", () => {
    const made = findByRegex(encode("😀😀"), ".", { from: 0, to: 8 }, 1024, 12);
    expect("find" in made && made.find(0, 1024)).toEqual({ start: 0, end: 0 });
  });

  it("hits all of a long line that are further apart than a window reaches", () => {
    const text = `a${"-".repeat(20)}a${"-".repeat(20)}a`;
    expect(hits(text, "a", 10)).toEqual(["a", "a", "a"]);
    expect(hits("aaaaaa", "a", 5).length).toBeLessThan(6);
  });

  it("hits bytes that are no UTF-8", () => {
    expect(hits(Uint8Array.of(0x61, 0xff, 0x0a, 0x62), "b")).toEqual(["b"]);
  });

  it.each([
    ["(a+)+$", "ended after 200 ms"],
    ["(", "cannot be used (Invalid regular expression"],
  ])("C15: %s: %s", (pattern, words) => {
    expect(hits(`${"a".repeat(40)}!`, pattern)).toContain(words);
  });
});
