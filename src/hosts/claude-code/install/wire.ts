// SPDX-License-Identifier: Apache-2.0
// Hooks into the text of a settings file, and out of it. Entries of ours that are right stay as they stand, a
// time-out of the user's own among them; entries that are not are taken out; what is missing goes to the end.
import type { Path } from "../../../core/rules/source.ts";
import { isRecord, JsoncError, nodeAt, parseText, problemAt, toValue } from "../../../jsonc/document.ts";
import { appendAt, removeAt, setAt, splitMark, withoutMark } from "../../../jsonc/edit.ts";
import { hasComment, tidyEmptied } from "../../../jsonc/emptied.ts";
import type { Program } from "../../installer.ts";
import { DENIED_TOOL, type Group } from "./hooks.ts";
import { isOurHook } from "./ours.ts";

const DENY: Path = ["permissions", "deny"];

/** A variable set in front of a command: quoted as a shell has it. */
const ASSIGNMENT = /(?<![^\s;&|({])[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s;&|()"'])*/g;

/** A hook of ours with variables of its own. */
export interface SetVariables {
  /** The event, and the matcher where there is one. */
  readonly on: string;
  readonly command: string;
  /** As they are set: `NAME=value`. */
  readonly variables: readonly string[];
}

interface OurHook {
  readonly event: string;
  readonly group: number;
  readonly hook: number;
  readonly matcher: unknown;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The matchers of our hooks for an event in a settings file, as they stand; undefined: a hook without one. */
export function findMatchers(
  text: string | undefined,
  event: string,
  self: Program,
): readonly (string | undefined)[] {
  return findOurs(splitMark(text ?? "").body, self)
    .filter((ours) => ours.event === event)
    .map(({ matcher }) => (typeof matcher === "string" ? matcher : undefined));
}

/** Our hooks in a settings file whose command sets variables: what a hook in their place would not do. */
export function findVariables(text: string | undefined, self: Program): readonly SetVariables[] {
  return findOurs(splitMark(text ?? "").body, self).flatMap(({ event, matcher, value }) => {
    const command = typeof value.command === "string" && value.args === undefined ? value.command : "";
    const variables = [...command.matchAll(ASSIGNMENT)].map(([word]) => word);
    const on = typeof matcher === "string" && matcher !== "" ? `${event} ${matcher}` : event;
    return variables.length === 0 ? [] : [{ on, command, variables }];
  });
}

/** How our hooks on results are wired in a settings file; undefined where they are not, or the file cannot be read. */
export function findRoute(text: string | undefined, self: Program): "resident" | "command" | undefined {
  try {
    const { body } = splitMark(text ?? "");
    const ours = findOurs(body, self).find(({ event }) => event === "PostToolUse");
    return ours && (ours.value.type === "mcp_tool" ? "resident" : "command");
  } catch (error) {
    if (error instanceof JsoncError) return undefined;
    throw error;
  }
}

/** The settings with `groups` wired; the same text if they are already. */
export function wireHooks(
  text: string | undefined,
  groups: ReadonlyMap<string, Group>,
  self: Program,
): string {
  return withoutMark(text ?? "", (given) => {
    let body = startText(given);
    const wired = new Set<string>();
    const wrong = findOurs(body, self).filter((ours) => {
      const group = groups.get(ours.event);
      const isRight = group !== undefined && !wired.has(ours.event) && isSame(ours, group);
      if (isRight) wired.add(ours.event);
      return !isRight;
    });
    body = takeOut(body, wrong);
    for (const [event, group] of groups) {
      if (!wired.has(event)) body = addItem(body, ["hooks", event], group);
    }
    if (!readList(body, DENY).includes(DENIED_TOOL)) body = addItem(body, DENY, DENIED_TOOL);
    parseText(body);
    return body;
  });
}

/**
 * The settings without anything of ours. Containers that this leaves empty go too where `before`, the settings as they
 * were before ours came, tells that they were not there. A denied tool of the user's own stays.
 */
export function unwireHooks(text: string, before: string | undefined, self: Program): string {
  return withoutMark(text, (given) => {
    const was = before === undefined ? undefined : splitMark(before).body;
    const ours = findOurs(given, self);
    let body = takeOut(given, ours);
    if (ours.length > 0) {
      const events = [...new Set(ours.map(({ event }) => event))];
      body = tidyEmptied(body, [...events.map((event): Path => ["hooks", event]), ["hooks"]], was);
    }
    const denied = readList(body, DENY).indexOf(DENIED_TOOL);
    if (denied >= 0 && (was === undefined || !readList(was, DENY).includes(DENIED_TOOL))) {
      body = tidyEmptied(removeAt(body, [...DENY, denied]), [DENY, ["permissions"]], was);
    }
    parseText(body);
    return body;
  });
}

function takeOut(text: string, ours: readonly OurHook[]): string {
  let body = text;
  // From the last to the first, so that the places of those to come stay true.
  for (const { event, group, hook } of ours.toReversed()) {
    const path = ["hooks", event, group] as const;
    body = removeAt(body, [...path, "hooks", hook]);
    const node = nodeAt(body, parseText(body), path);
    // A group of no hooks does nothing; a comment in it is the user's.
    const isSpare = node !== undefined && !hasComment(body.slice(node.offset, node.offset + node.length));
    if (isSpare && readList(body, [...path, "hooks"]).length === 0) body = removeAt(body, path);
  }
  return body;
}

function addItem(text: string, path: Path, item: unknown): string {
  const isThere = nodeAt(text, parseText(text), path) !== undefined;
  return isThere ? appendAt(text, path, item) : setAt(text, path, [item]);
}

// An empty file, or one of comments only, becomes one with an empty object.
function startText(text: string): string {
  const root = parseText(text);
  if (root !== undefined) {
    if (root.type !== "object") throw problemAt(text, root.offset, "the settings must be an object");
    return text;
  }
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  if (text.trim() === "") return `{}${eol}`;
  return `${text}${/\n\s*$/.test(text) ? "" : eol}{}${eol}`;
}

function findOurs(text: string, self: Program): OurHook[] {
  const root = parseText(text);
  const hooks = nodeAt(text, root, ["hooks"]);
  if (hooks === undefined) return [];
  if (hooks.type !== "object") throw problemAt(text, hooks.offset, "hooks must be an object");
  const found: OurHook[] = [];
  for (const { children: [key, list] = [] } of hooks.children ?? []) {
    const event = String(key?.value);
    // Also refuses an event that stands twice: the client would read only one of them.
    if (list === undefined || nodeAt(text, root, ["hooks", event])?.type !== "array") {
      throw problemAt(text, hooks.offset, `hooks.${event} must be a list`);
    }
    (list.children ?? []).forEach((node, group) => {
      const value = toValue(node);
      // What the client cannot read is the user's to mend; it holds nothing of ours.
      if (!isRecord(value) || !Array.isArray(value.hooks)) return;
      value.hooks.forEach((one: unknown, hook) => {
        if (isRecord(one) && isOurHook(one, self))
          found.push({ event, group, hook, matcher: value.matcher, value: one });
      });
    });
  }
  return found;
}

/** The strings of a list; none where there is no list. Throws where something else stands. */
function readList(text: string, path: Path): readonly unknown[] {
  const value = toValue(nodeAt(text, parseText(text), path));
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new JsoncError(`${path.join(".")} must be a list`);
  return value;
}

function isSame({ value, matcher }: OurHook, { matcher: wanted, hooks: [hook] }: Group): boolean {
  const { timeout, ...rest } = value;
  const { timeout: _, ...wantedRest } = hook ?? {};
  return matcher === wanted && typeof timeout === "number" && sortedJson(rest) === sortedJson(wantedRest);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
