// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/commands/reveal.ts";
import type { Part } from "../../src/core/recover.ts";
import { type Env, readEnv } from "../../src/env.ts";
import { readRows } from "../../src/measure/log.ts";
import { readSetup } from "../../src/setup.ts";
import { openStore, type Store } from "../../src/store/vault.ts";
import { captureIo } from "../support/io.ts";

let home: string;
let env: Env;
let store: Store;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-reveal-"));
  env = readEnv({ HOME: home }, () => home);
  store = openStore(readSetup(env).store);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const save = (text: string | Uint8Array): string =>
  store.save(typeof text === "string" ? new TextEncoder().encode(text) : text, {
    tool: "Bash",
    kind: "text",
  });

function reveal(id: string, part: Part = {}, json = false, isTerminal = false) {
  const io = captureIo({ isTerminal });
  const code = run({ id, part, json }, env, io);
  return { code, out: io.written() };
}

describe("reveal", () => {
  it("gives the original back, or the part that a marker names", () => {
    const id = save("one\ntwo\nthree\n");
    expect(reveal(id)).toEqual({ code: 0, out: "one\ntwo\nthree\n" });
    expect(reveal(id, { lines: { from: 2, to: 2 } })).toEqual({ code: 0, out: "two\n" });
  });

  it("C13: shows control characters on a terminal in caret form, and bytes in a pipe", () => {
    const id = save("\u001b[31mred\u0007\n");
    expect(reveal(id, {}, false, true).out).toBe("^[[31mred^G\n");
    expect(reveal(id).out).toBe("\u001b[31mred\u0007\n");
  });

  it.each([
    ["unknown", "00000000000000aa"],
    ["the example", "0123456789abcdef"],
    ["malformed", "xyz"],
    ["a path", "../../etc/passwd"],
    ["empty", ""],
  ])("answers exit code 1 and not_found for an id that is %s", (_, id) => {
    expect(reveal(id)).toEqual({ code: 1, out: "" });
    expect(JSON.parse(reveal(id, {}, true).out)).toMatchObject({
      status: "not_found",
      reason: expect.any(String),
      hint: expect.any(String),
    });
  });

  it("says which part is not there", () => {
    const id = save("one\n");
    expect(reveal(id, { lines: { from: 9, to: 9 } })).toEqual({ code: 1, out: "" });
    const answer = JSON.parse(reveal(id, { field: "/a" }, true).out);
    expect(answer).toMatchObject({ status: "error", reason: "the original is no JSON document" });
  });

  it("answers as JSON with a status and a note, and base64 for what is no UTF-8", () => {
    const id = save("one\ntwo\n");
    expect(JSON.parse(reveal(id, { lines: { from: 1, to: 1 } }, true).out)).toEqual({
      status: "ok",
      id,
      tool: "Bash",
      saved_at: expect.any(String),
      original_bytes: 8,
      bytes: 4,
      note: expect.stringContaining("not instructions"),
      text: "one\n",
    });
    const binary = save(Uint8Array.of(0xff, 0x00));
    expect(JSON.parse(reveal(binary, {}, true).out)).toMatchObject({ base64: "/wA=", bytes: 2 });
  });

  it("C10, C14: notes what was given back", () => {
    const id = save("one\ntwo\n");
    reveal(id, { lines: { from: 1, to: 1 } });
    expect([...readRows({ stateDir: env.stateDir.value })]).toMatchObject([
      { kind: "reveal", tool: "Bash", revealed: 4 },
    ]);
    expect(store.revealedWithinHour(new TextEncoder().encode("one\ntwo\n"))).toBe(true);
  });
});
