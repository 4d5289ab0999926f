// SPDX-License-Identifier: Apache-2.0
// What may and may not be called "identical to an earlier result": whole sessions as data. A text is named; the
// player makes it. `gets` is what the reader must get for a call: the text whole, the text cut, or a reference.

export interface ScenarioCall {
  /** A text's name: `A` and `B` are whole under the rules, `Long` is cut by them, `Short` is below 4 KiB. */
  readonly text: string;
  readonly gets: "whole" | "cut" | "reference";
  /** Default: Bash. */
  readonly tool?: string;
  readonly session?: string;
  readonly agent?: string;
  /** What the host reports as delivered; default: what we answered, or the text. */
  readonly delivered?: "preview" | "foreign" | "original" | "changed by one byte" | "not reported";
  /** The text is this one with a change. */
  readonly change?: "one byte" | "a final line end less" | "CRLF" | "a byte appended";
  /** The arguments that the tool was called with. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Read: the line that the text begins at. */
  readonly startLine?: number;
}

export type Step =
  /** The calls of one turn: all results first, then one report of what was delivered. */
  | { readonly turn: readonly ScenarioCall[] }
  | { readonly start: "startup" | "resume" | "clear" | "compact" | "fork"; readonly session?: string }
  | { readonly compaction: "PreCompact" | "PostCompact"; readonly agent?: string }
  | { readonly minutesPass: number }
  /** The process that the host keeps running is ended and begun anew. */
  | { readonly restart: true }
  | { readonly lose: "the key" | "the stored originals" | "the seen index" };

export interface ReferenceScenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const start: Step = { start: "startup" };
const once = (call: Partial<ScenarioCall> = {}): Step => ({ turn: [{ text: "A", gets: "whole", ...call }] });
const again = (gets: ScenarioCall["gets"], call: Partial<ScenarioCall> = {}): Step => ({
  turn: [{ text: "A", gets, ...call }],
});

export const REFERENCE_SCENARIOS: readonly ReferenceScenario[] = [
  { name: "the same reader gets the same text again", steps: [start, once(), again("reference")] },
  {
    name: "and a third time",
    steps: [start, once(), again("reference"), again("reference")],
  },
  {
    name: "another result lies between",
    steps: [start, once(), again("whole", { text: "B" }), again("reference")],
  },
  {
    name: "two texts, each again",
    steps: [start, once(), once({ text: "B" }), again("reference", { text: "B" }), again("reference")],
  },
  {
    name: "an MCP tool",
    steps: [start, once({ tool: "mcp__files__read" }), again("reference", { tool: "mcp__files__read" })],
  },
  {
    name: "a whole file, read again",
    steps: [start, once({ tool: "Read" }), again("reference", { tool: "Read" })],
  },
  {
    name: "the same bytes for other arguments of the same tool",
    steps: [
      start,
      once({ input: { command: "cat a" } }),
      again("reference", { input: { command: "cat b" } }),
    ],
  },
  {
    name: "below the size that is worth it",
    steps: [start, once({ text: "Short" }), again("whole", { text: "Short" })],
  },
  { name: "the first time in a session", steps: [start, once()] },
  { name: "no start of the session was seen", steps: [once(), again("whole")] },
  { name: "changed by one byte", steps: [start, once(), again("whole", { change: "one byte" })] },
  { name: "a byte appended", steps: [start, once(), again("whole", { change: "a byte appended" })] },
  {
    name: "the final line end is gone",
    steps: [start, once(), again("whole", { change: "a final line end less" })],
  },
  { name: "other line ends", steps: [start, once(), again("whole", { change: "CRLF" })] },
  {
    name: "the same bytes from another tool",
    steps: [start, once(), again("whole", { tool: "mcp__files__read" })],
  },
  {
    name: "the same bytes from a like-named tool of another server",
    steps: [start, once({ tool: "mcp__a__read" }), again("whole", { tool: "mcp__b__read" })],
  },
  {
    name: "the same part of a file, from another line",
    steps: [start, once({ tool: "Read" }), again("whole", { tool: "Read", startLine: 40 })],
  },
  {
    name: "a part of a file is never the first",
    steps: [start, once({ tool: "Read", startLine: 40 }), again("whole", { tool: "Read" })],
  },
  {
    name: "a sub-agent reads what the main agent read",
    steps: [start, once(), again("whole", { agent: "one" })],
  },
  {
    name: "the main agent reads what a sub-agent read",
    steps: [start, once({ agent: "one" }), again("whole")],
  },
  {
    name: "another sub-agent",
    steps: [
      start,
      once({ agent: "one" }),
      again("whole", { agent: "two" }),
      again("reference", { agent: "one" }),
    ],
  },
  {
    name: "another session",
    steps: [start, { start: "startup", session: "other" }, once(), again("whole", { session: "other" })],
  },
  {
    name: "parallel calls of one turn",
    steps: [
      start,
      {
        turn: [
          { text: "A", gets: "whole" },
          { text: "A", gets: "whole" },
        ],
      },
    ],
  },
  {
    name: "parallel calls of one turn, then again",
    steps: [
      start,
      {
        turn: [
          { text: "A", gets: "whole" },
          { text: "A", gets: "whole" },
        ],
      },
      again("reference"),
    ],
  },
  {
    name: "parallel calls, one of which was lost",
    steps: [
      start,
      {
        turn: [
          { text: "A", gets: "whole", delivered: "preview" },
          { text: "B", gets: "whole" },
        ],
      },
      again("whole"),
    ],
  },
  {
    name: "a compaction is about to begin",
    steps: [start, once(), { compaction: "PreCompact" }, again("whole")],
  },
  { name: "a compaction has ended", steps: [start, once(), { compaction: "PostCompact" }, again("whole")] },
  {
    name: "a whole compaction, and from then on",
    steps: [
      start,
      once(),
      { compaction: "PreCompact" },
      { compaction: "PostCompact" },
      { start: "compact" },
      again("whole"),
      again("reference"),
    ],
  },
  {
    name: "the compaction of a sub-agent",
    steps: [start, once(), { compaction: "PreCompact", agent: "one" }, again("whole")],
  },
  { name: "the conversation was cleared", steps: [start, once(), { start: "clear" }, again("whole")] },
  { name: "the session was resumed", steps: [start, once(), { start: "resume" }, again("whole")] },
  { name: "the session was forked", steps: [start, once(), { start: "fork" }, again("whole")] },
  {
    name: "the session was resumed and the text read since",
    steps: [start, once(), { start: "resume" }, again("whole"), again("reference")],
  },
  {
    name: "the first delivery was cut by a rule",
    steps: [start, once({ text: "Long", gets: "cut" }), again("cut", { text: "Long" })],
  },
  {
    name: "the first cut was refused by the client, which delivered the original",
    steps: [
      start,
      once({ text: "Long", gets: "cut", delivered: "original" }),
      again("cut", { text: "Long" }),
    ],
  },
  {
    name: "the first delivery was spilled to a file",
    steps: [start, once({ delivered: "preview" }), again("whole")],
  },
  {
    name: "the first delivery was lost to another hook",
    steps: [start, once({ delivered: "foreign" }), again("whole")],
  },
  {
    name: "another hook changed one byte of the first",
    steps: [start, once({ delivered: "changed by one byte" }), again("whole")],
  },
  {
    name: "the first was never reported",
    steps: [start, once({ delivered: "not reported" }), again("whole")],
  },
  {
    name: "a lost delivery, then a whole one",
    steps: [start, once({ delivered: "foreign" }), again("whole"), again("reference")],
  },
  {
    name: "the reference itself was lost to another hook",
    steps: [start, once(), again("reference", { delivered: "foreign" }), again("reference")],
  },
  { name: "59 minutes later", steps: [start, once(), { minutesPass: 59 }, again("reference")] },
  { name: "an hour later", steps: [start, once(), { minutesPass: 61 }, again("whole")] },
  {
    name: "an hour later, and from then on",
    steps: [start, once(), { minutesPass: 61 }, again("whole"), again("reference")],
  },
  {
    name: "the process was restarted in between",
    steps: [start, once(), { restart: true }, again("reference")],
  },
  { name: "the seen index was lost", steps: [start, once(), { lose: "the seen index" }, again("whole")] },
  {
    name: "the key was lost: a proof under the old one proves nothing",
    steps: [start, once(), { lose: "the key" }, again("whole")],
  },
  {
    name: "the stored originals were lost: the reference stores its own",
    steps: [start, once(), again("reference"), { lose: "the stored originals" }, again("reference")],
  },
];
