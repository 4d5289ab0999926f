// SPDX-License-Identifier: Apache-2.0
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type PurgeArgs, run } from "../../../src/commands/store/purge.ts";
import { runProgram } from "../../../src/program.ts";
import { captureIo } from "../../support/io.ts";
import { makeStoreHome, type StoreHome } from "../../support/store-home.ts";

let at: StoreHome;
beforeEach(() => {
  at = makeStoreHome();
});
afterEach(() => rmSync(at.home, { recursive: true }));

function purge(args: Partial<PurgeArgs>) {
  const io = captureIo();
  return { code: run({ what: "all", dryRun: false, json: false, ...args }, at.env, io), out: io.written() };
}

it("removes by id or first digits, and says how much", () => {
  const ids = ["a", "b"].map((seed) => at.save(seed));
  const { code, out } = purge({ what: { ids: [ids[0]?.slice(0, 9) ?? ""] } });
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^removed [\d.]+ KB: originals 1 file, [\d.]+ KB\n$/),
  ]);
  expect(ids.map((id) => at.store.has(id))).toEqual([false, true]);
});

it("fails for an id that is not stored, and removes the others", () => {
  const id = at.save("a");
  expect(purge({ what: { ids: [id, "00112233445566aa"] }, json: true })).toMatchObject({ code: 1 });
  expect(at.store.has(id)).toBe(false);
});

it("says the same as a dry run, and removes nothing", () => {
  const id = at.save("a");
  expect(purge({ dryRun: true }).out).toMatch(/^would remove .*originals 1 file/);
  expect(at.store.has(id)).toBe(true);
  const answer = JSON.parse(purge({ what: "everything", json: true }).out);
  expect(answer).toMatchObject({ status: "ok", dry_run: false, left: [], problems: [] });
  expect(answer.purged.map(({ what }: { what: string }) => what)).toEqual(["originals", "store", "key"]);
  expect(purge({}).out).toBe("nothing to remove\n");
});

it("fails for a store that is a link, which it leaves", () => {
  const folder = join(at.env.stateDir.value, "store");
  at.save("a");
  rmSync(folder, { recursive: true });
  symlinkSync(at.home, folder);
  expect(purge({})).toEqual({ code: 1, out: "" });
  expect(existsSync(folder)).toBe(true);
});

it.each([
  [[], 2],
  [["--all", "--expired"], 2],
  [["00112233445566aa", "--all"], 2],
  [["--all"], 0],
  [["--expired", "--dry-run"], 0],
  [["00112233445566aa"], 1],
])("store purge %j: exit code %i", async (args, code) => {
  expect(await runProgram(["store", "purge", ...args], at.env, captureIo())).toBe(code);
});

it.each([
  [["store", "key", "move"], 2],
  [["store", "key", "move", "--to", "moon"], 2],
  [["store", "key", "move", "--to", "file"], 0],
  [["store", "list", "--json"], 0],
  [["store", "show"], 2],
])("%j: exit code %i", async (args, code) => {
  expect(await runProgram(args, at.env, captureIo())).toBe(code);
});
