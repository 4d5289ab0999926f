// SPDX-License-Identifier: Apache-2.0
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bashEvent, githubIssues, logLines, mcpEvent } from "../../scripts/payloads.ts";
import { answerEvent } from "../../src/answer.ts";
import { readHealth } from "../../src/health.ts";
import { monotonicMs } from "../../src/io.ts";
import { type Child, ChildError, type Children } from "../../src/mcp/child.ts";
import { createCompress } from "../../src/mcp/compress.ts";
import { createCounters } from "../../src/mcp/counters.ts";
import { toFields } from "../../src/mcp/event.ts";
import { fieldsOf, makeTempHome, type TempHome } from "./support.ts";

const RULES = {
  rules: [
    { tool: "*", max_lines: 6, max_items: 3, max_str: 300, dedup: true, drop_keys: ["node_id", "*_url"] },
  ],
};
const FIXTURES = join(import.meta.dirname, "../conformance/claude-code/fixtures");

let home: TempHome;
beforeEach(() => {
  home = makeTempHome(RULES);
});
afterEach(() => home.remove());

const noChildren: Children = {
  open: () => undefined,
  run: () => Promise.reject(new Error("no process was expected")),
  kill: () => {},
};

function setUp(children = noChildren) {
  const counters = createCounters({ pid: 1, rss: () => 1, changed: () => {} });
  const tool = createCompress(home.env, children, counters);
  return { tool, compress: tool.answer, decisions: () => counters.state().decisions, counters };
}

/** What `isthmos hook` prints for the event. */
function hookAnswer(event: string): string {
  const answer = answerEvent(Buffer.from(event), home.env, monotonicMs());
  return answer === undefined ? "" : Buffer.from(answer).toString();
}

describe("compress answers the same bytes as isthmos hook", () => {
  const fixtures = globSync("*.json", { cwd: FIXTURES }).sort();

  it("finds the recorded events", () => expect(fixtures.length).toBeGreaterThan(30));

  it.each(fixtures)("recorded: %s", (file) => {
    const event: object = JSON.parse(readFileSync(join(FIXTURES, file), "utf8"));
    expect(setUp().compress(fieldsOf(event))).toBe(hookAnswer(JSON.stringify(event)));
  });

  const image = [{ type: "image", source: { type: "base64", data: "AAAA" } }];
  it.each([
    ["a log", bashEvent(logLines(300, true))],
    ["JSON in a text block", mcpEvent("mcp__github__list", JSON.stringify(githubIssues(20, 9)))],
    ["100 KB in an unknown tool's object", toolEvent("Unknown", { text: logLines(1700) })],
    ["100 KB of fetched JSON", toolEvent("WebFetch", { result: JSON.stringify(githubIssues(50)) })],
    ["structured content: a string", toolEvent("mcp__a__b", JSON.stringify({ list: githubIssues(9) }))],
    ["blocks of several kinds", toolEvent("mcp__a__b", [{ type: "text", text: logLines(60) }, ...image])],
    ["half a character", toolEvent("mcp__a__b", [{ type: "text", text: `${logLines(60)}\ud800` }])],
    ["controls and wide characters", bashEvent(`\u0000\u001b[1m😀検é${logLines(60)}`)],
  ])("cut: %s", (_, event) => {
    const expected = hookAnswer(event);
    expect(expected).toContain("[isthmos: ");
    expect(setUp().compress(fieldsOf(JSON.parse(event)))).toBe(expected);
  });

  it.each([
    ["nothing to cut", bashEvent("ok\n")],
    ["no result", JSON.stringify({ hook_event_name: "PostToolUse", tool_name: "Bash" })],
    ["another event", JSON.stringify({ hook_event_name: "Stop", session_id: "s" })],
    ["no event", "{}"],
  ])("unchanged: %s", (_, event) => {
    expect(hookAnswer(event)).toBe("");
    expect(setUp().compress(fieldsOf(JSON.parse(event)))).toBe("");
  });

  it("C4: spelling that no serialiser would give back", () => {
    const response = `{"stdout":${JSON.stringify(logLines(60))},"n":1.10,"big":12345678901234567890,"n":1E2,"\\u0061":"\\/"}`;
    const event = `{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":${response}}`;
    const answer = setUp().compress(
      toFields({ hook_event_name: "PostToolUse", tool_name: "Bash", tool_response: response }),
    );
    expect(answer).toBe(hookAnswer(event));
    expect(answer).toContain(',"n":1.10,"big":12345678901234567890,"n":1E2,"\\u0061":"\\/"}');
  });

  it("for any results", () => {
    const { compress } = setUp();
    const line = fc.string({ unit: "binary", minLength: 10, maxLength: 30 });
    const text = fc.array(line, { minLength: 10, maxLength: 30 }).map((all) => all.join("\n"));
    const json = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 5, maxLength: 20 });
    const blocks = fc.array(
      fc
        .oneof(
          text,
          json.map((value) => JSON.stringify(value)),
        )
        .map((one) => ({ type: "text", text: one })),
      { maxLength: 3 },
    );
    let cut = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          blocks.map((list) => toolEvent("mcp__a__b", list)),
          text.map((stdout) => bashEvent(stdout)),
          json.map((value) => toolEvent("WebFetch", { result: JSON.stringify(value) })),
        ),
        (event) => {
          const expected = hookAnswer(event);
          if (expected !== "") cut++;
          expect(compress(fieldsOf(JSON.parse(event)))).toBe(expected);
        },
      ),
    );
    expect(cut).toBeGreaterThan(25);
  });
});

function toolEvent(tool_name: string, tool_response: unknown): string {
  return JSON.stringify({ hook_event_name: "PostToolUse", tool_name, tool_response, tool_use_id: "toolu_1" });
}

describe("C1: whatever fails, the answer is empty and on record", () => {
  const cut = fieldsOf(JSON.parse(bashEvent(logLines(300))));

  it("counts what became of the events", () => {
    const { compress, decisions } = setUp();
    compress(cut);
    compress(fieldsOf(JSON.parse(bashEvent("ok\n"))));
    expect(decisions()).toEqual({ changed: 1, unchanged: 1 });
  });

  it("rules that cannot be used", () => {
    home.writeRules({ rules: 3 });
    const { compress, decisions } = setUp();
    expect(compress(cut)).toBe("");
    expect(decisions()).toEqual({ failed: 1 });
    expect(readHealth(home.env.stateDir.value).map(({ code }) => code)).toEqual(["rules_invalid"]);
  });

  it("an unexpected error", () => {
    const { compress, decisions } = setUp();
    const broken = new Map(cut);
    broken.get = () => {
      throw new Error("unexpected");
    };
    expect(compress(broken)).toBe("");
    expect(decisions()).toEqual({ failed: 1 });
    expect(readHealth(home.env.stateDir.value).map(({ code }) => code)).toEqual(["internal"]);
  });

  it.each([
    [new ChildError("it ended with 1"), "child_failed"],
    [new ChildError("it took too long", true), "budget"],
    [new Error("unexpected"), "internal"],
  ])("a process of its own: %s", async (error, code) => {
    const { tool, decisions } = setUp({ ...noChildren, run: () => Promise.reject(error) });
    expect(await tool.answerLarge(Buffer.from("{}"))).toBe("");
    expect(decisions()).toEqual({ failed: 1 });
    expect(readHealth(home.env.stateDir.value).map((row) => row.code)).toEqual([code]);
  });

  it("is off where ISTHMOS_DISABLE says so", () => {
    home.remove();
    home = makeTempHome(RULES, { ISTHMOS_DISABLE: "1" });
    const { tool } = setUp();
    expect(tool.answer(cut)).toBe("");
    expect(tool.open()).toBeUndefined();
    return tool.answerLarge(Buffer.from("{}")).then((answer) => {
      expect(answer).toBe("");
      expect(readHealth(home.env.stateDir.value)).toEqual([]);
    });
  });
});

describe("a process of its own", () => {
  const child: Child = {
    write: () => {},
    end: async () => Buffer.from("an answer"),
    kill: () => {},
  };

  it("gives its answer, and is counted", async () => {
    const { tool, counters } = setUp({ ...noChildren, run: child.end, open: () => child });
    expect(await tool.answerLarge(Buffer.from("{}"))).toBe("an answer");
    expect(tool.open()).toBe(child);
    expect(await tool.answerOpened(child)).toBe("an answer");
    expect(counters.state()).toMatchObject({ calls: 2, child_calls: 2, decisions: { changed: 2 } });
  });
});
