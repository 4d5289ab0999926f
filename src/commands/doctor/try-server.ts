// SPDX-License-Identifier: Apache-2.0
// Starts the MCP server as the client would and asks it what a hook asks: does it answer, how fast, does it end?
import { killGroup, startChild } from "../../child.ts";
import type { Env } from "../../env.ts";
import { errorCode } from "../../faults.ts";
import { expandVariables, type ServerEntry } from "../../hosts/claude-code/mcp-servers.ts";
import type { ServerCall, WiredHook } from "../../hosts/claude-code/wiring.ts";
import { monotonicMs } from "../../io.ts";
import { connect, type McpClient, type Reply } from "./mcp-client.ts";
import { judgeAnswer, median, SAMPLE_EVENT, type TrialHome, type Verdict } from "./sample.ts";

export interface ServerTrial {
  readonly entry: ServerEntry;
  readonly verdict: Verdict | "timeout" | "ended" | "not_started" | "no_message" | "refused" | "no_tool";
  /** What was asked last: where it went wrong. */
  readonly step: "start" | "initialize" | "tools/list" | "tools/call";
  /** An errno code, or the server's own words. */
  readonly reason?: string;
  /** The first line it wrote to stderr. */
  readonly stderr?: string;
  readonly version?: string;
  readonly tools?: readonly string[];
  /** The tool for hooks says that it is not for the model. */
  readonly isHidden?: boolean;
  /** Of one call, the median; of one that got no answer, how long it was waited for, ms. */
  readonly ms?: number;
  /** Whether it ended when its input did. */
  readonly hasEnded?: boolean;
}

/** After the end of its input, and of all trials where that comes first. */
const END_TIMEOUT_MS = 1000;
const END_GRACE_MS = 500;
const CALLS = 9;
/** A call that is given less may be late for the load of the machine alone. */
const CALL_MIN_MS = 1000;
const PROTOCOL = "2025-06-18";
/** What is asked where no hook says it. */
const DEFAULT_CALL: ServerCall = {
  server: "isthmos",
  tool: "compress",
  input: Object.fromEntries(
    ["hook_event_name", "session_id", "tool_use_id", "tool_name", "tool_input", "tool_response"].map(
      (name) => [name, `\${${name}}`],
    ),
  ),
};

/** Tries the server of `entry` with the call that `hook` makes, up to the monotonic time `endsAt`. Never rejects. */
export async function tryServer(
  entry: ServerEntry,
  hook: WiredHook | undefined,
  env: Env,
  home: TrialHome,
  endsAt: number,
): Promise<ServerTrial> {
  const fill = (text: string) => expandVariables(text, env.variables);
  let startError: unknown;
  const own = Object.fromEntries(Object.entries(entry.env).map(([name, value]) => [name, fill(value)]));
  const child = startChild(
    [fill(entry.command), ...entry.args.map(fill)],
    // What the trial sets comes last, so that nothing of the user's is written to.
    { cwd: env.cwd, env: { ...home.variables, ...own, ...home.own } },
    (error) => {
      startError = error;
    },
  );
  if (child === undefined) return notStarted(entry, startError);
  const client = connect(child);
  try {
    const trial = await ask(entry, hook?.call ?? DEFAULT_CALL, client, endsAt);
    const graceMs = Math.min(END_TIMEOUT_MS, endsAt + END_GRACE_MS - monotonicMs());
    // One that hangs does not end either.
    const hasEnded = trial.verdict === "timeout" ? undefined : await client.end(graceMs);
    if (startError !== undefined) return notStarted(entry, startError);
    const stderr = client
      .stderr()
      .split("\n")
      .find((line) => line.trim() !== "");
    return { ...trial, ...(hasEnded !== undefined && { hasEnded }), ...(stderr !== undefined && { stderr }) };
  } finally {
    killGroup(child);
  }
}

function notStarted(entry: ServerEntry, error: unknown): ServerTrial {
  const reason = errorCode(error) ?? "unknown error";
  return { entry, verdict: "not_started", step: "start", reason };
}

async function ask(
  entry: ServerEntry,
  call: ServerCall,
  client: McpClient,
  endsAt: number,
): Promise<ServerTrial> {
  const startedAt = monotonicMs();
  const leftMs = () => Math.max(1, endsAt - monotonicMs());
  const failed = (step: ServerTrial["step"], reply: Exclude<Reply, { readonly kind: "result" }>) =>
    reply.kind === "error"
      ? ({ entry, step, verdict: "refused", reason: reply.message } as const)
      : { entry, step, verdict: reply.kind, ms: monotonicMs() - startedAt };
  const clientInfo = { name: "isthmos-doctor", version: "1" };
  const hello = { protocolVersion: PROTOCOL, capabilities: {}, clientInfo };
  const begun = await client.request("initialize", hello, leftMs());
  if (begun.kind !== "result") return failed("initialize", begun);
  client.notify("notifications/initialized");
  const version = readPath(begun.result, ["serverInfo", "version"]);
  const seen = { entry, ...(typeof version === "string" && { version }) };

  const listed = await client.request("tools/list", {}, leftMs());
  if (listed.kind !== "result") return { ...seen, ...failed("tools/list", listed) };
  const tools = Array.isArray(listed.result.tools) ? listed.result.tools : [];
  const nameOf = (tool: unknown) => readPath(tool, ["name"]);
  const names = tools.map(nameOf).filter((name) => typeof name === "string");
  const visibility = readPath(
    tools.find((tool) => nameOf(tool) === call.tool),
    ["_meta", "ui", "visibility"],
  );
  const isHidden = Array.isArray(visibility) && !visibility.includes("model");
  const found = { ...seen, tools: names, isHidden };
  if (!names.includes(call.tool)) return { ...found, verdict: "no_tool", step: "tools/list" };

  const params = { name: call.tool, arguments: fillInput(call.input) };
  const times: number[] = [];
  // The first call may find the server still warming; those after it are for the time, and leave off where it is short.
  while (times.length < CALLS && (times.length === 0 || leftMs() > CALL_MIN_MS)) {
    const askedAt = monotonicMs();
    const reply = await client.request("tools/call", params, leftMs());
    times.push(monotonicMs() - askedAt);
    if (reply.kind !== "result") return { ...found, ...failed("tools/call", reply) };
    const verdict = judgeResult(reply.result);
    if (verdict !== "right") return { ...found, verdict, step: "tools/call" };
  }
  return { ...found, verdict: "right", step: "tools/call", ms: median(times) };
}

/** The client takes one text, as a command's output. */
function judgeResult({ content, isError }: Readonly<Record<string, unknown>>): Verdict {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => readPath(block, ["text"])).filter((text) => typeof text === "string");
  return isError === true ? "wrong_shape" : judgeAnswer(texts.join("\n"));
}

/** The arguments of a hook's call with the sample filled in: a text as it is, anything else as JSON, a missing one empty. */
export function fillInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fill = (text: string) =>
    text.replace(/\$\{([^{}]{1,200})\}/g, (_, path: string) => {
      const value = readPath(SAMPLE_EVENT, path.split("."));
      if (value === undefined) return "";
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? fill(value) : value]),
  );
}

function readPath(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(name);
  }
  return at;
}
