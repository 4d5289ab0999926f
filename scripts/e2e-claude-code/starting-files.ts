// SPDX-License-Identifier: Apache-2.0
// The settings that users have before `isthmos init`, as bytes: what it must leave working and `uninstall` restore.

export interface StartingFiles {
  readonly name: string;
  readonly scope: "user" | "project" | "local";
  /** Path below the home (`~/`) or the working folder (`./`) → content; a path that is left out does not exist. */
  readonly files: ReadonlyMap<string, string>;
  /** A path that is a link to another one. */
  readonly link?: readonly [path: string, target: string];
  /** The client reads nothing of such a file: results stay as they are, and `init` and `doctor` must say why. */
  readonly unread?: true;
  /** Folder below the working folder that the client is started in. */
  readonly cwd?: string;
}

const USER = "~/.claude/settings.json";
const PROJECT = "./.claude/settings.json";
const LOCAL = "./.claude/settings.local.json";

/** Writes nothing and is asked about nothing: another hook of the same event, which must keep running. */
const OTHER_HOOK = {
  type: "command",
  command: "cat >/dev/null; echo ran >>$HOME/other-hook.log",
  timeout: 5,
};
const OTHER_GROUP = { matcher: "Bash", hooks: [OTHER_HOOK] };

function pretty(value: unknown, indent: string | number = 2): string {
  return `${JSON.stringify(value, undefined, indent)}\n`;
}

/** Nothing that a client changes by itself at its first start, as 2.1.197 does with `model`. */
const SOME = {
  includeCoAuthoredBy: false,
  permissions: { allow: ["Bash(ls:*)"], deny: ["WebFetch"] },
  env: { LANG: "C.UTF-8" },
};

function user(name: string, text: string): StartingFiles {
  return { name, scope: "user", files: new Map([[USER, text]]) };
}

function unread(name: string, text: string): StartingFiles {
  return { ...user(name, text), unread: true };
}

export const STARTING_FILES: readonly StartingFiles[] = [
  { name: "missing", scope: "user", files: new Map() },
  user("empty", ""),
  user("empty object", "{}"),
  user("two spaces", pretty(SOME)),
  user("tabs", pretty(SOME, "\t")),
  user("CRLF", pretty(SOME).replaceAll("\n", "\r\n")),
  user("no final line end", pretty(SOME).trimEnd()),
  user("minified", JSON.stringify(SOME)),
  user("byte order mark", `\uFEFF${pretty(SOME)}`),
  unread("comments", `// mine\n{\n  /* why */ "env": { "LANG": "C.UTF-8" } // last\n}\n`),
  unread("trailing comma", `{\n  "env": {\n    "LANG": "C.UTF-8",\n  },\n}\n`),
  user("another hook on the event", pretty({ ...SOME, hooks: { PostToolUse: [OTHER_GROUP] } })),
  user(
    "hooks of other events",
    pretty({ hooks: { Stop: [{ hooks: [OTHER_HOOK] }], PreToolUse: [OTHER_GROUP] } }, 4),
  ),
  user("empty hooks", pretty({ hooks: {} })),
  user("other languages", pretty({ ...SOME, note: "第1行 naïve 🚀 \u0000" })),
  {
    name: "symlink",
    scope: "user",
    files: new Map([["~/dotfiles/claude.json", pretty(SOME)]]),
    link: [USER, "~/dotfiles/claude.json"],
  },
  { name: "project, missing", scope: "project", files: new Map() },
  {
    name: "project, deep",
    scope: "project",
    cwd: "packages/deep/down",
    files: new Map([["./packages/deep/down/.claude/settings.json", pretty(SOME)]]),
  },
  {
    name: "project with an MCP server",
    scope: "project",
    files: new Map([
      [PROJECT, pretty(SOME)],
      ["./.mcp.json", pretty({ mcpServers: { other: { command: "/bin/cat", args: [] } } })],
    ]),
  },
  { name: "local", scope: "local", files: new Map([[LOCAL, pretty(SOME)]]) },
];
