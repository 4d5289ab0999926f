// SPDX-License-Identifier: Apache-2.0
// The scenarios, as data. Thresholds are those of client 2.1.332 (docs/integrations.md, "Claude Code").
import { BASH, GLOB, GREP, ITEMS, MCP, READ } from "./rules.ts";
import type { Call, Expectation, Scenario, TextExpectation, Turn } from "./scenario.ts";

const same: TextExpectation = { kind: "same" };
const again: Expectation = { kind: "again" };
const bashLines: TextExpectation = { kind: "lines", ...BASH };
const mcpLines: TextExpectation = { kind: "lines", ...MCP };
const items: TextExpectation = { kind: "items", ...ITEMS };
const spilled: Expectation = { kind: "untouched", holds: "<persisted-output>" };
const untouched = (holds: string): Expectation => ({ kind: "untouched", holds });

const bash = (command: string, expect: Expectation, more: Call["input"] = {}): Call => ({
  tool: "Bash",
  input: { command, description: "a step", ...more },
  expect,
});
const read = (file: string, expect: Expectation, more: Call["input"] = {}): Call => ({
  tool: "Read",
  input: { file_path: `$CWD/${file}`, ...more },
  expect,
});
const tool = (name: string, input: Call["input"], expect: Expectation): Call => ({
  tool: name,
  input,
  expect,
});
const tiny = (name: string, expect: Expectation, n?: number): Call =>
  tool(`mcp__tiny__${name}`, n === undefined ? {} : { n }, expect);
const agent = (script: string): Call =>
  tool(
    "Agent",
    {
      description: "sub",
      prompt: `SCRIPT:${script}`,
      subagent_type: "general-purpose",
      run_in_background: false,
    },
    same,
  );
const each = (...calls: Call[]): Turn[] => calls.map((call) => [call]);
/** Time for the async PostToolBatch hook to say what was delivered. */
const pause = bash("sleep 1.5", same);
/** 59 lines, more than 4 KiB: below the Bash rule's limit, large enough to be remembered. */
const REMEMBERED = `for i in $(seq 1 59); do printf 'item %d %080d\\n' $i $i; done`;
const OTHER = REMEMBERED.replace("item", "other");

const builtin: Scenario = {
  name: "builtin",
  after: "live",
  scripts: {
    main: each(
      bash("echo hello; echo oops >&2", same),
      bash("seq 1 2000", bashLines),
      bash("seq 1 60", same),
      bash("cat build.log", { ...bashLines, keeps: ["src/fuel.c:88:12: error: expected ';'"] }),
      bash("cat repeats.log", { kind: "runs" }),
      bash("cat change.diff", same),
      bash("head -200 languages.txt", bashLines),
      bash('for i in $(seq 1 3000); do echo "line $i of a long output"; done', spilled),
      bash("seq 1 500; echo oops >&2; exit 3", untouched("Exit code 3")),
      bash("true", same),
      read("small.txt", same),
      read("long.txt", { kind: "read", ...READ, failing: 3 }),
      read("long.txt", { kind: "read", ...READ, failing: 3 }, { offset: 300 }),
      read("long.txt", same, { offset: 10, limit: 5 }),
      read("windows.txt", { kind: "read", ...READ }),
      read("languages.txt", { kind: "read", ...READ }),
      read("pixel.png", same),
      read("absent.txt", untouched("does not exist")),
      tool("Grep", { pattern: "needle_1", output_mode: "content", "-n": true }, same),
      tool("Grep", { pattern: "needle", output_mode: "content", "-n": true }, { kind: "lines", ...GREP }),
      tool("Grep", { pattern: "needle" }, same),
      tool("Grep", { pattern: "haystack" }, { kind: "names", ...GREP }),
      tool("Grep", { pattern: "needle", output_mode: "count" }, same),
      tool("Glob", { pattern: "src/*.ts" }, same),
      tool("Glob", { pattern: "many/*.md" }, { kind: "names", ...GLOB }),
      tool("Edit", { file_path: "$CWD/small.txt", old_string: "beta", new_string: "BETA" }, same),
      tool("Write", { file_path: "$CWD/new.txt", content: "new\n".repeat(300) }, same),
      bash("sleep 5; echo background", same, { run_in_background: true }),
    ),
  },
};

const shapes: Scenario = {
  name: "mcp-shapes",
  after: "live",
  scripts: {
    main: each(
      tiny("text", same),
      tiny("long", mcpLines),
      tiny("passed", same),
      tiny("json_text", items),
      tiny("rows", items),
      tiny("failing", { ...items, keeps: ["exit code 137"] }),
      tiny("numbers", { ...items, keeps: ["12345678901234567890", '"price":1.10', "1E2", "\\u0041"] }),
      tiny("multi", { kind: "blocks", each: [mcpLines, same, mcpLines] }),
      tiny("structured", items),
      tiny("structured_only", items),
      tiny("structured_differing", items),
      tiny("image", { kind: "blocks", each: [mcpLines, same, same] }),
      tiny("resource", { kind: "blocks", each: [mcpLines, same] }),
      tiny("meta", mcpLines),
      tiny("empty", same),
      tiny("error", untouched("the tool failed")),
      tiny("throw", untouched("the server failed")),
      tiny("languages", mcpLines),
      tool("mcp__bare__long", {}, same),
      tool("mcp__bare__json_text", {}, same),
    ),
  },
};

const sizes: Scenario = {
  name: "sizes",
  after: "live",
  scripts: {
    main: each(
      // Characters of Bash output: 29,991 in 51 lines; 30,001 is spilled.
      bash(`printf 'x%.0s' $(seq 29991)`, same),
      bash(`printf 'x%.0s' $(seq 30001)`, spilled),
      bash(`for i in $(seq 1 400); do printf '%070d\\n' $i; done`, bashLines),
      // 26 to 29 characters a line: below, just below and above 50,000; then above the client's token limit.
      tiny("long", mcpLines, 1000),
      tiny("long", mcpLines, 1850),
      tiny("long", spilled, 2000),
      tiny("rows", items, 300),
      tiny("rows", spilled, 450),
      tiny("long", untouched("exceeds maximum allowed tokens"), 20_000),
      // Grep spills above 20,000 characters.
      tool(
        "Grep",
        { pattern: "step", output_mode: "content", head_limit: 600 },
        { kind: "lines", ...GREP, keeps: ["ERROR: step 500 failed"] },
      ),
      tool("Grep", { pattern: "step", output_mode: "content", head_limit: 1400 }, spilled),
      // Read never spills.
      read("long.txt", { kind: "read", ...READ, failing: 3 }),
    ),
  },
};

const agents: Scenario = {
  name: "agents",
  after: "live",
  scripts: {
    main: [
      [
        bash("seq 1 200", bashLines),
        bash("seq 1 200", bashLines),
        tiny("rows", items),
        read("long.txt", { kind: "read", ...READ, failing: 3 }),
      ],
      [bash(REMEMBERED, same)],
      [agent("inner")],
      [agent("left"), agent("right")],
    ],
    inner: each(
      bash("seq 300 700", bashLines),
      bash(REMEMBERED, same),
      read("long.txt", { kind: "read", ...READ, failing: 3 }),
      tiny("rows", items),
      tiny("text", same),
      bash("seq 1 100; exit 4", untouched("Exit code 4")),
    ),
    left: each(bash("seq 1 300", bashLines)),
    right: each(bash("seq 1 300", bashLines), tool("mcp__bare__long", {}, same)),
  },
};

const repeats: Scenario = {
  name: "repeats",
  after: "live",
  references: 2,
  scripts: {
    main: [
      [read("whole.txt", same)],
      [bash(REMEMBERED, same)],
      [tool("mcp__bare__long", {}, same)],
      [pause],
      [read("whole.txt", again)],
      [bash(REMEMBERED, again)],
      [tool("mcp__bare__long", {}, same)],
      [read("whole.txt", same, { limit: 50 })],
      [read("small.txt", same)],
      [read("small.txt", same)],
      // Never between two calls of one turn.
      [bash(OTHER, same), bash(OTHER, same)],
    ],
    resumed: [[read("whole.txt", same)], [bash(REMEMBERED, same)]],
    compacted: [[read("whole.txt", same)], [bash(REMEMBERED, same)]],
  },
  resumes: ["resumed", "/compact", "compacted"],
};

const recovery: Scenario = {
  name: "recovery",
  after: "live",
  shell: true,
  scripts: {
    main: each(
      bash("seq 1 900", bashLines),
      bash("isthmos reveal $ID", { kind: "revealed", of: "main 0.0" }),
      tiny("long", mcpLines),
      bash("isthmos reveal $ID | cat", { kind: "revealed", of: "main 2.0" }),
    ),
  },
};

const residentRecovery: Scenario = {
  name: "reveal-tool",
  after: "live",
  route: "resident",
  scripts: {
    main: each(
      bash("seq 1 900", bashLines),
      tool(
        "mcp__isthmos__reveal",
        { id: "$ID", lines: "46:885" },
        { kind: "recovered", of: "main 0.0", lines: [46, 885] },
      ),
      tool(
        "mcp__isthmos__reveal",
        { id: "$ID", search: "500" },
        { kind: "recovered", of: "main 0.0", lines: [500, 500] },
      ),
      bash("isthmos reveal $ID", { kind: "revealed", of: "main 0.0" }),
      // Larger than what the client shows, so that it spills the reveal and the model reads the file.
      bash(
        `seq 1 9000 | isthmos filter -tool mcp__tiny__long >cut.txt; isthmos reveal $(grep -ao "reveal [0-9a-f]*" cut.txt | cut -d" " -f2)`,
        spilled,
      ),
      tool("Read", { file_path: "$SPILLED" }, same),
    ),
  },
};

/** 4,000 lines, of which line 2,000 fails. */
const BROKEN_BUILD = `for i in $(seq 1 3999); do [ $i = 2000 ] && echo 'src/fuel.c:88:12: error: lost'; printf 'compiling unit %06d of 3999\\n' $i; done`;
const excerpts: Scenario = {
  name: "excerpts",
  after: "live",
  rules: JSON.stringify({
    rules: [
      { tool: "Bash", max_lines: BASH.max, keep_last: BASH.tail, spilled: "excerpt" },
      { tool: "Grep", max_lines: GREP.max, spilled: "excerpt" },
    ],
  }),
  scripts: {
    main: each(
      bash(BROKEN_BUILD, {
        kind: "excerpt",
        keeps: [
          "src/fuel.c:88:12: error: lost",
          "compiling unit 000001",
          "compiling unit 003999",
          "tool-results/",
        ],
        originalBytes: 3999 * 30 + 30,
      }),
      bash("seq 1 200", bashLines),
    ),
  },
};

/** A few calls of each kind, all of which the rules would cut. */
const cut: readonly Turn[] = [
  [bash("seq 1 500", bashLines)],
  [read("long.txt", { kind: "read", ...READ })],
  [
    tiny("rows", items),
    tiny("long", mcpLines),
    tiny("multi", { kind: "blocks", each: [mcpLines, same, mcpLines] }),
  ],
  [tool("Glob", { pattern: "many/*.md" }, { kind: "names", ...GLOB })],
];
const uncut = cut.map((turn) => turn.map((call) => ({ ...call, expect: same })));

const off: readonly Scenario[] = [
  { name: "shadow", after: "shadow", scripts: { main: uncut }, variables: { ISTHMOS_SHADOW: "1" } },
  { name: "disabled", after: "off", scripts: { main: uncut }, variables: { ISTHMOS_DISABLE: "1" } },
  {
    name: "broken-rules",
    after: "broken",
    scripts: { main: uncut },
    rules: '{ "rules": [ { "tool": "*", "max_lines": 5 }',
  },
  // The state folder's parent is a file.
  {
    name: "no-state",
    after: "broken",
    scripts: { main: uncut },
    variables: { ISTHMOS_STATE_DIR: "$CWD/small.txt/state" },
  },
];

export const SCENARIOS: readonly Scenario[] = [
  builtin,
  shapes,
  sizes,
  agents,
  repeats,
  recovery,
  residentRecovery,
  excerpts,
  ...off,
];
