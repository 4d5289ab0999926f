// SPDX-License-Identifier: Apache-2.0
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runChild } from "../src/child.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "isthmos-child-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const sh = (script: string, more: { input?: string; timeoutMs?: number } = {}) =>
  runChild(["/bin/sh", "-c", script], { cwd: folder, env: { A: "1" }, timeoutMs: 20_000, ...more });

describe("runChild", () => {
  it("answers output, exit code and time, with the environment and the input that were given", async () => {
    const ran = await sh('cat; echo "$A$HOME"; pwd >&2; exit 3', { input: "in\n" });
    expect(ran).toMatchObject({ stdout: "in\n1\n", exitCode: 3, isHeld: false });
    expect(ran.stderr.endsWith(`${folder}\n`)).toBe(true);
    expect(ran.ms).toBeGreaterThan(0);
    expect(ran.failure).toBeUndefined();
  });

  it.each([
    ["gone", "ENOENT"],
    [".", "EACCES"],
  ])("a program that cannot be started: %s", async (name, failure) => {
    const ran = await runChild([join(folder, name)], { env: {}, timeoutMs: 20_000 });
    expect(ran).toMatchObject({ failure, stdout: "", isHeld: false });
    expect(ran.exitCode).toBeUndefined();
  });

  it("a program that ends without reading is no failure", async () => {
    expect(await sh("exit 0", { input: "x".repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it("ends a program that hangs, with what it started", async () => {
    const ran = await sh("(sleep 2; touch late) & echo begun; sleep 60", { timeoutMs: 700 });
    expect(ran).toMatchObject({ failure: "timeout", stdout: "begun\n" });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(existsSync(join(folder, "late"))).toBe(false);
  });

  it("notices what keeps the output open after the end", async () => {
    expect(await sh("sleep 60 & echo done")).toMatchObject({ isHeld: true, exitCode: 0, stdout: "done\n" });
  });

  it("what runs on with its output closed is no matter", async () => {
    expect(await sh("sleep 1 >/dev/null 2>&1 </dev/null & echo done")).toMatchObject({ isHeld: false });
  });

  it("says that a signal ended it", async () => {
    expect(await sh("kill -9 $$")).toMatchObject({ failure: "signal" });
  });

  it("keeps no more than its bound of an endless output", async () => {
    const { stdout, failure } = await sh("yes", { timeoutMs: 500 });
    expect(failure).toBe("timeout");
    expect(stdout.length).toBeLessThan(3 * 1024 * 1024);
  });
});
