// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import micromatch from "micromatch";
import { describe, expect, it } from "vitest";
import { checkGlob, compileGlob, compileGlobs } from "../../../src/core/rules/glob.ts";

describe("compileGlob", () => {
  it.each([
    ["Bash", "Bash", true],
    ["Bash", "bash", false],
    ["Bash", "Bash2", false],
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["*", "any/thing\nat all", true],
    ["**", "x", true],
    ["mcp__*", "mcp__a/b", true],
    ["mcp__*", "mcp__", true],
    ["mcp__*", "xmcp__a", false],
    ["*_url", "_url", true],
    ["*_url", "html_url", true],
    ["*_url", "html_url_", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["*id*", "node_id_2", true],
    ["*id*", "node", false],
    ["a*b*c", "a--b--c", true],
    ["a*b*c", "abc", true],
    ["a*bb*c", "abc", false],
    ["a*b*c", "acb", false],
    ["x?z", "xyz", true],
    ["x?z", "x/z", false],
    ["x?z", "xz", false],
    ["*?", "", false],
    ["?*?", "ab", true],
    ["?*?", "a", false],
    ["*[0-9]x*", "ab7xc", true],
    ["*[0-9]x*", "ab7c", false],
    ["[ab]c", "bc", true],
    ["[ab]c", "[ab]c", false],
    ["[!ab]c", "cc", true],
    ["[^ab]c", "ac", false],
    ["[]a]", "]", true],
    ["[a-]", "-", true],
    ["[a\\]]", "]", true],
    ["{Read,Grep}", "Grep", true],
    ["{Read,Grep}", "Glob", false],
    ["mcp__{a,b{1,2}}__*", "mcp__b2__list", true],
    ["mcp__{a,b{1,2}}__*", "mcp__b__list", false],
    ["a{,s}", "a", true],
    ["a{,s}", "as", true],
    ["a,b", "a,b", true],
    ["!Bash", "!Bash", true],
    ["!Bash", "Read", false],
    ["@(a|b)", "@(a|b)", true],
    ["(a)+", "aa", false],
    ["(?)", "(x)", true],
    ["a\\*", "a*", true],
    ["a\\*", "ab", false],
    ["\\{x\\}", "{x}", true],
    ["\\\\\\\\\\\\?", "\\\\\\x", true],
    ["__proto__", "__proto__", true],
    ["$ref", "$ref", true],
  ])("%j on %j: %s", (pattern, name, expected) => {
    expect(checkGlob(pattern)).toBeUndefined();
    expect(compileGlob(pattern)(name)).toBe(expected);
    expect(compileGlobs([pattern])(name)).toBe(expected);
  });

  it.each([
    ["*a*b", undefined],
    ["*a*b*", 'has more than 2 "*" in one alternative'],
    ["{*a*,*b*}", undefined],
    ["{*,*a}{*,*b}*", 'has more than 2 "*" in one alternative'],
    ["a".repeat(199), undefined],
    ["a".repeat(200), undefined],
    ["a".repeat(201), "is longer than 200 bytes"],
    [`${"a".repeat(198)}é`, undefined],
    [`${"a".repeat(199)}é`, "is longer than 200 bytes"],
    ["{a,b}".repeat(6), undefined],
    ["{a,b}".repeat(7), "has more than 64 alternatives"],
    [`{${"a,".repeat(62)}a}`, undefined],
    [`{${"a,".repeat(63)}a}`, undefined],
    [`{${"a,".repeat(64)}a}`, "has more than 64 alternatives"],
    ["{a,{b,{c,d}}}", undefined],
    ["{a,{b,{c,{d,e}}}}", undefined],
    ["{a,{b,{c,{d,{e,f}}}}}", "nests braces deeper than 4"],
    ["{a,b", 'has a "{" without "}"; write "\\\\{" for a plain one'],
    ["a}", 'has a "}" without "{"; write "\\\\}" for a plain one'],
    ["{a}", "has braces without a comma between two alternatives"],
    ["[a", 'has a "[" without "]"; write "\\\\[" for a plain one'],
    ["[]", 'has a "[" without "]"; write "\\\\[" for a plain one'],
    ["[a\\", 'has a "[" without "]"; write "\\\\[" for a plain one'],
    ["a]", 'has a "]" without "["; write "\\\\]" for a plain one'],
    ["[[:alpha:]]", 'has a "[" inside of brackets; write "\\\\[" for a plain one'],
    ["[z-a]", 'has a range that runs backwards, "z-a"'],
    ["[😀]", "has a character in brackets that only braces can hold"],
    ["a\\", "ends in a single backslash"],
  ])("%j: %s", (pattern, problem) => {
    expect(checkGlob(pattern)).toBe(problem);
    if (problem !== undefined) expect(compileGlob(pattern)(pattern)).toBe(false);
  });

  it("C15: long names are answered in linear time", () => {
    const long = "a".repeat(200_000);
    const started = performance.now();
    for (const pattern of [
      "*a*b",
      "a*ab*",
      "*?a*b",
      "*[ab]c*",
      `*${"a".repeat(190)}b*`,
      "{*a*b,*[a]*b,?*a?b}",
    ]) {
      expect(compileGlob(pattern)(long)).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("compileGlobs", () => {
  it("answers any of the list, the same way on every call", () => {
    const matches = compileGlobs(["id", "*_url", "x[0-9]", "bad]"]);
    for (const round of [1, 2]) {
      expect([round, ...["id", "a_url", "x7", "idx", "bad]", "__proto__"].map(matches)]).toEqual([
        round,
        true,
        true,
        true,
        false,
        false,
        false,
      ]);
    }
    expect(compileGlobs([])("")).toBe(false);
  });

  it("stays right when more names come than are remembered", () => {
    const matches = compileGlobs(["*7"]);
    for (let i = 0; i < 10_000; i++) expect(matches(`k${i}`)).toBe(i % 10 === 7);
  });
});

describe("properties", () => {
  const name = fc.string({ unit: fc.constantFrom("a", "b", "c", ":", "_", "/", "-"), maxLength: 8 });
  const piece = fc.constantFrom("a", "b", "ab", ":", "_", "-", "c_", "/b");
  // micromatch compares paths: it treats dots, the empty name and a "/" at the end in ways of its own.
  const isPathLike = (text: string) => text === "" || text.endsWith("/");
  const pattern = fc.oneof(
    piece,
    piece.map((text) => `${text}*`),
    piece.map((text) => `*${text}`),
    fc.constant("*"),
    fc.tuple(piece, piece).map(([a, b]) => `${a}*${b}`),
    piece.map((text) => `*${text}*`),
    fc.tuple(piece, piece).map(([a, b]) => `{${a},${b}}*`),
    fc.tuple(piece, piece).map(([a, b]) => `${a}?${b}`),
    piece.map((text) => `*[a-c]${text}`),
    piece.map((text) => `[^ab]${text}*`),
  );

  it("micromatch agrees on names that are not paths", () => {
    const options = {
      dot: true,
      bash: true,
      nonegate: true,
      noextglob: true,
      strictBrackets: true,
      literalBrackets: false,
      strictSlashes: true,
    };
    let matched = 0;
    fc.assert(
      fc.property(pattern, name, (glob, text) => {
        fc.pre(!isPathLike(text));
        const verdict = compileGlob(glob)(text);
        if (verdict) matched++;
        expect(verdict).toBe(micromatch.isMatch(text, glob, options));
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(300);
  });

  // One token at a time, all ways: slow, and plainly right.
  type Part = { text: string; test: (unit: string) => boolean } | "*";
  const part: fc.Arbitrary<Part> = fc.oneof(
    fc
      .constantFrom(..." !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~abdswé\n")
      .map((c) => ({ text: /[*?[\]{}\\]/.test(c) ? `\\${c}` : c, test: (unit: string) => unit === c })),
    fc.constant({ text: "?", test: (unit: string) => unit !== "/" }),
    fc.constant({ text: "[a-c]", test: (unit: string) => "abc".includes(unit) }),
    fc.constant({ text: "[!\\\\*d]", test: (unit: string) => !"\\*d/".includes(unit) }),
    fc.constant("*" as const),
  );
  const modelMatches = (parts: readonly Part[], text: string): boolean => {
    const [head, ...rest] = parts;
    if (head === undefined) return text === "";
    if (head === "*") return modelMatches(rest, text) || (text !== "" && modelMatches(parts, text.slice(1)));
    return text !== "" && head.test(text[0]!) && modelMatches(rest, text.slice(1));
  };

  it("a token-by-token model agrees on every character", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }).filter((parts) => parts.filter((p) => p === "*").length <= 2),
        fc.array(fc.constantFrom(..."!$()*+,-./:?@[\\]^_{|}abdswé\n"), { maxLength: 6 }),
        fc.boolean(),
        (parts, units, own) => {
          // Half of the names are the pattern's own text, which is nearer to a match.
          const glob = parts.map((p) => (p === "*" ? "*" : p.text)).join("");
          const text = own ? glob.replaceAll("\\", "").replaceAll("[a-c]", "b") : units.join("");
          expect(checkGlob(glob)).toBeUndefined();
          expect(compileGlob(glob)(text)).toBe(modelMatches(parts, text));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("any text is either a problem or a pattern, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (glob, text) => {
        const verdict = compileGlob(glob)(text);
        if (checkGlob(glob) !== undefined) expect(verdict).toBe(false);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."[]{}\\-^!a,*?") }), fc.string(), (glob, text) => {
        const verdict = compileGlob(glob)(text);
        if (checkGlob(glob) !== undefined) expect(verdict).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
