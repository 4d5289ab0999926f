// SPDX-License-Identifier: Apache-2.0
// How the client's settings files wire hooks: ours, and others that may overwrite ours. For `doctor`; reads
// texts it is given, opens nothing, and takes every value as unknown until it is checked.
import type { ParseError } from "jsonc-parser";
import { isHookCall, runsHook } from "./hook-command.ts";
import { isValidMatcher, matchersOverlap } from "./matcher.ts";

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
  readonly type: string;
  /** The command line, server and tool, or address, as written. */
  readonly target: string;
  /** In exec form (a command with `args`): the program as written, which no shell expands. */
  readonly program?: string;
  /** Seconds; left out: the client's default. */
  readonly timeout?: number;
  /** The client does not wait for it, so it changes nothing. */
  readonly async: boolean;
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
  /** Files that say `disableAllHooks`. */
  readonly disabledBy: readonly SettingsFile[];
  /** `ISTHMOS_…` in a file's `env`. */
  readonly variables: readonly WiredVariable[];
  readonly problems: readonly SettingsProblem[];
}

/** Tools on which two matchers are compared. */
const COMMON_TOOLS: readonly string[] =
  "Agent Bash Edit Glob Grep NotebookEdit Read Task TodoWrite WebFetch WebSearch Write mcp__server__tool".split(
    " ",
  );

/** Hook types whose answer can replace a result. */
const REWRITING_TYPES: ReadonlySet<string> = new Set(["command", "http", "mcp_tool"]);

interface Reader {
  readonly file: SettingsFile;
  readonly hooks: { hook: WiredHook; isOurs: boolean }[];
  readonly variables: WiredVariable[];
  readonly problems: SettingsProblem[];
}

/** What `files` wire, in their order. Never throws; what cannot be read is a problem. */
export function findWiring(files: readonly SettingsFile[]): Wiring {
  const readers = files.map((file): Reader => ({ file, hooks: [], variables: [], problems: [] }));
  const disabledBy = readers.filter(readFile).map((reader) => reader.file);
  const hooks = readers.flatMap((reader) => reader.hooks);
  const ours = hooks.filter(({ isOurs }) => isOurs).map(({ hook }) => hook);
  const matchers = ours.filter(isResultHook).map((hook) => hook.matcher);
  const rivals = hooks
    .filter(
      ({ hook, isOurs }) => !isOurs && isResultHook(hook) && !hook.async && REWRITING_TYPES.has(hook.type),
    )
    .map(({ hook }) => hook)
    .filter((hook) => matchers.some((matcher) => matchersOverlap(matcher, hook.matcher, COMMON_TOOLS)));
  return {
    ours,
    rivals,
    disabledBy,
    variables: readers.flatMap((reader) => reader.variables),
    problems: readers.flatMap((reader) => reader.problems),
  };
}

function isResultHook(hook: WiredHook): boolean {
  return hook.event === "PostToolUse";
}

/** Reads one file into its reader; true if the file turns all hooks off. */
function readFile(reader: Reader): boolean {
  const root = parseSettings(reader);
  if (root === undefined) return false;
  const { hooks, disableAllHooks, env } = root;
  if (isRecord(env)) {
    for (const [name, value] of Object.entries(env)) {
      if (!name.startsWith("ISTHMOS_")) continue;
      reader.variables.push({ path: reader.file.path, name, value: String(value) });
    }
  }
  if (hooks !== undefined) {
    if (isRecord(hooks)) {
      for (const [event, groups] of Object.entries(hooks)) readEvent(reader, event, groups);
    } else complain(reader, "hooks must be an object");
  }
  return disableAllHooks === true;
}

function parseSettings(reader: Reader): Record<string, unknown> | undefined {
  const text = reader.file.text.replace(/^\uFEFF/, "");
  if (text.trim() === "") return undefined;
  const parsed = parseJson(text);
  if ("error" in parsed) complain(reader, parsed.error);
  else if (!isRecord(parsed.value)) complain(reader, "the settings must be an object");
  else return parsed.value;
  return undefined;
}

function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Comments and trailing commas need the parser that knows them; plain files do without it.
    const { parse } = require("jsonc-parser") as typeof import("jsonc-parser");
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    return first === undefined ? { value } : { error: `not JSON at line ${lineOf(text, first.offset)}` };
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function readEvent(reader: Reader, event: string, groups: unknown): void {
  if (!Array.isArray(groups)) {
    complain(reader, `hooks.${event} must be a list`);
    return;
  }
  for (const group of groups) {
    if (!isRecord(group) || !Array.isArray(group.hooks)) {
      complain(reader, `hooks.${event}: an entry has no list of hooks`);
      continue;
    }
    const { matcher } = group;
    if (matcher !== undefined && typeof matcher !== "string") {
      complain(reader, `hooks.${event}: a matcher must be a string`);
      continue;
    }
    if (matcher !== undefined && !isValidMatcher(matcher)) {
      complain(
        reader,
        `hooks.${event}: matcher ${JSON.stringify(matcher)} is no regular expression and never fires`,
      );
    }
    for (const hook of group.hooks) {
      if (isRecord(hook)) readHook(reader, event, matcher, hook);
      else complain(reader, `hooks.${event}: a hook must be an object`);
    }
  }
}

function readHook(
  reader: Reader,
  event: string,
  matcher: string | undefined,
  hook: Record<string, unknown>,
): void {
  const { scope, path } = reader.file;
  const { type, target, program, isOurs } = describeHook(hook);
  reader.hooks.push({
    isOurs,
    hook: {
      scope,
      path,
      event,
      ...(matcher !== undefined && { matcher }),
      type,
      target,
      ...(program !== undefined && { program }),
      ...(typeof hook.timeout === "number" && { timeout: hook.timeout }),
      async: hook.async === true || hook.asyncRewake === true,
    },
  });
}

interface HookWords {
  readonly type: string;
  readonly target: string;
  readonly program?: string;
  readonly isOurs: boolean;
}

function describeHook(hook: Record<string, unknown>): HookWords {
  const type = asText(hook.type);
  if (type === "mcp_tool") {
    const server = asText(hook.server);
    // A plugin's server is called plugin:<plugin>:<server>.
    const isOurs = server === "isthmos" || /^plugin:.*:isthmos$/.test(server);
    return { type, target: `${server} ${asText(hook.tool)}`.trim(), isOurs };
  }
  if (type !== "command") return { type, target: asText(hook.url), isOurs: false };
  const command = asText(hook.command);
  if (!Array.isArray(hook.args)) return { type, target: command, isOurs: runsHook(command) };
  const args = hook.args.map(asText);
  const isOurs = isHookCall(command, args);
  return { type, target: [command, ...args].join(" "), program: command, isOurs };
}

function complain(reader: Reader, message: string): void {
  const { scope, path } = reader.file;
  reader.problems.push({ scope, path, message });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
