// SPDX-License-Identifier: Apache-2.0
// Which MCP servers the settings files let the client start. Observed with client 2.1.332, which does not even list a
// server that a file denies, or that is missing where files say which are allowed.

import { isRecord } from "./settings-text.ts";

export interface ServerPolicy {
  /** Servers of a project's `.mcp.json` that the user agreed to; `*`: to all. */
  readonly approved: ReadonlySet<string>;
  /** And those that a file refuses, which counts more. */
  readonly refused: ReadonlySet<string>;
  /** Servers, by name or by command, that never start. */
  readonly denied: readonly ServerPattern[];
  /** The only ones that may; undefined: no file says so. */
  readonly allowed?: readonly ServerPattern[];
}

export interface ServerPattern {
  readonly name?: string;
  readonly command?: readonly string[];
}

/** Puts together what the settings objects of all files say; values of a wrong type say nothing. */
export function readServerPolicy(roots: readonly Readonly<Record<string, unknown>>[]): ServerPolicy {
  const textsOf = (name: string) => roots.flatMap((root) => asTexts(root[name]));
  const patternsOf = (name: string) => roots.flatMap((root) => asPatterns(root[name]));
  const isAllApproved = roots.some((root) => root.enableAllProjectMcpServers === true);
  const isRestricted = roots.some((root) => Array.isArray(root.allowedMcpServers));
  return {
    approved: new Set([...textsOf("enabledMcpjsonServers"), ...(isAllApproved ? ["*"] : [])]),
    refused: new Set(textsOf("disabledMcpjsonServers")),
    denied: patternsOf("deniedMcpServers"),
    ...(isRestricted && { allowed: patternsOf("allowedMcpServers") }),
  };
}

/** Which setting keeps the server from being started; undefined: none does. */
export function findBar(
  { denied, allowed }: ServerPolicy,
  name: string,
  words: readonly string[],
): "deniedMcpServers" | "allowedMcpServers" | undefined {
  const isMeant = (pattern: ServerPattern) =>
    pattern.name === name || (pattern.command !== undefined && areSame(pattern.command, words));
  if (denied.some(isMeant)) return "deniedMcpServers";
  return allowed === undefined || allowed.some(isMeant) ? undefined : "allowedMcpServers";
}

function areSame(words: readonly string[], others: readonly string[]): boolean {
  return words.length === others.length && words.every((word, i) => word === others[i]);
}

function asPatterns(value: unknown): ServerPattern[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.filter(isRecord).map(({ serverName, serverCommand }) => ({
    ...(typeof serverName === "string" && { name: serverName }),
    ...(Array.isArray(serverCommand) && { command: asTexts(serverCommand) }),
  }));
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
