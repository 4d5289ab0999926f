// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, LineReader } from "../../src/mcp/lines.ts";

const MAX = 8;

function read(chunks: readonly string[], maxBytes = MAX): Line[] {
  const reader = new LineReader(maxBytes);
  return chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)));
}

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => (line.kind === "line" ? Buffer.from(line.bytes).toString() : "too long"));
}

describe("LineReader", () => {
  it.each([
    ["one line", ["abc\n"], ["abc"]],
    ["several in a chunk", ["a\nb\nc\n"], ["a", "b", "c"]],
    ["a line over chunks", ["a", "b", "c\n"], ["abc"]],
    ["a line end at the border", ["a", "\n", "b\n"], ["a", "b"]],
    ["no line end", ["abc"], []],
    ["empty lines", ["\n\na\n"], ["", "", "a"]],
    ["a return stays", ["a\r\n"], ["a\r"]],
    ["one below the bound", ["1234567\n"], ["1234567"]],
    ["at the bound", ["12345678\n"], ["12345678"]],
    ["one above", ["123456789\n"], ["too long"]],
    ["above, over chunks", ["1234", "5678", "9", "0\nab\n"], ["too long", "ab"]],
    [
      "far above, then others",
      ["x".repeat(100), "x".repeat(100), "y\n", "ab\n", "cd\n"],
      ["too long", "ab", "cd"],
    ],
  ])("%s", (_, chunks, expected) => {
    expect(texts(read(chunks))).toEqual(expected);
  });

  it("keeps both ends of a line that is too long", () => {
    const [line] = read(['{"id":7,', "x".repeat(5000), ',"id":8}\n'], 100);
    expect(line).toMatchObject({
      kind: "too_long",
      head: expect.stringMatching(/^\{"id":7,x+$/),
      tail: expect.stringMatching(/^x+,"id":8\}$/),
    });
  });

  it("gives the same lines however the stream is cut into chunks", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom("a", "ö", "\r", "\n"), maxLength: 12 })),
        (chunks) => {
          const whole = chunks.join("");
          expect(texts(read(chunks, 20))).toEqual(texts(read([whole], 20)));
          expect(texts(read(chunks, 1000))).toEqual(whole.split("\n").slice(0, -1));
        },
      ),
    );
  });
});
