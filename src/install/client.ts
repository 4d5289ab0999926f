// SPDX-License-Identifier: Apache-2.0
// The agent's own program: where it is, which version, and what it does when asked.
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "../child.ts";
import type { Env } from "../env.ts";
import type { AgentCommand, FoundClient } from "../hosts/installer.ts";

/** A program that has not said its version by then is not waited for. */
const VERSION_TIMEOUT_MS = 5000;
/** Starting the client and writing a file takes it a second. */
const COMMAND_TIMEOUT_MS = 30_000;

/** The first program `name` in PATH, and the version it says. */
export async function findClient(name: string, env: Env): Promise<FoundClient | undefined> {
  const path = env.searchPath.map((folder) => join(folder, name)).find(isProgram);
  if (path === undefined) return undefined;
  const ran = await runChild([path, "--version"], {
    cwd: env.cwd,
    env: env.variables,
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  return { path, version: /\b\d+\.\d+\.\d+\b/.exec(ran.stdout)?.[0] };
}

/** Runs the commands in order; false as soon as one fails. */
export async function runCommands(
  client: FoundClient,
  commands: readonly AgentCommand[],
  env: Env,
): Promise<boolean> {
  for (const { args, folder } of commands) {
    const options = { cwd: folder, env: env.variables, timeoutMs: COMMAND_TIMEOUT_MS };
    const { exitCode } = await runChild([client.path, ...args], options);
    if (exitCode !== 0) return false;
  }
  return true;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
