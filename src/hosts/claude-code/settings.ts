// SPDX-License-Identifier: Apache-2.0
// How the client's settings files wire hooks: ours, and others that may overwrite ours. For `doctor`; reads
// texts it is given, opens nothing, and takes every value as unknown until it is checked.
import { isHookCall, runsHook } from "./hook-command.ts";
import { isValidMatcher, matchersOverlap } from "./matcher.ts";
import { readServerPolicy } from "./server-policy.ts";
import { isRecord, isUnreadByClient, parseSettings } from "./settings-text.ts";
import type { SettingsFile, SettingsProblem, WiredHook, WiredVariable, Wiring } from "./wiring.ts";

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
  /** The words of this very program, which is ours under any name. */
  readonly self: readonly string[];
  /** The file's own object; undefined where it holds none. */
  root?: Record<string, unknown>;
}

/**
 * What `files` wire, in their order. Never throws; what cannot be read is a problem. `self`: the words that start this
 * program, which is ours under any name.
 */
export function findWiring(files: readonly SettingsFile[], self: readonly string[] = []): Wiring {
  const readers = files.map((file): Reader => ({ file, self, hooks: [], variables: [], problems: [] }));
  for (const reader of readers) readFile(reader);
  const filesThatSay = (name: string) =>
    readers.filter(({ root }) => root?.[name] === true).map(({ file }) => file);
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
    unread: files.filter(({ text }) => isUnreadByClient(text)),
    disabledBy: filesThatSay("disableAllHooks"),
    reservedBy: filesThatSay("allowManagedHooksOnly"),
    plugins: readers.flatMap(({ file, root }) =>
      findPlugins(root).map((name) => ({ path: file.path, name })),
    ),
    denied: new Set(readers.flatMap(({ root }) => textsIn(recordIn(root, "permissions"), "deny"))),
    servers: readServerPolicy(readers.map(({ root }) => root ?? {})),
    variables: readers.flatMap((reader) => reader.variables),
    problems: readers.flatMap((reader) => reader.problems),
  };
}

function isResultHook(hook: WiredHook): boolean {
  return hook.event === "PostToolUse";
}

/** Reads one file into its reader. */
function readFile(reader: Reader): void {
  const root = parseSettings(reader.file.text);
  if (root === undefined) return;
  if (typeof root === "string") {
    complain(reader, root);
    return;
  }
  reader.root = root;
  const { hooks, env } = root;
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
}

function findPlugins(root: Record<string, unknown> | undefined): string[] {
  const enabled = Object.entries(recordIn(root, "enabledPlugins") ?? {});
  return enabled
    .filter(([name, on]) => on === true && name.split("@")[0] === "isthmos")
    .map(([name]) => name);
}

function recordIn(root: Record<string, unknown> | undefined, name: string) {
  const value = root?.[name];
  return isRecord(value) ? value : undefined;
}

function textsIn(root: Record<string, unknown> | undefined, name: string): string[] {
  const value = root?.[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
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
  const { isOurs, ...words } = describeHook(hook, reader.self);
  reader.hooks.push({
    isOurs,
    hook: {
      scope,
      path,
      event,
      ...(matcher !== undefined && { matcher }),
      ...(typeof hook.if === "string" && hook.if !== "" && { condition: hook.if }),
      ...words,
      ...(typeof hook.timeout === "number" && { timeout: hook.timeout }),
      async: hook.async === true || hook.asyncRewake === true,
    },
  });
}

type HookWords = Pick<WiredHook, "type" | "target" | "program" | "args" | "call"> & { isOurs: boolean };

function describeHook(hook: Record<string, unknown>, self: readonly string[]): HookWords {
  const type = asText(hook.type);
  if (type === "mcp_tool") {
    const server = asText(hook.server);
    const tool = asText(hook.tool);
    // A plugin's server is called plugin:<plugin>:<server>.
    const isOurs = isOurServer(server);
    const input = isRecord(hook.input) ? hook.input : {};
    return { type, target: `${server} ${tool}`.trim(), call: { server, tool, input }, isOurs };
  }
  if (type !== "command") return { type, target: asText(hook.url), isOurs: false };
  const command = asText(hook.command);
  if (!Array.isArray(hook.args)) return { type, target: command, isOurs: runsHook(command) };
  const args = hook.args.map(asText);
  const isSelf = self.length > 0 && areSame([command, ...args], [...self, "hook"]);
  const isOurs = isSelf || isHookCall(command, args);
  return { type, target: [command, ...args].join(" "), program: command, args, isOurs };
}

function isOurServer(name: string): boolean {
  return name === "isthmos" || /^plugin:.*:isthmos$/.test(name);
}

function areSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, i) => word === others[i]);
}

function complain(reader: Reader, message: string): void {
  const { scope, path } = reader.file;
  reader.problems.push({ scope, path, message });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
