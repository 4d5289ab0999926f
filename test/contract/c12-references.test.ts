// SPDX-License-Identifier: Apache-2.0
// References to an earlier result, on the executable: whole turns of a session, event by event.
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  answeredText,
  batch,
  type Call,
  citedIds,
  compaction,
  sessionStart,
  toolResult,
} from "../support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

/** Long enough to be referred to; no rule cuts it. */
const TEXT = `${"one line of a text that the rules leave whole ".repeat(120)}\n`;
const MAIN: Call = { useId: "use-1", text: TEXT };

describe.skipIf(EXECUTABLE_MISSING)("C12: a reference", () => {
  let home: Home;
  let uses = 1;
  beforeEach(() => {
    home = makeHome([{ tool: "*", max_lines: 50 }]);
  });
  afterEach(() => home.remove());

  const send = (input: string): Buffer => {
    const run = home.run({ input });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    return run.stdout;
  };
  /** A result of its own turn: what the model gets, reported as delivered. */
  const turn = (call: Call): string => {
    const answer = answeredText(send(toolResult(call)));
    send(batch([{ ...call, text: answer ?? call.text }]));
    return answer ?? call.text;
  };
  const again = (call: Partial<Call> = {}): string | undefined =>
    answeredText(send(toolResult({ ...MAIN, useId: `use-${++uses}`, ...call })));
  const start = () => send(sessionStart("startup"));

  it("is given for the same text of the same tool to the same reader, and its id gives the text back", () => {
    start();
    expect(turn(MAIN)).toBe(TEXT);
    const reference = again() ?? "";
    expect(reference).toMatch(/^\[isthmos: identical to an earlier Bash result in this session, /);
    const [id = ""] = citedIds(reference);
    expect(home.run({ args: ["reveal", id] }).stdout.toString()).toBe(TEXT);
  });

  it.each<[string, Partial<Call>]>([
    ["another text", { text: `${TEXT}more\n` }],
    ["another tool", { tool: "mcp__files__read" }],
    ["another session", { session: "session-2" }],
    ["a sub-agent", { agent: "agent-1" }],
  ])("is not given for %s", (_, other) => {
    start();
    turn(MAIN);
    expect(again(other)).toBeUndefined();
  });

  it("is not given to the session for what a sub-agent read, nor to another sub-agent", () => {
    start();
    turn({ ...MAIN, agent: "agent-1" });
    expect(again()).toBeUndefined();
    expect(again({ agent: "agent-2" })).toBeUndefined();
    expect(again({ agent: "agent-1" })).toBeDefined();
  });

  it.each([
    ["a compaction begins", () => compaction("PreCompact")],
    ["a compaction ended", () => compaction("PostCompact")],
    ["the session is cleared", () => sessionStart("clear")],
    ["it is resumed", () => sessionStart("resume")],
    ["it is forked", () => sessionStart("fork")],
    ["it starts anew after a compaction", () => sessionStart("compact")],
  ])("is not given once %s", (_, boundary) => {
    start();
    turn(MAIN);
    expect(again()).toBeDefined();
    send(boundary());
    expect(again()).toBeUndefined();
  });

  it("is not given within a turn, nor before the host has reported the first one", () => {
    start();
    expect(again()).toBeUndefined();
    expect(again()).toBeUndefined();
  });

  it("is not given where the first one did not arrive whole", () => {
    start();
    send(toolResult(MAIN));
    send(batch([{ ...MAIN, text: `${TEXT.slice(0, 2000)}\n[preview]` }]));
    expect(again()).toBeUndefined();
  });

  it("is not given in a session whose start was not seen", () => {
    turn(MAIN);
    expect(again()).toBeUndefined();
  });

  it("is not given after an hour", () => {
    start();
    turn(MAIN);
    const then = (Date.now() - 61 * 60_000) / 1000;
    const seen = join(home.stateDir, "seen");
    const entries = readdirSync(seen, { recursive: true })
      .map(String)
      .filter((name) => /\d+-[0-9a-f]{8}$/.test(name));
    expect(entries).toHaveLength(1);
    for (const name of entries) utimesSync(join(seen, name), then, then);
    expect(again()).toBeUndefined();
  });

  it("is not given with ISTHMOS_NO_DEDUP=1, in shadow, or without a rule", () => {
    start();
    turn(MAIN);
    for (const variables of [
      { ISTHMOS_NO_DEDUP: "1" },
      { ISTHMOS_SHADOW: "1" },
      { ISTHMOS_RULES: "/dev/null" },
    ]) {
      const run = home.run({
        input: toolResult({ ...MAIN, useId: "x" }),
        env: { HOME: home.path, ...variables },
      });
      expect(run.stdout).toHaveLength(0);
    }
  });

  it("is not made of a reference: the third time cites the same original", () => {
    start();
    turn(MAIN);
    const second = turn({ ...MAIN, useId: "use-second" });
    const third = again() ?? "";
    expect(citedIds(third)).toEqual(citedIds(second));
    expect(home.run({ args: ["reveal", citedIds(third)[0] ?? ""] }).stdout.toString()).toBe(TEXT);
  });
});
