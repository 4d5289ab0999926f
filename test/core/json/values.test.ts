// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { mayBeDocument, mayCutText } from "../../../src/core/json/values.ts";
import { prune, scanText } from "./support.ts";

describe("mayBeDocument", () => {
  it.each([
    ['"{}"', true],
    ['"[]"', true],
    ['"{\\"a\\":1}"', true],
    ['" \\n\\t[1] \\r\\n"', true],
    ['"{"', false],
    ['"{]"', false],
    ['"[}"', false],
    ['""', false],
    ['" "', false],
    ['"\\n"', false],
    ['"{} x"', false],
    ['"text {}"', false],
    ['"12"', false],
  ])("%s: %s", (text, expected) => {
    expect(mayBeDocument(scanText(text), 0)).toBe(expected);
  });
});

describe("mayCutText", () => {
  const none = { maxLines: 0, keepLast: undefined, maxStr: 0, dedup: false };
  it.each([
    [`"${"x".repeat(1000)}"`, none, false],
    [`"${"x".repeat(175)}"`, { ...none, maxStr: 100 }, false],
    [`"${"x".repeat(176)}"`, { ...none, maxStr: 100 }, true],
    [`"${"x".repeat(100)}"`, { ...none, maxLines: 10, dedup: true }, false],
    [`"${"\\n".repeat(20)}"`, { ...none, maxLines: 10 }, true],
    [`"${"\\n".repeat(10)}"`, { ...none, maxLines: 10 }, false],
    [`"${"\\n".repeat(23)}"`, { ...none, dedup: true }, false],
    [`"${"\\n".repeat(24)}"`, { ...none, dedup: true }, true],
  ])("%s under %j: %s", (text, limits, expected) => {
    expect(mayCutText(scanText(text), 0, limits)).toBe(expected);
  });
});

describe("C7: base64 of a content block stays whole", () => {
  const base64 = "iVBORw0KGgoAAAANSUhEUg/+".repeat(40);
  const lines = "iVBORw0KGgoAAAANSUhEUg\\n".repeat(40);
  const prose = "a long text of words, ".repeat(40);
  it.each([
    [`{"type":"image","data":"${base64}","mimeType":"image/png"}`, true],
    [`{"data":"${base64}","type":"audio"}`, true],
    [`{"type":"base64","media_type":"image/png","data":"${base64}"}`, true],
    [`{"uri":"file:///a","mimeType":"application/pdf","blob":"${base64}"}`, true],
    [`{"encoding":"base64","content":"${lines}"}`, true],
    [`{"mimeType":"image/png","text":"${base64}","encoding":"base64"}`, true],
    // No word of what it is, another member, or no base64 at all.
    [`{"data":"${base64}"}`, false],
    [`{"type":"image","alt":"${base64}"}`, false],
    [`{"type":"document","data":"${prose}"}`, false],
    [`{"mimeType":"text/plain","text":"${prose}"}`, false],
    [`{"encoding":"utf-8","content":"${lines}"}`, false],
    [`["${base64}"]`, false],
  ])("%.60s: %s", (text, whole) => {
    const { out, splices } = prune(text, { maxStr: 100, maxLines: 5 });
    expect(splices.length === 0).toBe(whole);
    expect(() => JSON.parse(out)).not.toThrow();
  });
});
