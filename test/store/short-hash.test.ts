// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { shortHash } from "../../src/store/short-hash.ts";

it.each(["", "a", "9f31c2aa-0000-4000-8000-000000000000", "\ud800", "../../etc", "x".repeat(100_000)])(
  "C13: %.20j becomes 16 hex digits, the same each time",
  (id) => {
    expect(shortHash(id)).toMatch(/^[0-9a-f]{16}$/);
    expect(shortHash(id)).toBe(shortHash(id));
  },
);

it("tells ids apart that differ little, in either half", () => {
  const hashes = Array.from({ length: 20_000 }, (_, i) => shortHash(`session-${i}`));
  expect(new Set(hashes).size).toBe(20_000);
  expect(new Set(hashes.map((hash) => hash.slice(0, 8))).size).toBeGreaterThan(19_990);
  expect(new Set(hashes.map((hash) => hash.slice(8))).size).toBeGreaterThan(19_990);
  expect(shortHash("a\u0100")).not.toBe(shortHash("a\u0000\u0001"));
});
