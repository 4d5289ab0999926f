// SPDX-License-Identifier: Apache-2.0
import { join, resolve } from "node:path";
import { decodeUtf8 } from "../../core/utf8.ts";
import type { Env } from "../../env.ts";
import { errorCode, readFile } from "../../files.ts";
import { type FoundServers, findServers } from "../../hosts/claude-code/mcp-servers.ts";

/** The user's own file holds the history of every project. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;
const SERVER = "isthmos";

/** The MCP server called isthmos, as the client would find it from here. */
export function readRegistered({ home, claudeDir, cwd }: Env): FoundServers {
  const folder = claudeDir.source === "default" ? home : resolve(claudeDir.value);
  const user = readText(join(folder, ".claude.json"));
  const project = cwd === undefined ? undefined : readText(join(cwd, ".mcp.json"));
  const found = findServers(
    {
      ...(user !== undefined && "text" in user && { user }),
      ...(project !== undefined && "text" in project && { project }),
      cwd,
    },
    SERVER,
  );
  const unread = [user, project].filter((file) => file !== undefined && "message" in file);
  return { ...found, problems: [...unread, ...found.problems] };
}

function readText(
  path: string,
): { readonly path: string; readonly text: string } | { path: string; message: string } | undefined {
  try {
    const bytes = readFile(path, { maxBytes: FILE_MAX_BYTES, follow: true });
    if (bytes === undefined) return undefined;
    const text = decodeUtf8(bytes);
    return text === undefined ? { path, message: "not UTF-8" } : { path, text };
  } catch (error) {
    return { path, message: `cannot be read (${errorCode(error) ?? "unknown error"})` };
  }
}
