// SPDX-License-Identifier: Apache-2.0
// The trial of a route: an event whose result must be cut, a home to throw away in which it is, and what an answer
// is worth.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "../../env.ts";

const LINES = 400;
const MAX_LINES = 20;
const TEXT = Array.from({ length: LINES }, (_, i) => `sample line ${i + 1}`).join("\n");
const RESULT = { stdout: TEXT, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };

/** A PostToolUse event as the client sends it. */
export const SAMPLE_EVENT = {
  session_id: "isthmos-doctor",
  transcript_path: "",
  cwd: "/",
  permission_mode: "default",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "sample", description: "a trial by isthmos doctor" },
  tool_response: RESULT,
  tool_use_id: "toolu_isthmos_doctor",
} as const;

/** What an answer to the sample is. */
export type Verdict = "right" | "nothing" | "no_json" | "around_json" | "wrong_shape" | "unchanged";

/** Judges what a hook printed, or what a tool of the server answered, as the client would take it. */
export function judgeAnswer(text: string): Verdict {
  const trimmed = text.trim();
  if (trimmed === "") return "nothing";
  const answer = parseObject(trimmed);
  if (answer === undefined) {
    const inner = trimmed.slice(trimmed.indexOf("{"), trimmed.lastIndexOf("}") + 1);
    return parseObject(inner) === undefined ? "no_json" : "around_json";
  }
  const output = asObject(asObject(answer.hookSpecificOutput)?.updatedToolOutput);
  if (asObject(answer.hookSpecificOutput)?.hookEventName !== "PostToolUse") return "wrong_shape";
  if (output === undefined || typeof output.stdout !== "string") return "wrong_shape";
  const { stdout, ...rest } = RESULT;
  if (Object.entries(rest).some(([name, value]) => output[name] !== value)) return "wrong_shape";
  if (output.stdout === stdout) return "unchanged";
  const isCut = output.stdout.length < stdout.length && output.stdout.includes("[isthmos: ");
  return isCut && output.stdout.startsWith("sample line 1\n") ? "right" : "wrong_shape";
}

/** A private folder with rules of its own, so that log and store of the user stay as they are. */
export interface TrialHome {
  /** All of the environment for the program that is tried. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Of these, what keeps it here; nothing may come after them. */
  readonly own: Readonly<Record<string, string>>;
  remove(): void;
}

/** Makes it; throws the errno error where there is no room for it. */
export function makeTrialHome({ variables, cwd }: Env): TrialHome {
  const folder = mkdtempSync(join(tmpdir(), "isthmos-doctor-"));
  const rules = { mode: "live", rules: [{ tool: "Bash", max_lines: MAX_LINES }] };
  mkdirSync(join(folder, "state"), { mode: 0o700 });
  writeFileSync(join(folder, "rules.json"), JSON.stringify(rules), { mode: 0o600 });
  // What is set in this shell is not what the client's programs get.
  const others = Object.entries(variables).filter(([name]) => !name.startsWith("ISTHMOS_"));
  const own = {
    ISTHMOS_RULES: join(folder, "rules.json"),
    ISTHMOS_STATE_DIR: join(folder, "state"),
    ISTHMOS_KEY_FILE: join(folder, "store.key"),
  };
  return {
    own,
    variables: {
      ...Object.fromEntries(others),
      CLAUDECODE: "1",
      ...(cwd !== undefined && { CLAUDE_PROJECT_DIR: cwd }),
      ...own,
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The middle one of `values`, which are not empty. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
