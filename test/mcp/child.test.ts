// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { createChildren } from "../../src/mcp/child.ts";

const PLENTY_MS = 60_000;

function node(script: string, timeoutMs = PLENTY_MS) {
  return createChildren([process.execPath, "-e", script], timeoutMs);
}

const COPY = "process.stdin.pipe(process.stdout)";
const WAIT = "setInterval(() => {}, 1000)";
const input = (bytes: number) => Buffer.alloc(bytes, "x");

describe("createChildren", () => {
  it("answers what the process prints", async () => {
    expect((await node(COPY).run(input(5_000_000))).length).toBe(5_000_000);
  });

  it("takes the input in pieces", async () => {
    const child = node(COPY).open();
    for (const text of ["one", " two", " three"]) child?.write(Buffer.from(text));
    expect(Buffer.from((await child?.end()) ?? []).toString()).toBe("one two three");
  });

  it("has nothing for a process that prints nothing, and that may leave its input unread", async () => {
    expect((await node("process.exit(0)").run(input(5_000_000))).length).toBe(0);
  });

  it.each([
    ["fails", node("process.exit(3)"), "it ended with 3"],
    ["is killed", node("process.kill(process.pid, 'SIGKILL')"), "it ended with null"],
    ["is not there", createChildren(["/nowhere/isthmos", "hook"], PLENTY_MS), "ENOENT"],
  ])("rejects where it %s", async (_, children, message) => {
    await expect(children.run(input(1))).rejects.toMatchObject({
      message: expect.stringContaining(message),
      timedOut: false,
    });
  });

  it("kills what takes too long", async () => {
    await expect(node(WAIT, 200).run(input(1))).rejects.toMatchObject({ timedOut: true });
  });

  it("has two at work; the others wait, and then are done", async () => {
    const children = node(COPY);
    const answers = [1, 2, 3, 4, 5].map((bytes) => children.run(input(bytes)));
    expect(children.open()).toBeUndefined();
    expect((await Promise.all(answers)).map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
    const child = children.open();
    expect(child).toBeDefined();
    child?.kill();
    await expect(child?.end()).rejects.toThrow("it was ended");
  });

  it("lets nobody wait for longer than the time-out", async () => {
    const children = node(WAIT, 300);
    const answers = await Promise.allSettled([1, 2, 3].map(() => children.run(input(1))));
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("refuses what would hold too much memory while it waits", async () => {
    const children = node(WAIT, 2000);
    const running = [children.open(), children.open()];
    expect(running).not.toContain(undefined);
    const large = input(100 * 1024 * 1024);
    const first = children.run(large);
    await expect(children.run(large)).rejects.toThrow("too many wait");
    await expect(first).rejects.toMatchObject({ timedOut: true });
  });
});
