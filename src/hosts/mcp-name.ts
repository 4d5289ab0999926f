// SPDX-License-Identifier: Apache-2.0

const SERVER = "isthmos";

/**
 * The name that rules know an MCP tool by, `mcp__SERVER__TOOL`, of one that the agent calls PREFIX, server, `_` and
 * tool. A server's name may hold `_`, so the servers that there are decide, the longest name first; of a server that
 * is not among them the first `_` ends the name. Undefined where the name is not of this form.
 */
export function nameMcpTool(name: string, prefix: string, servers: readonly string[]): string | undefined {
  if (!name.startsWith(prefix)) return undefined;
  const rest = name.slice(prefix.length);
  const known = [...servers, SERVER].map((server) => server.replace(/[^A-Za-z0-9_-]/g, "_"));
  const own = known.filter((server) => rest.startsWith(`${server}_`)).sort((a, b) => b.length - a.length)[0];
  const end = own?.length ?? rest.indexOf("_");
  if (end <= 0 || end === rest.length - 1) return undefined;
  return `mcp__${rest.slice(0, end)}__${rest.slice(end + 1)}`;
}

/** True if the agent's name of a tool says that one of these servers, or our own, has it. */
export function isToolOf(name: string, prefix: string, servers: readonly string[]): boolean {
  return [...servers, SERVER].some((server) =>
    name.startsWith(`${prefix}${server.replace(/[^A-Za-z0-9_-]/g, "_")}_`),
  );
}
