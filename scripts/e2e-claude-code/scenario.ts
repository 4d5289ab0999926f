// SPDX-License-Identifier: Apache-2.0
// What a scenario is: the calls the mock model makes, and what it must get for each of them.

/** What a text looks like after a cut, each proven against the same text of a run without isthmos. */
export type TextExpectation =
  /** Byte for byte what the client gives without isthmos. */
  | { readonly kind: "same" }
  /** Lines: at most `max` of them and the pinned ones, `tail` of them from the end; `keeps` must be in view. */
  | {
      readonly kind: "lines";
      readonly max: number;
      readonly tail: number;
      readonly keeps?: readonly string[];
    }
  /** Runs of one line as one line and a count; nothing else. */
  | { readonly kind: "runs" }
  /** JSON: arrays of at most `max` items and the pinned ones; none of the dropped keys; `keeps` as spelled. */
  | {
      readonly kind: "items";
      readonly max: number;
      readonly tail: number;
      readonly keeps?: readonly string[];
    };

export type Expectation =
  | TextExpectation
  /** As `same`, and the run without isthmos holds this text: the call really failed, spilled, ... */
  | { readonly kind: "untouched"; readonly holds: string }
  /** A numbered file: the first `max` lines and one marker, which counts the failing lines it covers. */
  | { readonly kind: "read"; readonly max: number; readonly failing?: number }
  /** A file list: "Found N files" (where the client says so), N names, one marker. */
  | { readonly kind: "names"; readonly max: number }
  /** A result of several blocks; a block that is no text must be the same. */
  | { readonly kind: "blocks"; readonly each: readonly TextExpectation[] }
  /** A call made before: a reference to the earlier result, or the text again. */
  | { readonly kind: "again" }
  /** Own output (C10): the whole text that the call `of` had without isthmos. */
  | { readonly kind: "revealed"; readonly of: string }
  /** In place of the client's preview: at most 20,000 characters, `keeps` in view, a marker that leads to the whole. */
  | { readonly kind: "excerpt"; readonly keeps: readonly string[]; readonly originalBytes: number }
  /** As `same` or as the rule has it: what the client does is its own affair. */
  | { readonly kind: "either" }
  /** The server's `reveal`: these lines (from 1, both included) of that call's text, in its JSON answer. */
  | { readonly kind: "recovered"; readonly of: string; readonly lines: readonly [from: number, to: number] };

export interface Call {
  readonly tool: string;
  /** `$CWD` is the working folder, `$ID` the id that a marker cited last, `$SPILLED` the file that the client named last. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** The calls of one answer of the model; several run in parallel. */
export type Turn = readonly Call[];

export interface Scenario {
  readonly name: string;
  /** Turns by the script's name; `main` is what the user asks for, others are asked of sub-agents. */
  readonly scripts: Readonly<Record<string, readonly Turn[]>>;
  /** Further prompts in the same session, each by a new process of the client: scripts' names, or "/compact". */
  readonly resumes?: readonly string[];
  /** The hook's own settings in this scenario. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The whole rules file; left out: the usual rules. */
  readonly rules?: string;
  /** True: the hook is a shell command that finds `isthmos` in PATH; else its path, run without a shell. */
  readonly shell?: boolean;
  /** The one route that it is for; left out: both. */
  readonly route?: "command" | "resident";
  /** What else must hold after the run (`check-home.ts`). */
  readonly after: "live" | "shadow" | "off" | "broken";
  /** References that must have been made: at least so many. */
  readonly references?: number;
}

/** A call and where it stands. */
export interface PlacedCall {
  readonly call: Call;
  /** "script turn.index", both from 0. */
  readonly key: string;
  /** The tool_use id: the same in every run. */
  readonly id: string;
}

/** Every call of a scenario, those of sub-agents included. */
export function listCalls(scenario: Scenario): PlacedCall[] {
  return Object.entries(scenario.scripts).flatMap(([script, turns]) =>
    turns.flatMap((calls, turn) =>
      calls.map((call, index) => ({
        call,
        key: `${script} ${turn}.${index}`,
        id: callId(script, turn, index),
      })),
    ),
  );
}

/** The tool_use id of a call. */
export function callId(script: string, turn: number, index: number): string {
  return `toolu_${script}_${turn}_${index}`;
}
