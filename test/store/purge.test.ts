// SPDX-License-Identifier: Apache-2.0
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setFaultPoint } from "../../src/files.ts";
import { recordHealth } from "../../src/health.ts";
import { appendRow } from "../../src/measure/log.ts";
import { type PurgeOptions, purge } from "../../src/store/purge.ts";
import { openSeen } from "../../src/store/seen.ts";
import type { Store } from "../../src/store/vault.ts";
import { installSecretTool } from "../support/fake-tools.ts";
import { makeErrno } from "../support/faults.ts";
import {
  age,
  entryPath,
  HOUR_MS,
  keyFileOf,
  listAll,
  makeTempDir,
  makeText,
  openTempStore,
  removeTempDir,
  stateDirOf,
} from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };

let dir: string;
let store: Store;
let ids: string[];
beforeEach(() => {
  dir = makeTempDir();
  store = openTempStore(dir);
  ids = ["a", "b", "c"].map((seed) => store.save(makeText(seed), HEAD));
  store.markRevealed(ids[0] ?? "");
  const seen = openSeen(stateDirOf(dir), keyFileOf(dir));
  seen.beginGeneration("s", { starts: true });
  seen.pend({ session: "s", useId: "u", bytes: makeText("seen") });
  recordHealth(stateDirOf(dir), "internal");
  appendRow(stateDirOf(dir), { kind: "reveal", ts: Date.now(), tool: "Bash", revealed: 4 });
});
afterEach(() => {
  setFaultPoint(undefined);
  vi.unstubAllEnvs();
  removeTempDir(dir);
});

const run = (what: PurgeOptions["what"], dryRun = false) =>
  purge({ stateDir: stateDirOf(dir), keyFile: keyFileOf(dir), ttlHours: 168, what, dryRun });
const files = () => listAll(dir).filter((path) => fs.statSync(join(dir, path)).isFile());

describe("purge", () => {
  it("takes the ids that were chosen, and no other", () => {
    const bytes = fs.statSync(entryPath(dir, ids[1] ?? "")).size;
    expect(run({ ids: [ids[1] ?? ""] })).toEqual({
      purged: [{ what: "originals", files: 1, bytes }],
      problems: [],
      left: [],
    });
    expect(ids.map((id) => store.load(id).status)).toEqual(["ok", "not_found", "ok"]);
  });

  it("takes what has run out, which is told as expired afterwards", () => {
    age(entryPath(dir, ids[2] ?? ""), 169 * HOUR_MS);
    expect(run("expired").purged).toMatchObject([{ what: "originals", files: 1 }]);
    expect(ids.map((id) => store.load(id).status)).toEqual(["ok", "ok", "expired"]);
  });

  it("all: originals, marks, references and tombstones; log, health record and key stay", () => {
    age(entryPath(dir, ids[2] ?? ""), 169 * HOUR_MS);
    run("expired");
    expect(run("all").purged.map(({ what }) => what)).toEqual(["originals", "store", "marks", "references"]);
    expect(files()).toEqual(["data/store.key", "state/health.jsonl", "state/measure.jsonl"]);
    expect(ids.map((id) => store.load(id).status)).toEqual(["not_found", "not_found", "not_found"]);
    expect(store.load(store.save(makeText("a"), HEAD)).status).toBe("ok");
  });

  it("C13: everything: nothing is left, but what it names", () => {
    fs.writeFileSync(join(stateDirOf(dir), "installs.json"), "{}");
    fs.writeFileSync(`${keyFileOf(dir)}.old`, "k".repeat(32), { mode: 0o600 });
    const report = run("everything");
    expect(report.purged.map(({ what, files: count }) => [what, count])).toEqual([
      ["originals", 3],
      ["store", 2],
      ["marks", 1],
      ["references", 1],
      ["log", 1],
      ["health", 1],
      ["key", 2],
    ]);
    expect([files(), report.left]).toEqual([["state/installs.json"], ["installs.json"]]);
  });

  it("everything: the key in the keychain too", () => {
    installSecretTool(join(dir, "bin"));
    vi.stubEnv("PATH", `${join(dir, "bin")}:/usr/bin:/bin`);
    run("everything");
    openTempStore(dir, { keyKind: "keychain" }).save(makeText("a"), HEAD);
    expect(fs.readdirSync(join(dir, "bin", "items"))).toHaveLength(1);
    expect(run("everything").problems).toEqual([]);
    expect(fs.readdirSync(join(dir, "bin", "items"))).toEqual([]);
  });

  it.each(["all", "everything", "expired"] as const)(
    "%s as a dry run says the same and removes nothing",
    (what) => {
      age(entryPath(dir, ids[2] ?? ""), 169 * HOUR_MS);
      const before = files();
      const said = run(what, true);
      expect(files()).toEqual(before);
      expect(run(what).purged.map(({ what: pile, files: count }) => [pile, count])).toEqual(
        said.purged.map(({ what: pile, files: count }) => [pile, count]),
      );
    },
  );

  it("follows no link", () => {
    const outside = join(dir, "outside");
    fs.mkdirSync(outside);
    fs.writeFileSync(join(outside, "keep"), "keep");
    for (const name of ["seen", "revealed"]) {
      fs.rmSync(join(stateDirOf(dir), name), { recursive: true });
      fs.symlinkSync(outside, join(stateDirOf(dir), name));
    }
    fs.symlinkSync(join(outside, "keep"), entryPath(dir, "00112233445566aa"));
    fs.rmSync(keyFileOf(dir));
    fs.symlinkSync(join(outside, "keep"), keyFileOf(dir));
    run("everything");
    expect(fs.readFileSync(join(outside, "keep"), "utf8")).toBe("keep");
    expect(fs.existsSync(entryPath(dir, "00112233445566aa"))).toBe(true);
  });

  it("takes only what isthmos made, and names the rest, as the dry run does", () => {
    const state = stateDirOf(dir);
    const put = (path: string) => {
      fs.mkdirSync(join(state, path, ".."), { recursive: true });
      fs.writeFileSync(join(state, path), "mine");
    };
    const foreign = [
      "revealed/notes.txt",
      "seen/mine/deep.txt",
      "store/0123456789abcdef.bin.txt",
      "store/draft.tmp",
      "store/notes.txt",
      "store/report.1.out",
      "store/sub/x",
    ];
    for (const path of foreign) put(path);
    fs.mkdirSync(entryPath(dir, "00112233445566aa"));
    fs.symlinkSync("notes.txt", entryPath(dir, "00112233445566bb"));
    for (const own of [".x.1-a.tmp", "00112233445566cc.bin.1a.out", ".gone"]) put(`store/${own}`);
    const said = run("all", true);
    const done = run("all");
    expect(done).toEqual(said);
    expect(done.purged.map(({ what, files: count }) => [what, count])).toEqual([
      ["originals", 3],
      ["store", 5],
      ["marks", 1],
      ["references", 1],
    ]);
    expect(done.left).toEqual([
      "revealed/notes.txt",
      "seen/mine",
      "store/00112233445566aa.bin",
      "store/00112233445566bb.bin",
      "store/0123456789abcdef.bin.txt",
      "store/draft.tmp",
      "store/notes.txt",
      "store/report.1.out",
      "store/sub",
    ]);
    for (const path of foreign) expect(fs.readFileSync(join(state, path), "utf8")).toBe("mine");
    expect(fs.readdirSync(join(state, "seen"))).toEqual(["mine"]);
    expect([run("everything", true).left, run("everything").left]).toEqual([done.left, done.left]);
  });

  it("C13: everything: copies of the key that a killed process left, too", () => {
    const copies = [".store.key.old.1-a.tmp", `.store.key.${process.pid}-b1.tmp`];
    for (const name of [...copies, ".other.key.1-a.tmp"]) {
      fs.writeFileSync(join(dir, "data", name), "k".repeat(32), { mode: 0o600 });
    }
    const said = run("everything", true);
    expect(said.purged).toContainEqual({ what: "key", files: 3, bytes: 96 });
    expect(run("everything")).toEqual(said);
    expect(fs.readdirSync(join(dir, "data"))).toEqual([".other.key.1-a.tmp"]);
  });

  it("everything: a folder at the key's place stays, and is named", () => {
    fs.rmSync(keyFileOf(dir));
    fs.mkdirSync(keyFileOf(dir));
    const said = run("everything", true);
    expect([said.left, said.problems]).toEqual([[keyFileOf(dir)], []]);
    expect(run("everything")).toEqual(said);
  });

  it("does not touch a store that is a link", () => {
    const folder = join(stateDirOf(dir), "store");
    fs.renameSync(folder, `${folder}-moved`);
    fs.symlinkSync(`${folder}-moved`, folder);
    expect(() => run("all")).toThrow("symbolic link");
    expect(fs.readdirSync(`${folder}-moved`)).toContain(`${ids[0]}.bin`);
  });

  it("says what cannot go, and takes the rest", () => {
    let removals = 0;
    setFaultPoint((operation) => {
      // The first is of the lock's temporary file.
      if (operation === "remove" && ++removals === 2) throw makeErrno("EPERM");
    });
    const { purged, problems } = run("all");
    setFaultPoint(undefined);
    expect(problems).toEqual([expect.stringMatching(/\.bin: EPERM/)]);
    expect(purged[0]).toMatchObject({ what: "originals", files: 2 });
  });

  it("of nothing is nothing", () => {
    run("everything");
    fs.rmSync(stateDirOf(dir), { recursive: true });
    expect(run("everything")).toEqual({ purged: [], problems: [], left: [] });
  });
});
