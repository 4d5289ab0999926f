// SPDX-License-Identifier: Apache-2.0
// What the client's settings files wire, as `findWiring` reads it out of them.

import type { ServerPolicy } from "./server-policy.ts";

/** A settings file (or a plugin's hooks.json), by the scope in which the client reads it: user, project, local, … */
export interface SettingsFile {
  readonly scope: string;
  readonly path: string;
  readonly text: string;
}

/** One hook of one event. */
export interface WiredHook {
  readonly scope: string;
  readonly path: string;
  readonly event: string;
  /** Left out: all tools. */
  readonly matcher?: string;
  /** A permission rule (`if`): the client starts the hook only for calls that it names. */
  readonly condition?: string;
  readonly type: string;
  /** The command line, server and tool, or address, as written. */
  readonly target: string;
  /** In exec form (a command with `args`): the program as written, which no shell expands. */
  readonly program?: string;
  /** In exec form: what the program is given. */
  readonly args?: readonly string[];
  /** Of an `mcp_tool` hook: which tool of which server, and the arguments as they are filled in. */
  readonly call?: ServerCall;
  /** Seconds; left out: the client's default. */
  readonly timeout?: number;
  /** The client does not wait for it, so it changes nothing. */
  readonly async: boolean;
}

export interface ServerCall {
  readonly server: string;
  readonly tool: string;
  /** Values may hold `${path}` into the event. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A variable of ours that the client hands on to its hooks. */
export interface WiredVariable {
  readonly path: string;
  readonly name: string;
  readonly value: string;
}

export interface SettingsProblem {
  readonly scope: string;
  readonly path: string;
  readonly message: string;
}

export interface Wiring {
  /** Hooks that run isthmos: `isthmos hook`, or a tool of its MCP server. */
  readonly ours: readonly WiredHook[];
  /** Other PostToolUse hooks that get a tool of ours and may answer: the last to finish wins. */
  readonly rivals: readonly WiredHook[];
  /** Files that the client does not read, for their comments or trailing commas. */
  readonly unread: readonly SettingsFile[];
  /** Files that say `disableAllHooks`. */
  readonly disabledBy: readonly SettingsFile[];
  /** Files of an administrator that let only an administrator's hooks run. */
  readonly reservedBy: readonly SettingsFile[];
  /** Plugins of ours that a file enables, as `name@marketplace`. */
  readonly plugins: readonly { readonly path: string; readonly name: string }[];
  /** What `permissions.deny` holds, of all files. */
  readonly denied: ReadonlySet<string>;
  /** What the files let run of MCP servers. */
  readonly servers: ServerPolicy;
  /** `ISTHMOS_…` in a file's `env`. */
  readonly variables: readonly WiredVariable[];
  readonly problems: readonly SettingsProblem[];
}
