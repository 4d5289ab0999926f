// SPDX-License-Identifier: Apache-2.0
// What the wired hooks leave out, or do twice.
import { matchersOverlap } from "../../hosts/claude-code/matcher.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { cleanName } from "../../report.ts";
import type { Add } from "./finding.ts";
import { BUILT_IN_TOOLS } from "./tool-names.ts";

/** The next step where hooks are missing. */
export const WIRING_GUIDE = "run isthmos init, or see docs/integrations.md";
/** Every way in which the client begins or takes up a session: the matcher of SessionStart. */
const SESSION_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;

/** On any other event a hook with a condition never runs. */
const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure"]);

/** Hooks that the client starts for some calls only, or for none. */
export function addConditions(ours: readonly WiredHook[], add: Add): void {
  const seen = new Set<string>();
  for (const { event, condition } of ours) {
    const key = JSON.stringify([event, condition]);
    if (condition === undefined || seen.has(key)) continue;
    seen.add(key);
    const words = `the hook on ${cleanName(event)} runs only if ${cleanName(condition)}`;
    if (TOOL_EVENTS.has(event)) {
      const hint = 'remove "if" from it, unless that is meant: rules say which results are cut';
      add("warning", `${words}: all else stays as it is`, hint);
    } else add("warning", `${words}: never, as that event is not of one tool`, 'remove "if" from it');
  }
}

/** Commands that are spelled the same are run once by the client. */
export function addDoubles(hooks: readonly WiredHook[], add: Add): void {
  const doubles = hooks.flatMap((one, i) =>
    hooks
      .slice(i + 1)
      .filter(
        (other) => one.target !== other.target && matchersOverlap(one.matcher, other.matcher, BUILT_IN_TOOLS),
      )
      .map((other) => one.type !== other.type),
  );
  if (doubles.includes(true)) {
    const message =
      "both routes are wired for the same tool, the command and the server: each result is treated twice";
    add("warning", message, "run isthmos init, which keeps one of them");
  } else if (doubles.length > 0) {
    add(
      "warning",
      "two commands of isthmos run for the same tool",
      "run isthmos init, or remove one of them",
    );
  }
}

/** Events that no hook of ours is wired for, and what that costs. */
export function addMissing(ours: readonly WiredHook[], add: Add): void {
  const ofEvent = (event: string) => ours.filter((hook) => hook.event === event);
  const [batch, start] = [ofEvent("PostToolBatch"), ofEvent("SessionStart")];
  const missing = [batch, start].flatMap((hooks, i) =>
    hooks.length === 0 ? [["PostToolBatch", "SessionStart"][i]] : [],
  );
  if (missing.length > 0) {
    const effect = batch.length === 0 ? "no references, and sizes are estimated" : "no references";
    add("warning", `no hook on ${missing.join(" and ")}: ${effect}`, WIRING_GUIDE);
  }
  const deaf = SESSION_SOURCES.filter(
    (source) => !start.some(({ matcher }) => matchersOverlap(matcher, source, [source])),
  );
  if (start.length > 0 && deaf.length > 0) {
    const message = `the SessionStart hook does not fire for ${deaf.join(", ")}: references may outlive what they refer to`;
    add("warning", message, "remove its matcher");
  }
  if (ofEvent("PostToolUseFailure").length === 0) {
    add("note", "no hook on PostToolUseFailure: failed calls, which no hook can rewrite, are not measured");
  }
}
