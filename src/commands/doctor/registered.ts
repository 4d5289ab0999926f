// SPDX-License-Identifier: Apache-2.0
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
  const projects = foldersFrom(cwd).flatMap((folder) => readText(join(folder, ".mcp.json")) ?? []);
  const found = findServers(
    {
      ...(user !== undefined && "text" in user && { user }),
      projects: projects.filter((file) => "text" in file),
      key: cwd === undefined ? undefined : findProject(cwd),
    },
    SERVER,
  );
  const unread = [user, ...projects].filter((file) => file !== undefined && "message" in file);
  return { ...found, problems: [...unread, ...found.problems] };
}

/** The folder and those above it. */
function foldersFrom(folder: string | undefined): string[] {
  const folders: string[] = [];
  for (let at = folder; at !== undefined; at = dirname(at) === at ? undefined : dirname(at)) folders.push(at);
  return folders;
}

/**
 * The folder by which the user's file names the project of `cwd`: the root of its repository, of a linked working tree
 * that of the main one, and without a repository `cwd`.
 */
function findProject(cwd: string): string {
  for (const folder of foldersFrom(cwd)) {
    const git = join(folder, ".git");
    const found = statSync(git, { throwIfNoEntry: false });
    if (found === undefined) continue;
    const link = found.isFile() ? readText(git) : undefined;
    const linked = link !== undefined && "text" in link ? link.text : "";
    return /^gitdir: (.+)\/\.git\/worktrees\/[^/]+\s*$/.exec(linked)?.[1] ?? folder;
  }
  return cwd;
}

type Text = { readonly path: string; readonly text: string };

function readText(path: string): Text | { readonly path: string; readonly message: string } | undefined {
  try {
    const bytes = readFile(path, { maxBytes: FILE_MAX_BYTES, follow: true });
    if (bytes === undefined) return undefined;
    const text = decodeUtf8(bytes);
    return text === undefined ? { path, message: "not UTF-8" } : { path, text };
  } catch (error) {
    return { path, message: `cannot be read (${errorCode(error) ?? "unknown error"})` };
  }
}
