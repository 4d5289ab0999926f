// SPDX-License-Identifier: Apache-2.0
// Golden scenarios, one a file: what goes in, under which rules, and what comes out, ids shown as <id>. UPDATE=1
// writes the outputs anew for review; in CI it is refused. The format is described in README.md beside this file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeBench } from "../support/apply-here.ts";

const ROOT = import.meta.dirname;
const UPDATE = process.env.UPDATE === "1";
const EXPECTS = ["passthrough", "dropped", "cut", "collapsed", "compacted", "refused"] as const;
const HEADERS = ["expect", "tool", "comment", "allow", "content", "escaped", "store"];

interface Scenario {
  readonly header: ReadonlyMap<string, string>;
  readonly rules: object[];
  readonly payload: Uint8Array;
  /** Undefined where nothing changes. */
  readonly output: string | undefined;
  /** The file up to the output. */
  readonly input: string;
}

function readScenario(text: string): Scenario {
  const [, head = "", rules, payload, output] =
    /^([\s\S]*?\n)-- rules\.json --\n([\s\S]*?)\n-- payload --\n([\s\S]*?)\n(?:-- output --\n([\s\S]*)\n)?$/.exec(
      text,
    ) ?? [];
  if (rules === undefined || payload === undefined) throw new Error("a section is missing");
  const header = new Map<string, string>();
  for (const line of head.trimEnd().split("\n")) {
    const [, name = "", value = ""] = /^([a-z]+): (.+)$/.exec(line) ?? [];
    if (!HEADERS.includes(name) || header.has(name)) throw new Error(`header line: ${line}`);
    header.set(name, value);
  }
  const file: { rules: object[] } = JSON.parse(rules);
  return {
    header,
    rules: file.rules,
    payload: header.has("escaped") ? fromEscaped(payload) : Buffer.from(payload),
    output,
    input: text.slice(0, text.indexOf("\n-- output --\n") + 1) || text,
  };
}

/** `\r`, `\n`, `\0`, `\xff` and `\\` stand for bytes, line ends of the file for nothing. */
function fromEscaped(text: string): Uint8Array {
  const CODES: ReadonlyMap<string, number> = new Map([
    ["r", 13],
    ["n", 10],
    ["0", 0],
    ["\\", 92],
  ]);
  const pieces = text.replace(/\n/g, "").split(/(\\x[0-9a-f]{2}|\\[rn0\\])/);
  return Buffer.concat(
    pieces.map((piece) => {
      if (!piece.startsWith("\\")) return Buffer.from(piece);
      return Buffer.of(CODES.get(piece.slice(1)) ?? Number.parseInt(piece.slice(2), 16));
    }),
  );
}

function toEscaped(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replace(/[\\\r\0\x80-\xff]|\n/g, (c) => {
      const named: ReadonlyMap<string, string> = new Map([
        ["\r", "\\r"],
        ["\0", "\\0"],
        ["\\", "\\\\"],
        ["\n", "\\n\n"],
      ]);
      return named.get(c) ?? `\\x${c.charCodeAt(0).toString(16)}`;
    });
}

const names = readdirSync(ROOT, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".txt"))
  .sort();

describe("the corpus", () => {
  const bench = makeBench();
  afterAll(() => bench.remove());

  it("has scenarios of every kind", () => {
    expect(names.length).toBeGreaterThanOrEqual(30);
    const kinds = names.map((name) =>
      readScenario(readFileSync(join(ROOT, name), "utf8")).header.get("expect"),
    );
    expect(new Set(kinds)).toEqual(new Set(EXPECTS));
  });

  it("is not rewritten in CI", () => {
    expect(UPDATE && process.env.CI !== undefined).toBe(false);
  });

  it.each([
    ["an unknown header", "expect: cut\ncolour: red\n-- rules.json --\n{}\n-- payload --\nx\n"],
    ["a header twice", "expect: cut\nexpect: cut\n-- rules.json --\n{}\n-- payload --\nx\n"],
    ["no payload", "expect: cut\n-- rules.json --\n{}\n"],
  ])("is refused with %s", (_, text) => {
    expect(() => readScenario(text)).toThrow();
  });

  it.each(names)("%s", (name) => {
    const path = join(ROOT, name);
    const { header, rules, payload, output, input } = readScenario(readFileSync(path, "utf8"));
    const allow = header.get("allow") ?? "any";
    const content = header.get("content") ?? "text";
    if (allow !== "any" && allow !== "tail") throw new Error(`allow: ${allow}`);
    if (content !== "text" && content !== "names") throw new Error(`content: ${content}`);
    const file = header.get("store") === "off" ? { store: { enabled: false } } : {};
    const tool = header.get("tool") ?? "";
    const applied = bench.apply(payload, rules, { tool, cut: allow, content, file });

    const shown = header.has("escaped") ? toEscaped(applied.output) : Buffer.from(applied.output).toString();
    const got = applied.changed ? shown.replaceAll(applied.id ?? "no id", "<id>") : undefined;
    if (UPDATE) writeFileSync(path, got === undefined ? input : `${input}-- output --\n${got}\n`);
    else expect(got).toBe(output);

    const { keys = 0, items = 0, lines = 0, strings = 0, runs = 0, space = 0 } = applied.cuts;
    switch (header.get("expect")) {
      case "cut":
        expect(applied.id).toBeDefined();
        expect(items + lines + strings).toBeGreaterThan(0);
        break;
      case "dropped":
        expect(keys).toBeGreaterThan(0);
        break;
      case "collapsed":
        expect(runs).toBeGreaterThan(0);
        break;
      case "compacted":
        expect(space).toBeGreaterThan(0);
        break;
      default:
        // Nothing to do, or something that must not be done.
        expect(applied.changed).toBe(false);
    }
  });
});
