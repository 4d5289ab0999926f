// SPDX-License-Identifier: Apache-2.0
import { bashEvent, githubIssues, logLines, mcpEvent } from "../payloads.ts";

/** One kind of call that is measured. */
export interface Row {
  readonly name: string;
  readonly args: readonly string[];
  readonly input: string;
  /** Bytes of the tool's output in `input`. */
  readonly payloadBytes: number;
  /** `answered`: changed output; `silent`: the hook prints nothing. Checked before anything is timed. */
  readonly expect: "answered" | "silent";
  /** The home has a log, a store and a seen index of long use. */
  readonly history: boolean;
  /** Highest ratio to the floor that is accepted. */
  readonly limit?: number;
}

/** Replaced by a number at each run, so that each stores a text of its own. */
export const RUN_MARK = "run-0000000000";

export const RULES = {
  rules: [
    { tool: "mcp__github__*", drop_keys: ["node_id", "*_url"], max_items: 30, keep_last: 5 },
    { tool: "WebFetch", drop_keys: ["node_id", "*_url"], max_items: 30, keep_last: 5 },
    { tool: "Bash", max_lines: 16, min_bytes: 1024 },
  ],
};

const KIB = 1024;
const MIB = 1024 * KIB;

/** The rows of the table, in order. */
export function makeRows(): Row[] {
  const noMatch = hookRow("no matching rule", mcpEvent("mcp__wiki__search", text(1000)), 1000, "silent");
  const cut = hookRow("cut and stored, 2 KB", bashEvent(text(2 * KIB)), 2 * KIB, "answered");
  const longer = hookRow("cut and stored, 8 KB", bashEvent(text(8 * KIB)), 8 * KIB, "answered");
  // One long line: above min_bytes, so it is looked at, and below max_lines.
  const within = `${text(2 * KIB)
    .replaceAll("\n", " ")
    .slice(0, 2000)}\n`;
  const small = hookRow("match, nothing cut", bashEvent(within), 2001, "silent");
  return [
    { ...noMatch, limit: 1.2 },
    { ...small, limit: 1.25 },
    { ...cut, limit: 1.5 },
    longer,
    jsonRow("100 KB of JSON", 100 * KIB),
    { ...jsonRow("2 MB of JSON", 2 * MIB), limit: 3.5 },
    jsonRow("20 MB of JSON", 20 * MIB),
    { ...noMatch, name: `${noMatch.name}, long use`, history: true, limit: 1.2 },
    { ...cut, name: `${cut.name}, long use`, history: true, limit: 1.5 },
    { ...longer, name: `${longer.name}, long use`, history: true },
  ];
}

function hookRow(name: string, input: string, payloadBytes: number, expect: Row["expect"]): Row {
  return { name, args: ["hook"], input, payloadBytes, expect, history: false };
}

// Through the filter: the host itself would replace an MCP result of this size before the model sees it.
function jsonRow(name: string, bytes: number): Row {
  const input = jsonOfSize(bytes);
  const args = ["filter", "--tool", "mcp__github__list_issues"];
  return { name, args, input, payloadBytes: Buffer.byteLength(input), expect: "answered", history: false };
}

/** A JSON document of about so many bytes, with a mark that is replaced at each run. */
export function jsonOfSize(bytes: number): string {
  const sampleBytes = Buffer.byteLength(JSON.stringify(githubIssues(100))) / 100;
  const items = JSON.stringify(githubIssues(Math.ceil(bytes / sampleBytes), 50));
  return `{"run":"${RUN_MARK}","items":${items}}\n`;
}

function text(bytes: number): string {
  return `${RUN_MARK}\n${logLines(Math.ceil(bytes / 30))}`.slice(0, bytes);
}
