// SPDX-License-Identifier: Apache-2.0
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, LineReader } from "../../src/mcp/lines.ts";

const MAX = 8;

function read(chunks: readonly string[], maxBytes = MAX): Line[] {
  const reader = new LineReader({ maxBytes });
  return chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)));
}

function texts(lines: readonly Line[]): string[] {
  return lines.map((line) => (line.kind === "line" ? Buffer.from(line.bytes).toString() : line.kind));
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
    ["one above", ["123456789\n"], ["too_long"]],
    ["above, over chunks", ["1234", "5678", "9", "0\nab\n"], ["too_long", "ab"]],
    [
      "far above, then others",
      ["x".repeat(100), "x".repeat(100), "y\n", "ab\n", "cd\n"],
      ["too_long", "ab", "cd"],
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

  describe("hands a large line on", () => {
    function readLarge(chunks: readonly string[], takes: (head: string) => boolean) {
      const heads: string[] = [];
      const parts: string[] = [];
      const openSink = (head: string) => {
        heads.push(head);
        if (!takes(head)) return undefined;
        return {
          write: (part: Uint8Array) => void parts.push(Buffer.from(part).toString()),
          end: () => {},
          abort: () => void parts.push("(aborted)"),
        };
      };
      const reader = new LineReader({ maxBytes: 20, largeBytes: 5, openSink });
      const lines = chunks.flatMap((chunk) => reader.push(Buffer.from(chunk)));
      return { heads, handedOn: parts.join(""), lines };
    }

    it.each([
      ["at the bound", ["12345\n"], [], "", ["12345"]],
      ["one above, in one chunk", ["123456\n"], ["123456"], "123456", ["handed_on"]],
      ["in pieces", ["123", "456", "789\nab\n"], ["123456"], "123456789", ["handed_on", "ab"]],
      [
        "two of them",
        ["123456\n1234567\n"],
        ["123456", "1234567"],
        "1234561234567",
        ["handed_on", "handed_on"],
      ],
      [
        "too long in the end",
        ["1234567890", "1234567890", "1", "2\nab\n"],
        ["1234567890"],
        "123456789012345678901(aborted)",
        ["too_long", "ab"],
      ],
    ])("%s", (_, chunks, heads, handedOn, expected) => {
      const read = readLarge(chunks, () => true);
      expect({ ...read, lines: texts(read.lines) }).toEqual({ heads, handedOn, lines: expected });
    });

    it("unless nobody takes it: then it is asked once, and read like any other", () => {
      const read = readLarge(["1234", "5678", "90", "ab\n", "1234567\n"], () => false);
      expect(read.heads).toEqual(["12345678", "1234567"]);
      expect(texts(read.lines)).toEqual(["1234567890ab", "1234567"]);
    });

    it("with both ends of it", () => {
      const [line] = readLarge(["{id:1,", "xxxx", "yy}\n"], () => true).lines;
      expect(line).toMatchObject({ head: "{id:1,", tail: "{id:1,xxxxyy}" });
    });
  });
});
