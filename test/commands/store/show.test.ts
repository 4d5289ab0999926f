// SPDX-License-Identifier: Apache-2.0
import { rmSync, truncateSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { run } from "../../../src/commands/store/show.ts";
import { addTombstones } from "../../../src/store/tombstones.ts";
import { captureIo } from "../../support/io.ts";
import { makeStoreHome, type StoreHome } from "../../support/store-home.ts";

let at: StoreHome;
beforeEach(() => {
  at = makeStoreHome();
});
afterEach(() => rmSync(at.home, { recursive: true }));

function show(id: string, json = false) {
  const io = captureIo();
  return { code: run({ id, json }, at.env, io), out: io.written() };
}

it("tells what is known of an original, by its id or its first digits, and none of its text", () => {
  const id = at.save("a", "To\u0007ol");
  const { code, out } = show(id.slice(0, 8));
  expect(code).toBe(0);
  expect(out).toMatch(
    new RegExp(`^id +${id}\nstatus +ok\ntool +To\\\\x07ol\nkind +text\nbytes +6000\nsaved +2`),
  );
  expect(out).not.toContain("a line of");
  expect(JSON.parse(show(id, true).out)).toMatchObject({ id, status: "ok", bytes: 6000 });
});

it("says why not", () => {
  const id = at.save("a");
  addTombstones(at.entryPath(id).replace(/\/[^/]*$/, ""), ["00112233445566aa"]);
  expect(show("00112233445566ab")).toEqual({ code: 1, out: "" });
  const status = (text: string) => JSON.parse(show(text, true).out).status;
  expect(["00112233445566ab", "00112233445566aa", "001122\u001b", "0123456789abcdef"].map(status)).toEqual([
    "not_found",
    "expired",
    "not_found",
    "not_found",
  ]);
  truncateSync(at.entryPath(id), 40);
  expect(show(id)).toMatchObject({
    code: 1,
    out: expect.stringContaining("unavailable: the entry is damaged"),
  });
});
