// SPDX-License-Identifier: Apache-2.0

/** What is fixed before anybody looks at a result: docs/ab.md says why. A change of any of it is a new version. */
export const PROTOCOL = {
  version: 1,
  /** Fewer tasks in pairs get no interval and no verdict. */
  minPairs: 10,
  resamples: 10_000,
  seed: "isthmos-ab-1",
  /** Of every interval. */
  confidence: 0.95,
  /** The one metric that the comparison is about. */
  primary: "all_input_tokens",
} as const;

/** What is counted of a run, in the order of the report. */
export const METRICS = [
  { name: "all_input_tokens", label: "all input tokens" },
  { name: "input_tokens", label: "input tokens, not cached" },
  { name: "cache_creation_tokens", label: "cache creation tokens" },
  { name: "cache_read_tokens", label: "cache read tokens" },
  { name: "output_tokens", label: "output tokens" },
  { name: "replies", label: "replies of the model" },
  { name: "tool_calls", label: "tool calls" },
  { name: "reruns", label: "re-runs" },
  { name: "failed_calls", label: "failed calls" },
  { name: "reveals", label: "reveals" },
  { name: "result_bytes", label: "tool result bytes" },
  { name: "reveal_bytes", label: "of them by reveals" },
] as const;

export type Metric = (typeof METRICS)[number]["name"];
export type Values = Readonly<Record<Metric, number>>;
