// SPDX-License-Identifier: Apache-2.0
// The hooks that wire isthmos, as values of the client's settings.
import type { FoundClient, Program } from "../../installer.ts";
import { isAtLeast } from "./client-version.ts";
import { quoteCommand } from "./quote.ts";

/** A group of an event's list: hooks of one matcher. */
export interface Group {
  readonly matcher?: string;
  readonly hooks: readonly Readonly<Record<string, unknown>>[];
}

/** The tools whose results are worth a look, and not our own server's, whichever way it was added. */
export const DEFAULT_MATCHER =
  "^(?!mcp__(plugin_isthmos_)?isthmos__)(Read|Bash|WebFetch|WebSearch|Grep|Glob|mcp__.*)$";

/** What the model may not call: the tool that only hooks call. Older clients show it otherwise. */
export const DENIED_TOOL = "mcp__isthmos__compress";

/** The name under which the client knows our server. */
export const SERVER_NAME = "isthmos";

/** Seconds: five times our own budget, for slow disks; without one the client waits for ten minutes. */
const TIMEOUT_S = 10;

/** The oldest client in which commands with `args` and hooks of type `mcp_tool` were seen to work. */
const OLDEST_SEEN = "2.1.197";

const TOOL_FIELDS = ["session_id", "agent_id", "tool_use_id", "tool_name", "tool_input"] as const;

/** The event's fields that the server needs, by event. SessionStart is not among them: the server may not run yet. */
const RESIDENT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["PostToolUse", [...TOOL_FIELDS, "tool_response"]],
  ["PostToolUseFailure", [...TOOL_FIELDS, "error"]],
  ["PostToolBatch", ["session_id", "agent_id", "tool_calls"]],
  ["PreCompact", ["session_id", "trigger"]],
  ["PostCompact", ["session_id", "trigger"]],
]);

const EVENTS = [...RESIDENT_FIELDS.keys(), "SessionStart"] as const;
const TOOL_EVENTS: ReadonlySet<string> = new Set(["PostToolUse", "PostToolUseFailure"]);

/** True if the client is known to have hooks that ask a server. */
export function hasResidentRoute(client: FoundClient | undefined): boolean {
  return client?.version !== undefined && isAtLeast(client.version, OLDEST_SEEN);
}

/** What each event's list must hold, by event. */
export function wantedGroups(
  route: "resident" | "command",
  matcher: string,
  program: Program,
  client: FoundClient | undefined,
): ReadonlyMap<string, Group> {
  return new Map(
    EVENTS.map((event): [string, Group] => {
      const fields = route === "resident" ? RESIDENT_FIELDS.get(event) : undefined;
      const hook = fields === undefined ? commandHook(event, program, client) : residentHook(fields);
      return [event, { ...(TOOL_EVENTS.has(event) && { matcher }), hooks: [hook] }];
    }),
  );
}

function residentHook(fields: readonly string[]): Record<string, unknown> {
  const input = Object.fromEntries(["hook_event_name", ...fields].map((field) => [field, `\${${field}}`]));
  return { type: "mcp_tool", server: SERVER_NAME, tool: "compress", timeout: TIMEOUT_S, input };
}

function commandHook(
  event: string,
  [file, ...args]: Program,
  client: FoundClient | undefined,
): Record<string, unknown> {
  // Without a version nothing speaks against the form that needs no shell.
  const isOld = client?.version !== undefined && !isAtLeast(client.version, OLDEST_SEEN);
  const words = [...args, "hook"];
  return {
    type: "command",
    ...(isOld ? { command: quoteCommand([file, ...words]) } : { command: file, args: words }),
    timeout: TIMEOUT_S,
    // It only reports: nobody need wait for it.
    ...(event === "PostToolBatch" && { async: true }),
  };
}
