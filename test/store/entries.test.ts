// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Store } from "../../src/store/vault.ts";
import {
  age,
  entryPath,
  HOUR_MS,
  keyFileOf,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };
const TEXT = makeText("a", 20_000);

let dir: string;
let store: Store;
beforeEach(() => {
  dir = makeTempDir();
  store = openTempStore(dir);
});
afterEach(() => removeTempDir(dir));

it("tells heads, sizes and times, newest first, and no text", () => {
  const ids = ["a", "b"].map((seed) => store.save(makeText(seed, 20_000), HEAD));
  age(entryPath(dir, ids[0] ?? ""), HOUR_MS);
  const entries = store.list();
  expect(entries.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  expect(entries[0]).toEqual({
    id: ids[1],
    status: "ok",
    renewedAt: expect.any(Number),
    expiresAt: expect.any(Number),
    fileBytes: fs.statSync(entryPath(dir, ids[1] ?? "")).size,
    head: { ...HEAD, savedAt: expect.any(Number), bytes: 20_000 },
  });
  expect((entries[0]?.expiresAt ?? 0) - (entries[0]?.renewedAt ?? 0)).toBe(168 * HOUR_MS);
});

it.each<[string, string, string | undefined, (path: string) => void]>([
  ["it ran out", "expired", undefined, (path) => age(path, 169 * HOUR_MS)],
  ["a bit is flipped", "unavailable", "damaged", (path) => flip(path, 60)],
  ["it is of a later version", "unavailable", "later version", (path) => flip(path, 8)],
  ["the key is gone", "unavailable", "no key file", () => fs.rmSync(keyFileOf(dir))],
  [
    "the key is another",
    "unavailable",
    "another key",
    () => fs.writeFileSync(keyFileOf(dir), "k".repeat(32)),
  ],
])("says it of an entry where %s, and leaves it as it is", (_, status, reason, spoil) => {
  const path = entryPath(dir, store.save(TEXT, HEAD));
  spoil(path);
  const look = () => {
    const { ino, size, mtimeMs, mode } = fs.lstatSync(path);
    return { ino, size, mtimeMs, mode };
  };
  const before = look();
  const [entry] = store.list();
  expect(entry?.status).toBe(status);
  if (reason !== undefined) expect(entry?.reason).toContain(reason);
  expect(look()).toEqual(before);
});

it.each([
  ["link", replaceByLink],
  ["folder", replaceByFolder],
])("a %s in place of an original is none, but a foreign thing", (_, replace) => {
  const id = store.save(TEXT, HEAD);
  replace(entryPath(dir, id));
  expect([store.list(), store.has(id), store.unreadable(), store.find(id.slice(0, 8))]).toMatchObject([
    [],
    false,
    0,
    { status: "not_found" },
  ]);
  expect(store.stats()).toMatchObject({ entries: 0, bytes: 0 });
  expect(store.stats().foreign).toContain(`${id}.bin`);
  expect(fs.existsSync(entryPath(dir, id))).toBe(true);
});

it("lists nothing of a folder that is a link", () => {
  store.save(TEXT, HEAD);
  const folder = join(stateDirOf(dir), "store");
  fs.renameSync(folder, `${folder}-moved`);
  fs.symlinkSync(`${folder}-moved`, folder);
  expect(store.list()).toEqual([]);
});

function flip(path: string, at: number): void {
  const bytes = fs.readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 2;
  fs.writeFileSync(path, bytes);
}

function replaceByLink(path: string): void {
  fs.renameSync(path, `${path}-moved`);
  fs.symlinkSync(`${path}-moved`, path);
}

function replaceByFolder(path: string): void {
  fs.rmSync(path);
  fs.mkdirSync(path);
}
