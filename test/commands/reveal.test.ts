// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/commands/reveal.ts";
import { readRows } from "../../src/measure/log.ts";
import { runProgram } from "../../src/program.ts";
import type { RevealRequest } from "../../src/reveal.ts";
import { captureIo } from "../support/io.ts";
import { makeRevealHome, type RevealHome } from "../support/reveal-home.ts";

let home: RevealHome;
beforeEach(() => {
  home = makeRevealHome();
});
afterEach(() => home.remove());

function reveal(id: string, part: Omit<RevealRequest, "id"> = {}, json = false, isTerminal = false) {
  const io = captureIo({ isTerminal });
  const code = run({ request: { id, ...part }, json }, home.env, io);
  return { code, out: io.written() };
}

describe("reveal", () => {
  it("gives the original back whole, or the part that a marker names", () => {
    const long = "x".repeat(100_000);
    expect(reveal(home.save(long))).toEqual({ code: 0, out: long });
    const id = home.save("one\ntwo\nthree\n");
    expect(reveal(id)).toEqual({ code: 0, out: "one\ntwo\nthree\n" });
    expect(reveal(id, { lines: { from: 2, to: 2 } })).toEqual({ code: 0, out: "two\n" });
  });

  it("C13: shows control characters on a terminal in caret form, and bytes in a pipe", () => {
    const id = home.save("\u001b[31mred\u0007\n");
    expect(reveal(id, {}, false, true).out).toBe("^[[31mred^G\n");
    expect(reveal(id).out).toBe("\u001b[31mred\u0007\n");
    expect(reveal(id, { search: "red" }, false, true).out).toBe("1:^[[31mred^G\n");
  });

  it("prints what a search finds as grep does, all of it", () => {
    const lines = Array.from({ length: 30 }, (_, i) => `hit ${i + 1}\n`).join("");
    expect(reveal(home.save(lines), { search: "hit" }).out.split("\n")).toHaveLength(31);
    const id = home.save("a\nhit\nb\nc\nd\ne\nhit");
    expect(reveal(id, { search: "hit" }).out).toBe("2:hit\n7:hit\n");
    expect(reveal(id, { search: "hit", context: 1 }).out).toBe("1-a\n2:hit\n3-b\n--\n6-e\n7:hit\n");
    expect(reveal(id, { search: "nothing" })).toEqual({ code: 0, out: "" });
  });

  it("prints of a long line a window and its bytes", () => {
    const text = `short\n${"x".repeat(3000)}hit${"y".repeat(3000)}\n`;
    const id = home.save(text);
    const [, from, to, window] = /^2@(\d+)-(\d+):(x+hity+)\n$/.exec(reveal(id, { search: "hit" }).out) ?? [];
    expect(window).toBe(text.slice(Number(from), Number(to)));
    expect(reveal(id, { bytes: { from: Number(from), to: Number(to) } }).out).toBe(window);
  });

  it("prints failing items with their numbers", () => {
    const id = home.save('[{"ok":true},{"ok":false}]');
    expect(reveal(id, { errors: true }).out).toBe('0-{"ok":true}\n1:{"ok":false}\n');
  });

  it("answers exit code 1 and a status for what gives nothing back", () => {
    expect(reveal("00000000000000aa")).toEqual({ code: 1, out: "" });
    const { code, out } = reveal("00000000000000aa", {}, true);
    expect([code, JSON.parse(out).status]).toEqual([1, "not_found"]);
    const id = home.save("one\n");
    expect(reveal(id, { lines: { from: 9, to: 9 } })).toEqual({ code: 1, out: "" });
    expect(JSON.parse(reveal(id, { field: "/a" }, true).out)).toMatchObject({ status: "error" });
  });

  it("answers as JSON in pages", () => {
    const id = home.save("x".repeat(10_000));
    const { code, out } = reveal(id, {}, true);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { status: "ok", bytes: 8192, next: { bytes: "8192:10000" } },
    ]);
  });

  it("C14: notes the bytes that were given back", () => {
    const id = home.save("one\ntwo\n");
    reveal(id, { lines: { from: 1, to: 1 } });
    reveal(id, { search: "two" });
    expect([...readRows({ stateDir: home.env.stateDir.value })]).toMatchObject([
      { kind: "reveal", tool: "Bash", revealed: 4 },
      { kind: "reveal", tool: "Bash", revealed: 6 },
    ]);
  });
});

describe("the options", () => {
  const program = async (...argv: string[]) => {
    const io = captureIo();
    const code = await runProgram(["reveal", ...argv], home.env, io);
    return { code, out: io.written() };
  };

  it.each<[string, readonly string[], string]>([
    ["a range as in a marker", ["--lines", "2-2"], "two\n"],
    ["one dash", ["-bytes", "0:3"], "one"],
    ["a search", ["--search", "t"], "2:two\n3:three\n"],
    ["a regular expression", ["--search", "^t..$", "--regex"], "2:two\n"],
    ["a search within lines", ["--search", "t", "--lines", "3:9"], "3:three\n"],
    ["context", ["--search", "one", "--context", "1"], "1:one\n2-two\n"],
    ["a bound", ["--search", "t", "--max-matches", "1"], "2:two\n"],
    ["what looks like an option", ["--search=-t", "--json", "--max-bytes", "1"], ""],
  ])("take %s", async (_, args, expected) => {
    const { code, out } = await program(home.save("one\ntwo\nthree\n"), ...args);
    expect(code).toBe(0);
    if (expected !== "") expect(out).toBe(expected);
  });

  it.each([
    ["reversed", ["--lines", "9:2"]],
    ["negative", ["--bytes", "-5:2"]],
    ["no numbers", ["--items", "a:b"]],
    ["half", ["--lines", "3"]],
    ["two ranges", ["--lines", "1:2", "--bytes", "1:2"]],
    ["empty search", ["--search", ""]],
    ["search and errors", ["--search", "a", "--errors"]],
    ["regex alone", ["--regex"]],
    ["context alone", ["--context", "2"]],
    ["context that is no number", ["--search", "a", "--context", "-1"]],
    ["too many matches", ["--search", "a", "--max-matches", "21"]],
  ])("are used wrongly: %s", async (_, args) => {
    expect(await program(home.save("one\n"), ...args)).toEqual({ code: 2, out: "" });
  });

  it("answer too_large above the largest page", async () => {
    const { code, out } = await program(home.save("one\n"), "--json", "--max-bytes", "65537");
    expect([code, JSON.parse(out).status]).toEqual([1, "too_large"]);
  });
});
