// SPDX-License-Identifier: Apache-2.0
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/measure/tokens.ts";

describe("estimateTokens", () => {
  it.each<[string, number | string, number]>([
    ["nothing", 0, 0],
    ["bytes", 4000, 1000],
    ["rounded", 6, 2],
    ["a loss keeps its sign", -4000, -1000],
    ["no negative zero", -1, 0],
    ["a text by its bytes, not its characters", "工具输出", 3],
  ])("%s", (_, content, expected) => {
    expect(estimateTokens(content)).toBe(expected);
  });

  it.each([
    ["Chinese", "构建失败：找不到模块，请检查依赖项是否已经安装，然后再试一次。".repeat(30)],
    ["Japanese", "ビルドに失敗しました。モジュールが見つかりません。もう一度お試しください。".repeat(30)],
    ["code", "export function add(a: number, b: number): number {\n  return a + b;\n}\n".repeat(30)],
    ["English", "The build failed because the module was not found; install it, then try again. ".repeat(30)],
  ])("is within a factor of two of a real tokenizer: %s", (_, text) => {
    const ratio = estimateTokens(text) / encode(text).length;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });
});
