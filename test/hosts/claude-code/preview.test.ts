// SPDX-License-Identifier: Apache-2.0
// Sizes as client 2.1.332 delivered them.
import { expect, it } from "vitest";
import { previewBytes } from "../../../src/hosts/claude-code/preview.ts";

const SESSION = "/home/dev/.claude/projects/-home-dev-project/2cb8e592-a209-4091-89a9-7deafb34443e";
const LOG = Array.from({ length: 3000 }, (_, i) => `line ${i + 1} of a long output\n`).join("");

it.each<[string, string, number, string, number]>([
  ["back to a line end", LOG, 79_893, `${SESSION}/tool-results/b3q70x1ae.txt`, 2211],
  [
    "2,000 characters of one line",
    "x".repeat(3000),
    86_938,
    `${SESSION}/tool-results/toolu_mock_main_12_12.json`,
    2236,
  ],
  // The line end in the first half does not count.
  ["no line end in the second half", `${"x".repeat(999)}\n${"y".repeat(3000)}`, 1024, "", 2112],
  ["characters of two bytes", "é".repeat(3000), 1024, "", 4112],
])("%s", (_name, text, size, path, bytes) => {
  expect(previewBytes(new TextEncoder().encode(text), size, path)).toBe(bytes);
});
