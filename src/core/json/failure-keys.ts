// SPDX-License-Identifier: Apache-2.0
// Which members make an object a failing one: the table, as data (docs/formats.md lists it), and its look-up.
// Names are compared without regard to case, "_" and "-": exit_code, exitCode and EXIT-CODE are one name.

/** How a member's value is judged; `judge` in failures.ts does it. */
export type FailureTest = "present" | "false" | "true" | "status" | "level" | "exit" | "http" | "text";

export interface FailureKeys {
  readonly test: FailureTest;
  readonly keys: readonly string[];
  /** When a member of one of these names says that the object failed. */
  readonly meaning: string;
}

export const FAILURE_KEYS = [
  {
    test: "present",
    keys: [
      "error",
      "errors",
      "err",
      "exception",
      "exceptions",
      "failure",
      "failures",
      "failed",
      "fault",
      "traceback",
      "error_code",
      "error_count",
      "error_details",
      "error_message",
      "error_messages",
      "error_type",
      "failed_count",
      "failure_count",
      "failure_message",
      "failure_reason",
      "num_errors",
      "num_failures",
      "stack_trace",
    ],
    meaning: 'anything but null, false, zero, an empty value, or a word that says so ("none", "ok", "n/a")',
  },
  {
    test: "false",
    keys: ["success", "successful", "succeeded", "ok", "passed", "healthy"],
    meaning: "false",
  },
  {
    test: "true",
    keys: ["is_error", "has_error", "has_errors", "has_failed", "timed_out", "crashed", "oom_killed"],
    meaning: "true",
  },
  {
    test: "status",
    keys: ["status"],
    meaning: "a failing word, or an HTTP status of 500 to 599",
  },
  {
    test: "level",
    keys: [
      "state",
      "result",
      "outcome",
      "conclusion",
      "health",
      "phase",
      "reason",
      "verdict",
      "severity",
      "level",
      "log_level",
      "levelname",
    ],
    meaning: "a failing word; for level the numbers 50 (error) and 60 (fatal) of JSON loggers too",
  },
  {
    test: "exit",
    keys: ["exit_code", "exit_status", "return_code", "rc", "errno"],
    meaning: "a number other than 0",
  },
  {
    test: "http",
    keys: ["status_code", "http_status", "http_status_code", "http_code", "response_code"],
    meaning: "500 to 599",
  },
  {
    test: "text",
    keys: ["message", "msg", "log", "logs", "build_log", "output", "stdout", "stderr", "stack"],
    meaning: "a text with a failing line, judged as lines of any text are",
  },
] as const satisfies readonly FailureKeys[];

/** Whole values of a status that say failure, lower case. */
export const FAILURE_WORDS: ReadonlySet<string> = new Set([
  "abort",
  "aborted",
  "alert",
  "backoff",
  "broken",
  "canceled",
  "cancelled",
  "critical",
  "dead",
  "degraded",
  "down",
  "emerg",
  "emergency",
  "err",
  "errimagepull",
  "evicted",
  "exception",
  "fail",
  "failing",
  "fails",
  "fatal",
  "imagepullbackoff",
  "invalidimagename",
  "killed",
  "nok",
  "not ok",
  "oomkilled",
  "panic",
  "timedout",
  "timeout",
  "timed_out",
  "timed out",
  "unhealthy",
  "unreachable",
]);

/** Parts of a value that say failure wherever they stand in it: CREATE_FAILED, FailedMount, CrashLoopBackOff. */
export const FAILURE_PARTS = ["failed", "failure", "error", "crash", "fatal", "panic"] as const;

/** Beginnings that turn such a part round, and whole words of "nothing failed". */
export const NEGATIONS = ["no ", "no_", "non-", "0 ", "without", "not failed"] as const;
export const NO_FAILURE: ReadonlySet<string> = new Set([
  "",
  "0",
  "false",
  "n/a",
  "na",
  "nil",
  "no",
  "no error",
  "no errors",
  "none",
  "null",
  "ok",
  "success",
  "undefined",
  "-",
]);

let tests: ReadonlyMap<string, FailureTest> | undefined;

/** Built on first use: a call that cuts nothing never needs it. */
function testsByName(): ReadonlyMap<string, FailureTest> {
  tests ??= new Map(
    FAILURE_KEYS.flatMap(({ test, keys }) => keys.map((key): [string, FailureTest] => [plain(key), test])),
  );
  return tests;
}
/** Longer names are in no table. */
const NAME_MAX = 32;

/** How the value of a member of this name is judged, or undefined if the name says nothing about failure. */
export function failureTest(name: string): FailureTest | undefined {
  return name.length > NAME_MAX ? undefined : testsByName().get(plain(name));
}

function plain(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}
