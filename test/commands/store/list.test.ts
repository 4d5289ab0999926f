// SPDX-License-Identifier: Apache-2.0
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run } from "../../../src/commands/store/list.ts";
import { captureIo } from "../../support/io.ts";
import { makeStoreHome, type StoreHome } from "../../support/store-home.ts";
import { age, HOUR_MS } from "../../support/temp-store.ts";

let at: StoreHome;
beforeEach(() => {
  at = makeStoreHome();
});
afterEach(() => rmSync(at.home, { recursive: true }));

function list(json = false) {
  const io = captureIo();
  return { code: run({ json }, at.env, io), out: io.written() };
}

it("says that nothing is stored", () => {
  expect(list()).toEqual({ code: 0, out: "nothing is stored\n" });
  expect(JSON.parse(list(true).out)).toEqual({ status: "ok", file_bytes: 0, entries: [] });
});

it("has a row for each original, newest first, and none of its text", () => {
  const [first, second, third] = ["a", "b", "c"].map((seed) => at.save(seed));
  age(at.entryPath(first ?? ""), HOUR_MS);
  age(at.entryPath(second ?? ""), 200 * HOUR_MS);
  writeFileSync(at.entryPath("00112233445566aa"), "x");
  age(at.entryPath("00112233445566aa"), 300 * HOUR_MS);
  const { code, out } = list();
  expect([code, out.includes("a line of some output")]).toEqual([0, false]);
  const rows = out.split("\n").map((line) => line.split(/ {2,}/));
  expect(rows.map(([id]) => id).slice(0, 5)).toEqual(["ID", third, first, second, "00112233445566aa"]);
  expect(rows[2]?.slice(2)).toEqual(["1h", expect.any(String), "6.0 KB", "text", "Bash"]);
  expect(rows[3]?.at(-1)).toBe("Bash (expired)");
  expect(rows[4]?.at(-1)).toBe("(the entry was not written by this version of isthmos)");
  expect(rows[5]?.[0]).toMatch(/^4 originals, /);
  const { entries } = JSON.parse(list(true).out);
  expect(entries[0]).toEqual({
    id: third,
    status: "ok",
    tool: "Bash",
    kind: "text",
    bytes: 6000,
    saved_at: expect.any(String),
    file_bytes: expect.any(Number),
    renewed_at: expect.any(String),
    expires_at: expect.any(String),
  });
  expect(entries.map(({ status }: { status: string }) => status)).toEqual([
    "ok",
    "ok",
    "expired",
    "unavailable",
  ]);
});

it.each([false, true])("C13: shows a foreign name without what could move a cursor (json: %s)", (json) => {
  at.save("a", "Ba\u001b[2Jsh\u202e\n");
  const { out } = list(json);
  expect(out).toContain(json ? "Ba\\\\x1b[2Jsh\\\\u202e\\\\x0a" : "Ba\\x1b[2Jsh\\u202e\\x0a");
});

it("fails for a store that is a link", () => {
  const folder = dirname(at.entryPath(at.save("a")));
  rmSync(folder, { recursive: true });
  symlinkSync(at.home, folder);
  expect(list()).toEqual({ code: 1, out: "" });
  expect(JSON.parse(list(true).out)).toMatchObject({ status: "unavailable", reason: expect.any(String) });
});
