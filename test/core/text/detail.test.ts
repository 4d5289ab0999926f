// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { detailsOf } from "../../../src/core/text/detail.ts";
import { splitLines } from "../../../src/core/text/lines.ts";
import { encode, numbered, render } from "./support.ts";

function details(...text: string[]): number {
  return detailsOf(splitLines(encode(text.join("\n"))), 0).length;
}

it.each([
  [
    "rustc",
    4,
    [
      "error[E0308]: mismatched types",
      "  --> src/a.rs:7:18",
      "   |",
      "77 |     let a: B = 3;",
      "   |            -   ^",
      "next",
    ],
  ],
  [
    "rspec",
    5,
    ["  Failure/Error: x", "", "    expected: 1", "         got: 2", "", "    # ./a.rb:3", "  next"],
  ],
  [
    "terraform",
    3,
    ["│ Error: Reference to undeclared resource", "│ ", "│   on main.tf line 4:", "│    4:   b = c", "╵"],
  ],
  ["colours", 1, ["\x1b[31merror: x\x1b[0m", "\x1b[2m  at a.c\x1b[0m", "\x1b[1mnext\x1b[0m"]],
  ["Windows line ends", 1, ["error: x\r", "  at a.c\r", "next\r"]],
  ["nothing but the next line", 0, ["ERROR x", "INFO y", "  z"]],
  ["two blank lines", 0, ["ERROR x", "", "", "  y"]],
  ["a blank line before other text", 0, ["ERROR x", "", "INFO y"]],
  ["the end of the text", 0, ["ERROR x"]],
] as const)("what tells more of a failure, as %s", (_, count, text) => {
  expect(details(...text)).toBe(count);
});

it.each([7, 8, 9])("at most eight lines: %i", (count) => {
  expect(details("ERROR x", ...Array<string>(count).fill("  detail"))).toBe(Math.min(8, count));
});

it("C9: a failure's details stay in view beyond the line after it, in half of the room that is left", () => {
  const failure = {
    50: "error: cannot find symbol",
    51: "        return a;",
    52: "               ^",
    53: "  symbol: method b()",
  };
  expect(render(numbered(100, failure), { maxLines: 12 })).toContain("  symbol: method b()\n");
  expect(render(numbered(100, failure), { maxLines: 5 })).not.toContain("  symbol: method b()\n");
});
