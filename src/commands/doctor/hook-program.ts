// SPDX-License-Identifier: Apache-2.0
import { isAbsolute, join } from "node:path";
import { findHookProgram } from "../../hosts/claude-code/hook-command.ts";
import type { WiredHook } from "../../hosts/claude-code/wiring.ts";
import { cleanName } from "../../report.ts";
import { explainProgram } from "./access.ts";
import type { Facts } from "./facts.ts";

/**
 * Why the client cannot run a hook's program, in a sentence; undefined: it can, or it is a name that the client
 * looks up in its own PATH.
 */
export function explainHookProgram(
  { type, target, program, path }: WiredHook,
  { env, show }: Pick<Facts, "env" | "show">,
): string | undefined {
  const written = writtenProgram({ type, target, program });
  if (written === undefined) return undefined;
  const [, rest] = /^(?:~|\$HOME|\$\{HOME\})\/(.*)$/s.exec(written) ?? [];
  const wiredIn = `wired in ${show(path)}`;
  if (rest !== undefined && program !== undefined) {
    return `${cleanName(written)}, ${wiredIn}, is not expanded in a command with "args"`;
  }
  const file = rest === undefined ? written : join(env.home, rest);
  if (!isAbsolute(file)) return undefined;
  const problem = explainProgram(file);
  return problem && `${cleanName(show(file))}, ${wiredIn}, ${problem}`;
}

/** Why the client may not find a hook's program that is given by its name only; undefined: it is in our PATH. */
export function explainSearch(
  { type, target, program, path }: WiredHook,
  { env, show }: Pick<Facts, "env" | "show">,
): string | undefined {
  const written = writtenProgram({ type, target, program });
  if (written === undefined || /[/\\$~]/.test(written)) return undefined;
  if (env.searchPath.some((folder) => explainProgram(join(folder, written)) === undefined)) return undefined;
  return `${cleanName(written)}, wired in ${show(path)}, is in no folder of PATH here`;
}

function writtenProgram(
  hook: Pick<WiredHook, "type" | "target"> & { program: string | undefined },
): string | undefined {
  return hook.type === "command" ? (hook.program ?? findHookProgram(hook.target)) : undefined;
}
