// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { joinTexts } from "../../src/hosts/host.ts";

describe("joinTexts", () => {
  it.each([
    [[], ""],
    [[""], ""],
    [["a"], "a"],
    [["a", "b\n", "é"], "a\nb\n\né"],
    [["", ""], "\n"],
  ])("%j → %j", (texts, expected) => {
    const joined = joinTexts(texts.map((text) => new TextEncoder().encode(text)));
    expect(new TextDecoder().decode(joined)).toBe(expected);
  });
});
