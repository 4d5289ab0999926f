// SPDX-License-Identifier: Apache-2.0
// What went wrong elsewhere, each by its name, never deleted: the fifteen measured faults of the Go program of the
// same name (0.4.0), then what users of such tools reported.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseRules } from "../src/core/rules/parse.ts";
import { readRows } from "../src/measure/log.ts";
import { makeBench } from "./support/apply-here.ts";
import { answeredText, batch, citedIds, sessionStart, toolResult } from "./support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "./support/run-cli.ts";

const bench = makeBench();
afterAll(() => bench.remove());

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (output: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(output);
/** The output of one rule for the tool `t`. */
const cut = (payload: string, rule: object): string =>
  text(bench.apply(bytes(payload), [{ tool: "t", ...rule }], { tool: "t" }).output);
const numbered = (
  count: number,
  of = (i: number) => `line ${i} of a log that says nothing of interest`,
): string[] => Array.from({ length: count }, (_, i) => of(i + 1));

describe("the Go program's faults", () => {
  it.each([
    ["a large number", '"n":12345678901234567890'],
    ["a trailing zero", '"n":1.10'],
    ["an exponent", '"n":1E2'],
    ["a key twice", '"n":1,"n":2'],
    ["the keys' order", '"z":1,"a":2,"10":3,"9":4'],
    ["characters of HTML", '"n":"<a href=\\"x\\">&</a>"'],
    ["__proto__", '"__proto__":{"x":1}'],
    ["escapes", '"n":"\\u00e9\\/\\ud83d"'],
  ])("1: keeps the spelling of %s when keys are dropped (C4)", (_, members) => {
    expect(cut(`{${members},"drop":"me"}`, { drop_keys: ["drop"] })).toBe(`{${members}}`);
  });

  it("2: keeps the kind of an array's items (C7)", () => {
    const blocks = numbered(30, (i) => `{"type":"row","value":"number ${i} of the list"}`);
    const out: unknown = JSON.parse(cut(`[${blocks.join(",")}]`, { max_items: 3 }));
    expect(Array.isArray(out) && out.every((item) => typeof item === "object" && item !== null)).toBe(true);
  });

  it("4: lines that say 0 errors do not defeat the cap, nor do errors beyond it (C9)", () => {
    const calm = `${Array(5000).fill("0 error, 0 failed").join("\n")}\n`;
    expect(cut(calm, { max_lines: 20 }).split("\n").length).toBeLessThanOrEqual(22);
    const loud = `${numbered(5000, (i) => `error: request ${i} was refused by host-${i}-of-many`).join("\n")}\n`;
    expect(cut(loud, { max_lines: 20 }).split("\n").length).toBeLessThanOrEqual(45);
  });

  it("5: a string's end stays (C9)", () => {
    const log = `${"all is well with the parcel ".repeat(100)}FATAL: disk full`;
    expect(cut(JSON.stringify({ log }), { max_str: 200 })).toMatch(/FATAL: disk full"\}$/);
  });

  it("6: a diff is not cut (C8)", () => {
    const hunk = numbered(200, (i) => (i % 2 ? `-old line ${i}` : `+new line ${i}`));
    const diff = ["diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,100 +1,100 @@", ...hunk, ""].join("\n");
    expect(cut(diff, { max_lines: 10, max_str: 5, dedup: true })).toBe(diff);
  });

  it.each([
    ["a limit with a typing error", '[{"tool":"Bash","max_line":9}]', /max_lines/],
    ["a glob that does not end", '[{"tool":"mcp__["}]', /"\[" without/],
    ["broken JSON", '[{"tool":"Bash",', /./],
  ])("12: says what is wrong in %s", (_, file, said) => {
    const problems = parseRules(file).problems.map(({ message }) => message);
    expect(problems.join("\n")).toMatch(said);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe.skipIf(EXECUTABLE_MISSING)("the Go program's faults, on the executable", () => {
  let home: Home;
  beforeEach(() => {
    home = makeHome([
      { tool: "Bash", max_lines: 20, drop_keys: ["stderr"] },
      { tool: "Grep", max_lines: 5, max_items: 5 },
      { tool: "Read", max_lines: 1000 },
      { tool: "Edit", drop_keys: ["originalFile"] },
      { tool: "mcp__github__*", drop_keys: ["node_id"], max_items: 2 },
    ]);
  });
  afterEach(() => home.remove());

  const LOG = `${numbered(200).join("\n")}\n`;
  const answer = (
    event: string,
  ): { hookSpecificOutput: { updatedToolOutput: Record<string, unknown> } } | undefined => {
    const { stdout } = home.run({ input: event });
    return stdout.length === 0 ? undefined : JSON.parse(stdout.toString());
  };
  const event = (tool: string, response: unknown): string =>
    toolResult({ tool, useId: "u", text: "" }).replace(
      /"tool_response":.*?,"tool_use_id"/,
      () => `"tool_response":${JSON.stringify(response)},"tool_use_id"`,
    );

  it("2: a Bash result keeps all its fields, whatever drop_keys names (C7)", () => {
    const given = {
      stdout: LOG,
      stderr: "warning: x",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
    };
    const output = answer(event("Bash", given))?.hookSpecificOutput.updatedToolOutput;
    expect(output).toEqual({ ...given, stdout: expect.stringContaining("[isthmos: ") });
  });

  it("3: the count of files is that of the list (C7)", () => {
    const filenames = numbered(40, (i) => `src/some/folder/with/a/name/part-${i}.ts`);
    const output = answer(event("Grep", { mode: "files_with_matches", filenames, numFiles: 40 }))
      ?.hookSpecificOutput.updatedToolOutput;
    const kept = Array.isArray(output?.filenames) ? output.filenames.map(String) : [];
    expect(kept.at(-1)).toContain("[isthmos: ");
    expect(output?.numFiles).toBe(kept.length - 1);
  });

  it("7: a second reader gets the file, not a word on the first one's (C12)", () => {
    const call = { useId: "r1", text: `${"text in one long line ".repeat(300)}\n` };
    home.run({ input: sessionStart("startup") });
    home.run({ input: toolResult(call) });
    home.run({ input: batch([call]) });
    expect(
      answeredText(home.run({ input: toolResult({ ...call, useId: "r2", agent: "sub" }) }).stdout),
    ).toBeUndefined();
    expect(answeredText(home.run({ input: toolResult({ ...call, useId: "r3" }) }).stdout)).toContain(
      "identical",
    );
  });

  it("8, 9: a reveal through Bash shows the text the model lost, whole, and is not cut (C10)", () => {
    const [id = ""] = citedIds(
      answeredText(home.run({ input: toolResult({ useId: "1", text: LOG }) }).stdout) ?? "",
    );
    const revealed = home.run({ args: ["reveal", id] }).stdout.toString();
    expect(revealed).toBe(LOG);
    const again = toolResult({ useId: "2", text: revealed }).replace(
      '"make"',
      JSON.stringify(`isthmos reveal ${id}`),
    );
    expect(answer(again)).toBeUndefined();
  });

  it("9: a reveal gives ranges and fields (C5)", () => {
    const issues = JSON.stringify({
      rows: numbered(30, (i) => `{"n":${i}}`).map((one) => JSON.parse(one)),
      pad: "x".repeat(900),
    });
    const output = home
      .run({ args: ["filter", "-tool", "mcp__github__list"], input: issues })
      .stdout.toString();
    const [id = ""] = citedIds(output);
    const reveal = (...args: string[]) => home.run({ args: ["reveal", id, ...args] }).stdout.toString();
    expect(reveal("--field", "/rows/29/n")).toBe("30");
    expect(reveal("--field", "/rows", "--items", "2:3")).toBe('{"n":3},{"n":4}');
    expect(reveal("--bytes", "0:8")).toBe('{"rows":');
  });

  it("10: bytes that the model never sees are neither cut nor counted (C14)", () => {
    expect(
      answer(event("Edit", { filePath: "/x", originalFile: LOG, oldString: "a", newString: "b" })),
    ).toBeUndefined();
    const [row] = [...readRows({ stateDir: home.stateDir })];
    expect(row).toMatchObject({ inBytes: 0, outBytes: 0 });
  });

  // 11 (lost measurements): test/measure/log.test.ts and test/e2e/parallel.test.ts.

  it("12: broken rules are said aloud by rules check and doctor, and change nothing (C1)", () => {
    writeFileSync(join(home.path, ".config/isthmos/rules.json"), '{"rules":[{"tool":"Bash","max_line":9}]}');
    const check = home.run({ args: ["rules", "check"] });
    expect(check.stdout.toString() + check.stderr).toMatch(/max_lines/);
    writeFileSync(join(home.path, ".config/isthmos/rules.json"), '{"rules":[');
    expect(home.run({ args: ["rules", "check"] }).code).toBe(1);
    expect(answer(toolResult({ useId: "1", text: LOG }))).toBeUndefined();
  });

  it("13: the key lies apart from the entries, and the log is private (C13)", () => {
    home.run({ input: toolResult({ useId: "1", text: LOG }) });
    expect(statSync(join(home.path, ".local/share/isthmos/store.key")).mode & 0o777).toBe(0o600);
    expect(() => statSync(join(home.stateDir, "store/store.key"))).toThrow();
    expect(statSync(join(home.stateDir, "measure.jsonl")).mode & 0o777).toBe(0o600);
  });

  // 14 (start-up time): scripts/bench-hook.ts, which needs a quiet machine.

  it("15: JSON in the text block of an MCP result is treated as JSON (C7)", () => {
    const issues = numbered(
      20,
      (i) => `{"node_id":"I_${i}","title":"parcel ${i} waits at the gate of the yard"}`,
    );
    const text = answeredText(
      home.run({
        input: toolResult({ tool: "mcp__github__list_issues", useId: "1", text: `[${issues.join(",")}]` }),
      }).stdout,
    );
    const items: unknown = JSON.parse(text ?? "null");
    expect(text).not.toContain("node_id");
    expect(Array.isArray(items) && items.length).toBe(3);
  });

  it("rtk#3065, OMNI#187: an unanswered result is never booked as saved (C14)", () => {
    // Over the client's limit: it shows a preview of its own.
    const large = `${numbered(900).join("\n")}\n`;
    expect(answer(toolResult({ useId: "1", text: large }))).toBeUndefined();
    expect([...readRows({ stateDir: home.stateDir })]).toMatchObject([
      { inBytes: large.length, outBytes: large.length },
    ]);
  });

  it("claude-code#68951: the answer to an object is an object, to blocks blocks, to a string a string (C7)", () => {
    const issues = `[${numbered(20, (i) => `{"node_id":"I_${i}","title":"parcel ${i}"}`).join(",")}]`;
    const tool = "mcp__github__list_issues";
    expect(
      answer(event("Bash", { stdout: LOG, stderr: "" }))?.hookSpecificOutput.updatedToolOutput,
    ).toMatchObject({ stderr: "" });
    expect(
      answer(event(tool, [{ type: "text", text: issues }]))?.hookSpecificOutput.updatedToolOutput,
    ).toMatchObject([{ type: "text" }]);
    expect(typeof answer(event(tool, issues))?.hookSpecificOutput.updatedToolOutput).toBe("string");
  });

  it("rtk#3765: switched off, nothing is answered, stored or recorded", () => {
    const env = { HOME: home.path, ISTHMOS_DISABLE: "1" };
    expect(home.run({ input: toolResult({ useId: "1", text: LOG }), env })).toMatchObject({
      code: 0,
      stdout: Buffer.alloc(0),
      stderr: "",
    });
    expect(() => statSync(home.stateDir)).toThrow();
  });

  it("rtk#260: an answer never decides about permission", () => {
    const { stdout } = home.run({ input: toolResult({ useId: "1", text: LOG }) });
    expect(stdout.toString()).not.toMatch(/permission|decision|continue|"updatedInput"/);
  });

  it("headroom#1809: an id outlives the process that made it (C6)", () => {
    const [id = ""] = citedIds(
      answeredText(home.run({ input: toolResult({ useId: "1", text: LOG }) }).stdout) ?? "",
    );
    for (let i = 0; i < 3; i++) expect(home.run({ args: ["reveal", id] }).stdout.toString()).toBe(LOG);
  });

  it("headroom PR#1781: an expired id, a wrong one and a lost key are told apart", () => {
    const said = (args: string[]) => home.run({ args: ["reveal", ...args] }).stderr;
    home.run({ input: toolResult({ useId: "1", text: LOG }) });
    const words = [said(["0123456789abcdef"]), said(["00112233445566aa"]), said(["typo"])];
    expect(new Set(words).size).toBe(3);
  });

  it("OMNI#583: the id of examples gives nothing back", () => {
    home.run({ input: toolResult({ useId: "1", text: LOG }) });
    expect(home.run({ args: ["reveal", "0123456789abcdef"] })).toMatchObject({
      code: 1,
      stdout: Buffer.alloc(0),
    });
  });

  it("rtk#1160: no command line and no path is kept (C13)", () => {
    home.run({ input: toolResult({ useId: "1", text: LOG }) });
    expect(readFileSync(join(home.stateDir, "measure.jsonl"), "utf8")).not.toMatch(/make|home|\/p\b/);
  });
});

describe("what users of such tools reported", () => {
  it("codex#6415, opencode#33650: the end of a log stays (C9)", () => {
    const log = `${numbered(500).join("\n")}\nBUILD FAILED in 3m 12s\n2 tasks failed\n`;
    expect(cut(log, { max_lines: 20 })).toMatch(/BUILD FAILED in 3m 12s\n2 tasks failed\n$/);
  });

  it("lean-ctx#1493: a log of 27 lines is not replaced by a marker alone", () => {
    const out = cut(`${numbered(27).join("\n")}\n`, { max_lines: 10 });
    expect(out.split("\n").filter((line) => line.startsWith("line "))).toHaveLength(10);
  });

  it("lean-ctx#1679: what is missing is named with its range (C5)", () => {
    expect(cut(`${numbered(60).join("\n")}\n`, { max_lines: 20 })).toMatch(
      /\n\[isthmos: 40 of 60 lines truncated, lines 16-55, full: isthmos reveal [0-9a-f]{16}\]\n/,
    );
  });

  it("rtk#2317, pi-hashline-readmap#156: no verdict is ever made up", () => {
    const out = cut(
      `${numbered(60, (i) => `unclear output number ${i} of an unknown program`).join("\n")}\n`,
      { max_lines: 5, dedup: true },
    );
    expect(out).not.toMatch(/success|passed|ok\b|no matches|no tests/i);
  });

  it("headroom#3650: an array that lost items says so inside, beside its unchanged total (C5)", () => {
    const rows = numbered(120, (i) => `{"id":${i},"name":"row number ${i}"}`);
    const out: { total: number; rows: { isthmos?: string }[] } = JSON.parse(
      cut(`{"total":120,"rows":[${rows.join(",")}]}`, { max_items: 16 }),
    );
    expect(out.total).toBe(120);
    expect(out.rows.map(({ isthmos }) => isthmos).filter(Boolean)).toEqual([
      expect.stringMatching(/104 of 120 items truncated, items 16-119/),
    ]);
  });

  it("headroom#3634: a small document keeps all its keys", () => {
    const task = JSON.stringify({
      id: 1,
      tags: ["a", "b"],
      subtasks: [{ id: 2, done: false }],
      body: "x".repeat(300),
    });
    expect(cut(task, { max_items: 10, max_lines: 10, max_str: 400, drop_keys: ["node_id"] })).toBe(task);
  });

  it("rtk#2452, rtk#4113: text in another encoding passes as bytes, and its neighbours are counted right (C4)", () => {
    const gbk = Buffer.concat([
      Buffer.from("start\n"),
      Buffer.of(0xb4, 0xed, 0xce, 0xf3, 0x0a),
      Buffer.from(`${numbered(40).join("\n")}\n`),
    ]);
    const { output } = bench.apply(gbk, [{ tool: "t", max_lines: 8 }], { tool: "t" });
    expect(Buffer.from(output).subarray(0, 11).equals(gbk.subarray(0, 11))).toBe(true);
    expect(text(output)).toMatch(/34 of 42 lines truncated/);
  });

  it("rtk changelog 0.15.3 (#93): a cut never falls inside a character (C4)", () => {
    for (let limit = 60; limit < 76; limit++) {
      const out = bench.apply(bytes("検索結果👩‍👩‍👧が空".repeat(60)), [{ tool: "t", max_str: limit }], {
        tool: "t",
      }).output;
      expect(() => new TextDecoder("utf-8", { fatal: true }).decode(out)).not.toThrow();
    }
  });

  it("agentarena#110: white space at both ends of a text stays (C4)", () => {
    const out = cut(`\n\n  ${numbered(50).join("\n")}  \n\n`, { max_lines: 10 });
    expect(out).toMatch(/^\n\n {2}line 1 /);
    expect(out).toMatch(/ {2}\n\n$/);
  });

  it("gemini-cli#28620: a limit of nothing or less cuts nothing", () => {
    const log = `${numbered(50).join("\n")}\n`;
    expect(cut(log, { max_lines: 0, max_str: 0 })).toBe(log);
    expect(parseRules('[{"tool":"t","max_lines":-5}]').settings.rules).toEqual([]);
  });

  it("opencode-acp PR#222: the marker is part of the budget, so the output is never longer (C2)", () => {
    for (let count = 11; count < 40; count++) {
      const log = `${numbered(count, (i) => `${i}`).join("\n")}\n`;
      expect(cut(log, { max_lines: 10 }).length).toBeLessThanOrEqual(log.length);
    }
  });

  it("felan#33, lean-ctx#1387: long lines are cut one by one, and what separates them stays", () => {
    const log = numbered(6, (i) => `src/part-${i}.js:1: match ${"x".repeat(5000)}`).join("\n");
    const out = cut(log, { max_str: 200 }).split("\n");
    expect(out.map((line) => /^src\/part-\d\.js:1: match/.exec(line)?.[0])).toEqual(
      numbered(6, (i) => `src/part-${i}.js:1: match`),
    );
  });

  it("headroom PR#2703: a stored original is never itself a marker's text (C6)", () => {
    const log = `${numbered(200).join("\n")}\n`;
    const first = bench.apply(bytes(log), [{ tool: "t", max_lines: 20 }], { tool: "t" });
    expect(bench.apply(first.output, [{ tool: "t", max_lines: 20 }], { tool: "t" }).changed).toBe(false);
  });

  it("headroom#2836: a marker of another tool is a line like others", () => {
    const lines = numbered(60);
    lines[30] = "[other: 5 lines hidden, retrieve with id 00112233445566aa]";
    expect(cut(`${lines.join("\n")}\n`, { max_lines: 10 })).toMatch(/50 of 60 lines truncated/);
  });

  it("headroom PR#824: the marker holds the command that gives the text back", () => {
    expect(cut(`${numbered(60).join("\n")}\n`, { max_lines: 10 })).toMatch(
      /full: isthmos reveal [0-9a-f]{16}\]/,
    );
  });
});
