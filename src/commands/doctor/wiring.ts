// SPDX-License-Identifier: Apache-2.0
// Is the client told to run isthmos, for the events it needs, and is nothing in its way? Judged from the settings
// files; what a plugin wires shows only in its name there and in the calls that arrive.
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { installers } from "../../install/installers.ts";
import { readRecord } from "../../install/record.ts";
import { formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import { type Add, type Finding, RECENT_WORDS } from "./finding.ts";
import { explainHookProgram, explainSearch } from "./hook-program.ts";
import { findVariables } from "./try-command.ts";
import { addConditions, addDoubles, addMissing, WIRING_GUIDE } from "./wiring-gaps.ts";

/** Everything about the hooks in the client's settings files. */
export function checkWiring(facts: Facts): Finding[] {
  const { wired, show } = facts;
  const findings: Finding[] = [];
  const add: Add = (level, message, hint) =>
    findings.push({ check: "hook", level, message, ...(hint !== undefined && { hint }) });

  if (wired.ours.length === 0) addUnwired(facts, add);
  else addWired(facts, add);
  for (const { path } of wired.unread) {
    const message = `${show(path)} has comments or a trailing comma: Claude Code reads nothing of it and runs none of its hooks`;
    add("broken", message, "take them out of that file");
  }
  for (const { path } of wired.disabledBy) {
    add("broken", `disableAllHooks in ${show(path)} turns every hook off`, "remove it from that file");
  }
  for (const { path } of wired.reservedBy.filter(() => wired.ours.some(({ scope }) => scope !== "managed"))) {
    const message = `allowManagedHooksOnly in ${show(path)} turns off every hook that is not the administrator's`;
    add("broken", message, "ask the administrator to allow or to wire isthmos");
  }
  addPlugins(facts, add);
  for (const { path, message } of wired.problems) add("warning", `${show(path)}: ${message}`);
  for (const { path, target, matcher = "*" } of wired.rivals) {
    const which = `${cleanName(target)} (${cleanName(matcher)}, ${show(path)})`;
    const message = `another PostToolUse hook for the same tools: ${which}; if it rewrites too, the last to finish wins`;
    add("warning", message, "let only one of the two rewrite a tool's results: narrow a matcher");
  }
  return findings;
}

function addUnwired({ wired, traffic, env, show }: Facts, add: Add): void {
  if (!wired.isInstalled) {
    add("note", `Claude Code is not set up here: no ${show(env.claudeDir.value)}`);
  } else if (wired.plugins.length > 0) {
    // Said where plugins are.
    return;
  } else if (traffic.recentCalls > 0) {
    const calls = formatCount(traffic.recentCalls, "call");
    const message = `no hook in the settings of user or this folder, yet ${calls} came within ${RECENT_WORDS}: wired by a plugin, an administrator or in another project`;
    add("warning", message, "if it is to work in this folder, ask /hooks in Claude Code");
  } else {
    const others = findOtherAgents(env.stateDir.value);
    if (others === "") add("broken", "not wired: no settings file runs isthmos", WIRING_GUIDE);
    else add("note", `Claude Code is not wired; by isthmos init these are: ${others}`);
  }
}

/** Titles of the agents that `init` wired beside this one. */
function findOtherAgents(stateDir: string): string {
  const names = new Set(readRecord(stateDir).wired.map(({ agent }) => agent));
  const others = installers.filter(({ name }) => name !== "claude-code" && names.has(name));
  return others.map(({ title }) => title).join(", ");
}

function addWired(facts: Facts, add: Add): void {
  const { wired, setup, show } = facts;
  const { ours } = wired;
  for (const path of new Set(ours.map((hook) => hook.path))) {
    add("ok", `${show(path)}: ${describeEvents(ours.filter((hook) => hook.path === path))}`);
  }
  const ofEvent = (event: string) => ours.filter((hook) => hook.event === event);
  const onResults = ofEvent("PostToolUse");
  if (onResults.length === 0) {
    add("broken", "no hook on PostToolUse: no result is ever made smaller", WIRING_GUIDE);
  } else if (setup.mode === "live" && onResults.every((hook) => hook.async)) {
    const message = "the PostToolUse hook is async: the client does not wait for its answer";
    add("broken", message, 'remove "async" from it, or set "mode" to "shadow"');
  }
  addDoubles(onResults, add);
  addConditions(ours, add);
  for (const problem of new Set(ours.flatMap((hook) => explainHookProgram(hook, facts) ?? []))) {
    add("broken", problem, "run isthmos init, which writes the right path, or put the program there");
  }
  for (const problem of new Set(ours.flatMap((hook) => explainSearch(hook, facts) ?? []))) {
    add("warning", problem, "run isthmos init, which writes the whole path");
  }
  for (const variable of new Set(ours.flatMap(findVariables))) {
    add("note", `the wired command sets ${variable}; doctor runs without it`);
  }
  for (const { path, name, value } of wired.variables) addVariable(`${show(path)} sets`, name, value, add);
  addMissing(ours, add);
}

function addVariable(where: string, name: string, value: string, add: Add): void {
  const isOff = name === "ISTHMOS_DISABLE" && value !== "" && value !== "0" && value !== "false";
  if (isOff)
    add("warning", `${where} ${name} for the client: nothing is changed or measured`, "remove it there");
  else add("note", `${where} ${cleanName(name)} for the client; doctor runs without it`);
}

function describeEvents(hooks: readonly WiredHook[]): string {
  const words = hooks.map(({ event, matcher }) => {
    return event === "PostToolUse" ? `${event} (${cleanName(matcher ?? "*")})` : cleanName(event);
  });
  return [...new Set(words)].join(", ");
}

function addPlugins({ wired, show }: Facts, add: Add): void {
  for (const { path, name } of wired.plugins) {
    const words = `the plugin ${cleanName(name)}, enabled in ${show(path)}, wires isthmos`;
    if (wired.ours.length === 0) add("ok", words);
    else {
      const hint = "run isthmos uninstall, or disable the plugin: one of the two is enough";
      add("warning", `${words}, and so do the settings: each result is treated twice`, hint);
    }
  }
}
