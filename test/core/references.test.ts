// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { findCitedIds } from "../../src/core/references.ts";

const ID = "00000000000000a1";
const OTHER = "00000000000000b2";
const find = (text: string): string[] => findCitedIds(new TextEncoder().encode(text));

describe("findCitedIds", () => {
  it.each([
    ["a marker", `[isthmos: 1 of 2 lines truncated, lines 1-1, full: isthmos reveal ${ID}]`, [ID]],
    [
      "each once, in order",
      `isthmos reveal ${OTHER} isthmos reveal ${ID} isthmos reveal ${OTHER}`,
      [OTHER, ID],
    ],
    ["the very end", `isthmos reveal ${ID}`, [ID]],
    ["no id", "isthmos reveal 123", []],
    ["capitals", `isthmos reveal ${ID.toUpperCase().replace("A", "A")}`.replace("a1", "A1"), []],
    ["another word", `isthmus reveal ${ID}`, []],
    ["nothing", "", []],
  ])("finds %s", (_, text, ids) => {
    expect(find(text)).toEqual(ids);
  });

  it("C15: asks about 64 ids at most", () => {
    const text = Array.from(
      { length: 100 },
      (_, i) => `isthmos reveal ${String(i).padStart(16, "0")}\n`,
    ).join("");
    expect(find(text)).toHaveLength(64);
  });
});
