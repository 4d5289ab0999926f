// SPDX-License-Identifier: Apache-2.0
// What the model asks for, and what it must have got.
import type { Call } from "./mock-api.ts";

/** How isthmos is at fault in a scenario; "works": it is not. */
export type Fault = "works" | "missing" | "hanging" | "garbage" | "failing";

export interface Scenario {
  readonly fault: Fault;
  readonly calls: readonly Call[];
  /** What is wrong with the results, in order of the calls. */
  check(results: readonly string[]): string[];
}

const LINES = 300;
const LONG = Array.from({ length: LINES }, (_, i) => `line ${i + 1}\n`).join("");
const longCall: Call = {
  tool: "bash",
  input: { command: `for i in $(seq 1 ${LINES}); do echo line $i; done`, description: "many lines" },
};

const MARKER = /\[isthmos: \d+ of \d+ lines truncated, lines \d+-\d+, full: isthmos reveal [0-9a-f]{16}\]/;

/** The rules of every scenario. */
export const RULES = {
  mode: "live",
  rules: [{ tool: "{Bash,Read,mcp__my_srv__*}", max_lines: 20, keep_last: 5 }],
};

/** A server whose name has a character that OpenCode replaces. */
export const SERVER_NAME = "my.srv";

const works: Scenario = {
  fault: "works",
  calls: [
    longCall,
    { tool: "bash", input: { command: "echo short", description: "short" } },
    { tool: "bash", input: { command: "isthmos reveal $ID", description: "all of it" } },
    { tool: "isthmos_reveal", input: { id: "$ID", lines: "100:102" } },
    { tool: "read", input: { filePath: "$CWD/long.txt" } },
    { tool: "my_srv_long_list", input: {} },
  ],
  check: ([cut = "", short = "", whole = "", part = "", file = "", list = ""]) => {
    const faults: string[] = [];
    const expect = (isTrue: boolean, what: string) => {
      if (!isTrue) faults.push(what);
    };
    expect(MARKER.test(cut) && cut.length < LONG.length / 2, "the long output is not cut");
    expect(cut.startsWith("line 1\nline 2\n"), "the cut output has no head");
    expect(cut.endsWith(`line ${LINES}\n`), "the cut output has no tail");
    expect(short === "short\n", "a short output is changed");
    expect(whole === LONG, "what reveal gave back is changed (C10)");
    expect(
      part.includes(String.raw`"text":"line 100\nline 101\nline 102\n"`),
      "the server's reveal gives no range",
    );
    expect(MARKER.test(file) && file.includes("\n1: line 1\n"), "the file is not cut");
    expect(file.endsWith("</content>"), "the file's closing tag is lost");
    expect(!file.includes(`line ${LINES}\n`), "the file's end is not what goes");
    expect(MARKER.test(list) && list.endsWith('\n😀 "second" block'), "the MCP result's blocks are not kept");
    return faults;
  },
};

function failsOpen(fault: Fault): Scenario {
  return {
    fault,
    calls: [longCall, longCall],
    check: (results) =>
      results.length === 2 && results.every((text) => text === LONG)
        ? []
        : ["C1: the output is not what the tool wrote"],
  };
}

export const scenarios: readonly Scenario[] = [
  works,
  failsOpen("missing"),
  failsOpen("hanging"),
  failsOpen("garbage"),
  failsOpen("failing"),
];

export const LONG_TEXT = LONG;
