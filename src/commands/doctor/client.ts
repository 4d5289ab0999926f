// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { runChild } from "../../child.ts";
import type { Env } from "../../env.ts";
import { explainProgram } from "./access.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** The client as it is found in PATH. */
export interface InstalledClient {
  readonly path: string;
  /** Major, minor, patch; absent where it does not say. */
  readonly version?: Version;
}

type Version = readonly [number, number, number];

/** Before it, no hook could replace the result of a built-in tool. */
const REWRITES_SINCE: Version = [2, 1, 121];
/** Before it, there were no hooks that ask a server. */
const SERVER_HOOKS_SINCE: Version = [2, 1, 118];

/** Asks the client for its version, for `timeoutMs`; undefined where there is none in PATH. */
export async function findClient(
  { searchPath, variables, cwd }: Env,
  timeoutMs: number,
): Promise<InstalledClient | undefined> {
  const path = searchPath
    .map((folder) => join(folder, "claude"))
    .find((file) => explainProgram(file) === undefined);
  if (path === undefined) return undefined;
  const { stdout } = await runChild([path, "--version"], { cwd, env: variables, timeoutMs });
  const [, ...numbers] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})/.exec(stdout) ?? [];
  const [major, minor, patch] = numbers.map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return { path };
  return { path, version: [major, minor, patch] };
}

/** Can the client do what the hooks ask of it? */
export function checkClient({ wired, show }: Facts, client: InstalledClient | undefined): Finding[] {
  if (client === undefined) return [];
  const check = "client";
  const file = show(client.path);
  if (client.version === undefined) {
    return [{ check, level: "note", message: `${file} does not tell its version` }];
  }
  const name = `Claude Code ${client.version.join(".")}`;
  const asksServer = wired.ours.some(({ type }) => type === "mcp_tool");
  if (asksServer && isBefore(client.version, SERVER_HOOKS_SINCE)) {
    const message = `${name} (${file}) knows no mcp_tool hooks: they came with ${SERVER_HOOKS_SINCE.join(".")}`;
    return [{ check, level: "broken", message, hint: "update it, or run isthmos init --route command" }];
  }
  if (isBefore(client.version, REWRITES_SINCE)) {
    const message = `${name} (${file}) lets no hook replace the result of a built-in tool: that came with ${REWRITES_SINCE.join(".")}`;
    return [
      { check, level: "broken", message, hint: "update it; until then only results of MCP tools change" },
    ];
  }
  return [{ check, level: "ok", message: name }];
}

function isBefore(version: Version, other: Version): boolean {
  const at = version.findIndex((number, i) => number !== other[i]);
  return at >= 0 && (version[at] ?? 0) < (other[at] ?? 0);
}
