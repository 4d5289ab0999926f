// SPDX-License-Identifier: Apache-2.0
import { isRecord } from "../../../jsonc/document.ts";
import type { Program } from "../../installer.ts";
import { isHookCall, isIsthmos, runsOnlyHook } from "../hook-command.ts";
import { SERVER_NAME } from "./hooks.ts";

/** True if a hook does nothing but run isthmos, so that it may be taken out. */
export function isOurHook(
  { type, command, args, server }: Readonly<Record<string, unknown>>,
  self: Program,
): boolean {
  if (type === "mcp_tool") return server === SERVER_NAME;
  if (type !== "command" || typeof command !== "string") return false;
  if (!Array.isArray(args)) return runsOnlyHook(command);
  const words = args.map(String);
  if (isSelf([command, ...words], [...self, "hook"])) return true;
  return isHookCall(command, words) && !/\bsh$/.test(command);
}

/** True if an entry of the client's MCP servers starts isthmos, wherever it lies. */
export function isOurServer(entry: unknown, self: Program): boolean {
  if (!isRecord(entry) || typeof entry.command !== "string" || !Array.isArray(entry.args)) return false;
  const words = entry.args.map(String);
  if (isSelf([entry.command, ...words], [...self, "mcp"])) return true;
  return words.at(-1) === "mcp" && isIsthmos(entry.command, words);
}

/** This very program is ours under any name. */
function isSelf(words: readonly string[], self: readonly string[]): boolean {
  return words.length === self.length && words.every((word, at) => word === self[at]);
}
