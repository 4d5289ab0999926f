// SPDX-License-Identifier: Apache-2.0
// Does the client start the server that the hooks ask? By what its files say; nothing is started here.
import type { FoundServers, ServerEntry } from "../../hosts/claude-code/mcp-servers.ts";
import { findBar } from "../../hosts/claude-code/server-policy.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { cleanName } from "../../report.ts";
import type { Facts } from "./facts.ts";
import type { Add } from "./finding.ts";
import type { WiredFiles } from "./settings-files.ts";

const SERVER = "isthmos";
const REGISTER = "run isthmos init, which registers it";
const ENABLE = "enable it in /mcp of Claude Code, or run isthmos init --route command";

/** The entry that counts: of the project's own files only what the user agreed to. */
function findEntry(
  { entries, approved, refused }: FoundServers,
  { servers }: WiredFiles,
): ServerEntry | undefined {
  const isRefused = refused.has(SERVER) || servers.refused.has(SERVER);
  const isApproved =
    !isRefused && [SERVER, "*"].some((name) => approved.has(name) || servers.approved.has(name));
  return entries.find(({ scope }) => scope !== "project" || isApproved);
}

/** The entry that the client starts; undefined where there is none, or something keeps the client from it. */
export function chooseEntry(registered: FoundServers, wired: WiredFiles): ServerEntry | undefined {
  const entry = findEntry(registered, wired);
  return entry === undefined || explainRest(entry, registered, wired) !== undefined ? undefined : entry;
}

interface Rest {
  readonly why: string;
  readonly hint: string;
}

/** Why the client does not start the entry that counts; undefined: it does. */
function explainRest(
  { type, command, args }: ServerEntry,
  { disabled }: FoundServers,
  { servers }: WiredFiles,
): Rest | undefined {
  if (disabled.has(SERVER)) return { why: "is disabled for this project", hint: ENABLE };
  const bar = findBar(servers, SERVER, [command, ...args]);
  if (bar !== undefined) {
    const hint = "correct it, ask the administrator, or run isthmos init --route command";
    return { why: `is kept from starting by ${bar} in the settings`, hint };
  }
  if (type !== "stdio") return { why: `is of type ${cleanName(type)}, not stdio`, hint: REGISTER };
  return command === "" ? { why: "names no command", hint: REGISTER } : undefined;
}

/** Hooks that ask a server in vain are dead; without any, a server only adds a way to reveal. */
export function addRegistration(facts: Facts, registered: FoundServers, add: Add): void {
  const { wired, show } = facts;
  for (const { path, message } of registered.problems) add("warning", `${show(path)}: ${message}`);
  addPluginServers(facts, registered, add);
  const asking = wired.ours.filter(({ call }) => call?.server === SERVER);
  const level = asking.length > 0 ? "broken" : "note";
  const effect =
    asking.length > 0 ? `, yet the hooks on ${listEvents(asking)} ask it: nothing is changed` : "";
  const entry = findEntry(registered, wired);
  const rest = entry && explainRest(entry, registered, wired);
  const [waiting] = registered.entries;
  if (entry !== undefined) {
    if (rest !== undefined)
      add(level, `the server isthmos of ${show(entry.path)} ${rest.why}${effect}`, rest.hint);
  } else if (waiting !== undefined) {
    const isRefused = registered.refused.has(SERVER) || wired.servers.refused.has(SERVER);
    const [why, hint] = isRefused
      ? ["is refused by disabledMcpjsonServers", "take it out there and agree, or run isthmos init"]
      : ["waits for your agreement", "agree when Claude Code asks, or see /mcp there"];
    add(level, `the server isthmos of ${show(waiting.path)} ${why}${effect}`, hint);
  } else if (asking.length > 0) {
    add(level, `no MCP server isthmos is registered${effect}`, REGISTER);
  } else if (wired.ours.length > 0 && wired.plugins.length === 0) {
    add(level, "no MCP server isthmos is registered: the model can reveal by the shell only", REGISTER);
  }
}

/** A plugin brings its server along, under a name of its own, which can be turned off as any other. */
function addPluginServers({ wired }: Facts, { disabled }: FoundServers, add: Add): void {
  const asked = wired.ours.flatMap(({ call }) => call?.server ?? []);
  const brought = wired.plugins.map(({ name }) => `plugin:${name.split("@")[0]}:${SERVER}`);
  for (const name of new Set([...asked, ...brought])) {
    if (name === SERVER || !disabled.has(name)) continue;
    add(
      "broken",
      `the server ${cleanName(name)} is disabled for this project: its hooks change nothing`,
      ENABLE,
    );
  }
}

function listEvents(hooks: readonly WiredHook[]): string {
  return [...new Set(hooks.map(({ event }) => cleanName(event)))].join(", ");
}
