// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as files from "../src/files.ts";
import { runWithFault } from "./support/faults.ts";
import { encode, makeTempDir, modeOf, removeTempDir } from "./support/temp-store.ts";

let dir: string;
let file: string;

beforeEach(() => {
  dir = makeTempDir();
  file = join(dir, "file");
});
afterEach(() => {
  files.setFaultPoint(undefined);
  removeTempDir(dir);
});

const text = (path: string) => fs.readFileSync(path, "utf8");

describe("folders", () => {
  it("C13: makes every missing level private and leaves present ones as they are", () => {
    fs.chmodSync(dir, 0o755);
    files.makePrivateDir(join(dir, "a", "b", "c"));
    files.makePrivateDir(join(dir, "a", "b", "c"));
    expect(["", "a", "a/b", "a/b/c"].map((path) => modeOf(join(dir, path)))).toEqual([
      0o755, 0o700, 0o700, 0o700,
    ]);
  });

  it("C13: does so under any umask", () => {
    const before = process.umask(0);
    try {
      files.makePrivateDir(join(dir, "a", "b"));
      files.writeAtomic(join(dir, "a", "w"), encode("x"));
      files.createExclusive(join(dir, "a", "c"), encode("x"));
      files.createEmpty(join(dir, "a", "e"));
      files.appendLine(join(dir, "a", "l"), "x");
    } finally {
      process.umask(before);
    }
    expect([modeOf(join(dir, "a")), modeOf(join(dir, "a", "b"))]).toEqual([0o700, 0o700]);
    expect(["w", "c", "e", "l"].map((name) => modeOf(join(dir, "a", name)))).toEqual([
      0o600, 0o600, 0o600, 0o600,
    ]);
  });

  it("makes missing parents, and gives up where none can be made (C15: Node's own way never would)", () => {
    files.makePrivateDir(join(dir, "a", "b", "c"));
    expect(modeOf(join(dir, "a", "b"))).toBe(0o700);
    files.makePrivateDir(join(dir, "a", "b"));
    fs.symlinkSync(join(dir, "nowhere"), join(dir, "dangling"));
    expect(() => files.makePrivateDir(join(dir, "dangling", "x"))).toThrow(/EEXIST|ENOENT/);
    expect(() => files.makePrivateDir("/proc/isthmos-cannot-be-here/x")).toThrow(/ENOENT|EACCES|EPERM/);
    fs.writeFileSync(file, "");
    expect(() => files.makePrivateDir(join(file, "x"))).toThrow(/ENOTDIR|EEXIST/);
  });

  it("creates one folder, once", () => {
    expect([files.createDir(file), files.createDir(file)]).toEqual([true, false]);
    expect(modeOf(file)).toBe(0o700);
    expect(() => files.createDir(join(dir, "no", "parent"))).toThrow("ENOENT");
  });

  it("narrows a folder", () => {
    fs.mkdirSync(file, 0o755);
    files.narrowDir(file);
    expect(modeOf(file)).toBe(0o700);
  });

  it("removes a tree, but not what its links point at", () => {
    fs.mkdirSync(join(dir, "tree", "in"), { recursive: true });
    fs.writeFileSync(file, "kept");
    fs.symlinkSync(dir, join(dir, "tree", "in", "link"));
    files.removeTree(join(dir, "tree"));
    files.removeTree(join(dir, "tree"));
    expect(fs.readdirSync(dir)).toEqual(["file"]);
  });
});

describe("what is missing", () => {
  it.each<[string, (path: string) => unknown, unknown]>([
    ["readFile", (path) => files.readFile(path, { maxBytes: 9 }), undefined],
    ["list", files.list, undefined],
    ["stat", files.stat, undefined],
    ["touch", files.touch, false],
    ["remove", files.remove, false],
    ["rename", (path) => files.rename(path, `${path}2`), false],
  ])("%s answers, and does not throw", (_, run, expected) => {
    fs.writeFileSync(join(dir, "plain"), "");
    expect(run(join(dir, "none"))).toBe(expected);
    expect(run(join(dir, "none", "below"))).toBe(expected);
    expect(run(join(dir, "plain", "below"))).toBe(expected);
  });

  it.each<[string, () => unknown]>([
    ["remove of a folder", () => files.remove(dir)],
    ["readFile of a folder", () => files.readFile(dir, { maxBytes: 9 })],
    ["append to a folder", () => files.appendLine(dir, "x")],
    ["writeAtomic over a folder", () => files.writeAtomic(dir, encode("x"))],
    ["writeAtomic without a parent", () => files.writeAtomic(join(dir, "no", "file"), encode("x"))],
  ])("%s throws with a code", (_, run) => expect(tryCode(run)).toMatch(/^E[A-Z]+$/));
});

describe("readFile", () => {
  it.each([
    [4, undefined],
    [5, undefined],
    [6, "EFBIG"],
  ])("C15: of %i bytes with a bound of 5", (size, code) => {
    fs.writeFileSync(file, "x".repeat(size));
    const read = () => files.readFile(file, { maxBytes: 5 });
    if (code === undefined) expect(read()).toEqual(encode("x".repeat(size)));
    else expect(read).toThrow(code);
  });

  it("refuses a link unless told to follow it", () => {
    fs.writeFileSync(file, "x");
    fs.symlinkSync(file, join(dir, "link"));
    expect(() => files.readFile(join(dir, "link"), { maxBytes: 5 })).toThrow("ELOOP");
    expect(files.readFile(join(dir, "link"), { maxBytes: 5, follow: true })).toEqual(encode("x"));
  });

  it("C1: neither reads from nor appends to a pipe, and does not wait for its other end", () => {
    execFileSync("mkfifo", [file]);
    expect(() => files.readFile(file, { maxBytes: 5 })).toThrow("EINVAL");
    expect(() => files.appendLine(file, "x")).toThrow("EINVAL");
  });
});

describe("writeAtomic and createExclusive", () => {
  it.each([true, false])("write a file whole, sync %s, and leave nothing else", (sync) => {
    files.writeAtomic(file, encode("one"), { sync });
    files.writeAtomic(file, encode("two"), { sync });
    expect(files.createExclusive(file, encode("three"), { sync })).toBe(false);
    expect(files.createExclusive(join(dir, "new"), encode("four"), { sync })).toBe(true);
    expect([text(file), text(join(dir, "new"))]).toEqual(["two", "four"]);
    expect(fs.readdirSync(dir).sort()).toEqual(["file", "new"]);
  });

  it("C13: the wider mode of a replaced file does not stay", () => {
    fs.writeFileSync(file, "x", { mode: 0o644 });
    files.writeAtomic(file, encode("y"));
    expect(modeOf(file)).toBe(0o600);
  });

  it("replace a link, not what it points at", () => {
    fs.writeFileSync(file, "kept");
    fs.symlinkSync(file, join(dir, "link"));
    expect(files.createExclusive(join(dir, "link"), encode("x"))).toBe(false);
    files.writeAtomic(join(dir, "link"), encode("x"));
    expect([text(file), text(join(dir, "link"))]).toEqual(["kept", "x"]);
  });

  it.each(["one", "rest"] as const)(
    "leave the old file or the new one where operations fail (%s)",
    (mode) => {
      const created = join(dir, "created");
      for (let k = 1; ; k++) {
        fs.rmSync(created, { force: true });
        fs.writeFileSync(file, "old");
        const failed = runWithFault(k, mode, () => {
          expect
            .soft(tryCode(() => files.writeAtomic(file, encode("new"), { sync: true })))
            .toBeOneOf(["EIO", undefined]);
          expect
            .soft(tryCode(() => files.createExclusive(created, encode("new"))))
            .toBeOneOf(["EIO", undefined]);
        });
        expect(text(file)).toBeOneOf(["old", "new"]);
        expect(fs.existsSync(created) ? text(created) : "new").toBe("new");
        const temps = fs.readdirSync(dir).filter((name) => name.endsWith(files.TEMP_SUFFIX));
        if (mode === "one" && failed !== "remove") expect(temps).toEqual([]);
        for (const name of temps) fs.rmSync(join(dir, name));
        if (failed === undefined) break;
      }
      expect(text(file)).toBe("new");
    },
  );
});

describe("appendLine", () => {
  it("appends and answers the size", () => {
    expect([files.appendLine(file, "one"), files.appendLine(file, ""), files.appendLine(file, "é")]).toEqual([
      4, 5, 8,
    ]);
    expect(text(file)).toBe("one\n\né\n");
  });

  it("C13: narrows the wider mode of a log of the Go program", () => {
    fs.writeFileSync(file, "old\n", { mode: 0o644 });
    files.appendLine(file, "new");
    expect([text(file), modeOf(file)]).toEqual(["old\nnew\n", 0o600]);
  });

  it("ends a half line first, so that it spoils no other", () => {
    fs.writeFileSync(file, '{"half":');
    files.appendLine(file, '{"whole":1}');
    expect(text(file)).toBe('{"half":\n{"whole":1}\n');
  });

  it("loses no line of parallel processes", async () => {
    const script = `import { appendLine } from ${JSON.stringify(new URL("../src/files.ts", import.meta.url).href)};
      for (let i = 0; i < 200; i++) appendLine(process.argv[1], process.argv[2] + "-" + i);`;
    const { spawn } = await import("node:child_process");
    const done = Array.from({ length: 4 }, (_, i) => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script, file, String(i)], {
        stdio: "inherit",
      });
      return new Promise((resolve) => child.on("exit", resolve));
    });
    expect(await Promise.all(done)).toEqual([0, 0, 0, 0]);
    const lines = text(file).trimEnd().split("\n");
    expect(new Set(lines).size).toBe(800);
    expect(lines.every((line) => /^[0-3]-\d{1,3}$/.test(line))).toBe(true);
  });
});

describe("names and times", () => {
  it("lists, renames, removes and touches", () => {
    expect([files.createEmpty(file), files.createEmpty(file)]).toEqual([true, false]);
    fs.utimesSync(file, 1, 1);
    expect(files.stat(file)?.mtimeMs).toBe(1000);
    expect(files.touch(file)).toBe(true);
    expect(Math.abs((files.stat(file)?.mtimeMs ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(files.rename(file, join(dir, "other"))).toBe(true);
    expect(files.list(dir)).toEqual(["other"]);
    expect(files.remove(join(dir, "other"))).toBe(true);
    expect(files.list(dir)).toEqual([]);
  });

  it("stat looks at the link itself", () => {
    fs.symlinkSync(join(dir, "nowhere"), file);
    expect(files.stat(file)?.isSymbolicLink()).toBe(true);
  });
});

function tryCode(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return files.errorCode(error);
  }
}
