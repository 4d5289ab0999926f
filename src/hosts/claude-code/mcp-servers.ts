// SPDX-License-Identifier: Apache-2.0
// Which MCP server the client would start by a name, and how. Reads texts it is given, opens nothing. Scopes as the
// client ranks them: local (this project, in the user's own file), project (`.mcp.json`), user. Observed with client
// 2.1.332.

import { isRecord } from "./settings-text.ts";

export type ServerScope = "local" | "project" | "user";

/** A server's entry. */
export interface ServerEntry {
  readonly scope: ServerScope;
  /** The file it stands in. */
  readonly path: string;
  /** `stdio` unless it is reached over the network. */
  readonly type: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ServerFiles {
  /** The user's own file, `.claude.json`. */
  readonly user?: { readonly path: string; readonly text: string };
  /** `.mcp.json` of the working folder and those above it, the nearest first. */
  readonly projects?: readonly { readonly path: string; readonly text: string }[];
  /** The project as the user's file names it: the root of the repository, else the working folder. */
  readonly key?: string | undefined;
}

export interface FoundServers {
  /** Entries of that name, the one that counts first. */
  readonly entries: readonly ServerEntry[];
  /** Names of the project's servers that the user agreed to, and refused, by the user's own file. */
  readonly approved: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** Names of servers, of any file, that the user turned off for this project. */
  readonly disabled: ReadonlySet<string>;
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Every entry called `name`. Never throws; a file that is not JSON is a problem. */
export function findServers({ user, projects: files = [], key }: ServerFiles, name: string): FoundServers {
  const problems: { path: string; message: string }[] = [];
  const parse = (file: { readonly path: string; readonly text: string } | undefined) => {
    if (file === undefined || file.text.trim() === "") return undefined;
    try {
      return asRecord(JSON.parse(file.text.replace(/^\uFEFF/, "")));
    } catch {
      problems.push({ path: file.path, message: "not JSON" });
      return undefined;
    }
  };
  const userRoot = parse(user);
  const projects = new Map(Object.entries(asRecord(userRoot?.projects) ?? {}));
  const here = key === undefined ? undefined : asRecord(projects.get(key));
  const read = (
    scope: ServerScope,
    file: { readonly path: string } | undefined,
    root: Record<string, unknown> | undefined,
  ): ServerEntry[] => {
    const entry = asRecord(new Map(Object.entries(asRecord(root?.mcpServers) ?? {})).get(name));
    return entry === undefined || file === undefined ? [] : [readEntry(scope, file.path, entry)];
  };
  return {
    entries: [
      ...read("local", user, here),
      ...files.flatMap((file) => read("project", file, parse(file))),
      ...read("user", user, userRoot),
    ],
    approved: new Set(asTexts(here?.enabledMcpjsonServers)),
    refused: new Set(asTexts(here?.disabledMcpjsonServers)),
    disabled: new Set(asTexts(here?.disabledMcpServers)),
    problems,
  };
}

function readEntry(scope: ServerScope, path: string, entry: Record<string, unknown>): ServerEntry {
  const env = Object.entries(asRecord(entry.env) ?? {}).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  return {
    scope,
    path,
    type: typeof entry.type === "string" ? entry.type : "stdio",
    command: typeof entry.command === "string" ? entry.command : "",
    args: asTexts(entry.args),
    env: Object.fromEntries(env),
  };
}

/** `${NAME}` and `${NAME:-default}` filled in, as the client does in entries; an unset name stays as it is written. */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback: string | undefined) => variables[name] ?? fallback ?? whole,
  );
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
