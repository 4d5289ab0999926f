// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { createChildren } from "../../src/mcp/child.ts";

const PLENTY_MS = 60_000;

function node(script: string, timeoutMs = PLENTY_MS) {
  return createChildren([process.execPath, "-e", script], timeoutMs);
}

const COPY = "process.stdin.pipe(process.stdout)";
const event = (bytes: number) => Buffer.alloc(bytes, "x");

describe("createChildren", () => {
  it("answers what the process prints", async () => {
    const input = event(5_000_000);
    expect(Buffer.from(await node(COPY).run(input.length, () => input)).equals(input)).toBe(true);
  });

  it("has nothing for a process that prints nothing, and that may leave its input unread", async () => {
    expect((await node("process.exit(0)").run(1, () => event(5_000_000))).length).toBe(0);
  });

  it.each([
    ["fails", node("process.exit(3)"), "it ended with 3"],
    ["is killed", node("process.kill(process.pid, 'SIGKILL')"), "it ended with null"],
    ["is not there", createChildren(["/nowhere/isthmos", "hook"], PLENTY_MS), "ENOENT"],
  ])("rejects where it %s", async (_, children, message) => {
    await expect(children.run(1, () => event(1))).rejects.toMatchObject({
      message: expect.stringContaining(message),
      timedOut: false,
    });
  });

  it("rejects where the event cannot be made", async () => {
    const makeEvent = () => {
      throw new Error("no event");
    };
    await expect(node(COPY).run(1, makeEvent)).rejects.toThrow("no event");
  });

  it("kills what takes too long", async () => {
    await expect(node("setInterval(() => {}, 1000)", 200).run(1, () => event(1))).rejects.toMatchObject({
      timedOut: true,
    });
  });

  it("has two at work; the others wait, and then are done", async () => {
    let made = 0;
    const children = node(COPY);
    const answers = Array.from({ length: 5 }, (_, i) =>
      children.run(10, () => {
        made++;
        return event(i + 1);
      }),
    );
    expect(made).toBe(2);
    expect((await Promise.all(answers)).map(({ length }) => length)).toEqual([1, 2, 3, 4, 5]);
  });

  it("lets nobody wait for longer than the time-out", async () => {
    const children = node("setInterval(() => {}, 1000)", 300);
    const answers = await Promise.allSettled([1, 2, 3].map(() => children.run(1, () => event(1))));
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  });

  it("refuses what would hold too much memory while it waits", async () => {
    const children = node("setInterval(() => {}, 1000)", 1000);
    const large = 100 * 1024 * 1024;
    const answers = [1, 2, 3, 4].map(() => children.run(large, () => event(1)));
    await expect(answers[3]).rejects.toThrow("too many wait");
    children.kill();
    await Promise.allSettled(answers);
  });
});
