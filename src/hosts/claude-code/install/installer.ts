// SPDX-License-Identifier: Apache-2.0
// Which files of Claude Code wire isthmos, in which scope, and what becomes of each. Observed with clients 2.1.197
// and 2.1.332.
import { join } from "node:path";
import type { Path } from "../../../core/rules/source.ts";
import { JsoncError } from "../../../jsonc/document.ts";
import type {
  AgentCommand,
  FileEdit,
  Installer,
  InstallPlan,
  InstallRequest,
  Place,
} from "../../installer.ts";
import { isValidMatcher } from "../matcher.ts";
import { isUnreadByClient } from "../settings-text.ts";
import { DEFAULT_MATCHER, hasResidentRoute, SERVER_NAME, wantedGroups } from "./hooks.ts";
import { joinMatchers } from "./join-matchers.ts";
import { hasServer, registerServer, unregisterServer } from "./servers.ts";
import { findMatchers, findRoute, findVariables, unwireHooks, wireHooks } from "./wire.ts";

export const claudeCodeInstaller: Installer = {
  name: "claude-code",
  title: "Claude Code",
  client: "claude",
  install,
  uninstall,
};

function install(request: InstallRequest, read: (path: string) => string | undefined): InstallPlan {
  const { client, program } = request;
  const wired = findRoute(read(settingsPath(request)), program);
  const auto = wired ?? (hasResidentRoute(client) ? "resident" : "command");
  const route = request.route === "auto" ? auto : request.route;
  const settings: FileEdit = {
    path: settingsPath(request),
    isShared: isShared(request),
    what: `hooks, ${route} route`,
    edit: (text) => {
      const matcherOf = (event: string) => joinMatchers(findMatchers(text, event, program));
      const matcher = request.matcher ?? matcherOf("PostToolUse") ?? DEFAULT_MATCHER;
      const failed = request.matcher ?? matcherOf("PostToolUseFailure") ?? matcher;
      const groups = new Map(wantedGroups(route, matcher, program, client));
      const hooks = groups.get("PostToolUseFailure")?.hooks ?? [];
      groups.set("PostToolUseFailure", { matcher: failed, hooks });
      return wireHooks(text, groups, program);
    },
  };
  const { path, at } = serversPlace(request);
  const servers: FileEdit = {
    path,
    isShared: isShared(request),
    what: `MCP server ${SERVER_NAME}`,
    edit: (text) => registerServer(text, at, program),
    ...(hasOwnCommands(request) && {
      commands: (text) => [
        ...(hasServer(text, at, program) ? [removeCommand(request)] : []),
        {
          args: ["mcp", "add", "--scope", request.scope, SERVER_NAME, "--", ...program, "mcp"],
          folder: request.folder,
        },
      ],
    }),
  };
  const notes = [...explain(request, wired), ...explainReplaced(request, read(settings.path))];
  if (isUnreadByClient(read(settings.path) ?? "")) {
    notes.push(
      `${settings.path} has comments or a trailing comma: Claude Code reads nothing of such a file, so take them out; its hooks run from then on`,
    );
  }
  return { files: [settings, servers], route, notes };
}

function explain({ route, client, matcher, scope }: InstallRequest, wired: string | undefined): string[] {
  const notes: string[] = [];
  if (route === "auto" && wired === undefined && !hasResidentRoute(client)) {
    notes.push(
      client === undefined
        ? "no claude program in PATH, so its version is unknown: wired as a command, which every version knows; --route resident is faster"
        : `claude ${client.version ?? "of unknown version"} is not known to ask a server: wired as a command`,
    );
  }
  if (route === "resident" && !hasResidentRoute(client)) {
    notes.push("this client is not known to ask a server; see isthmos doctor after a session");
  }
  if (matcher !== undefined && !isValidMatcher(matcher)) {
    throw new JsoncError(
      `the matcher ${JSON.stringify(matcher)} is no regular expression and would never fire`,
    );
  }
  if (scope === "project") notes.push("Claude Code asks before it starts a server of a project's .mcp.json");
  return notes;
}

/** What hooks of ours that were wired by hand said, and one hook in their place says otherwise. */
function explainReplaced({ program, matcher }: InstallRequest, text: string | undefined): string[] {
  try {
    const notes: string[] = [];
    const matchers = [...new Set(findMatchers(text, "PostToolUse", program))];
    const joined = joinMatchers(matchers);
    if (matcher === undefined && matchers.length > 1 && joined !== undefined) {
      const all = matchers.map((one) => one || "all tools").join("  and  ");
      notes.push(
        `isthmos hooked PostToolUse by several matchers (${all}): one hook has them all now: ${joined}`,
      );
    }
    for (const { on, command, variables } of findVariables(text, program)) {
      notes.push(
        `the hook "${command}" (${on}) was replaced, and ${variables.join(" ")} went with it: a rule, the mode, or env in the settings can say the same`,
      );
    }
    return notes;
  } catch (error) {
    // The edit says what is wrong with the file.
    if (error instanceof JsoncError) return [];
    throw error;
  }
}

function uninstall(place: Place, before: (path: string) => string | undefined): readonly FileEdit[] {
  const { program } = place;
  const settings = settingsPath(place);
  const { path, at } = serversPlace(place);
  return [
    {
      path: settings,
      isShared: isShared(place),
      what: "hooks",
      edit: (text) => text && unwireHooks(text, before(settings), program),
    },
    {
      path,
      isShared: isShared(place),
      what: `MCP server ${SERVER_NAME}`,
      edit: (text) => text && unregisterServer(text, at, before(path), program),
      ...(hasOwnCommands(place) && {
        commands: (text) => (hasServer(text, at, program) ? [removeCommand(place)] : []),
      }),
    },
  ];
}

function settingsPath({ scope, folder, env }: Place): string {
  if (scope === "user") return join(env.claudeDir.value, "settings.json");
  return join(folder ?? "", ".claude", scope === "project" ? "settings.json" : "settings.local.json");
}

function serversPlace({ scope, folder, env }: Place): { readonly path: string; readonly at: Path } {
  const at = ["mcpServers", SERVER_NAME];
  if (scope === "project") return { path: join(folder ?? "", ".mcp.json"), at };
  const { value, source } = env.claudeDir;
  const path = join(source === "default" ? env.home : value, ".claude.json");
  return { path, at: scope === "user" ? at : ["projects", folder ?? "", ...at] };
}

// A project's .mcp.json is the team's file: the client would write it anew, in its own layout.
function hasOwnCommands({ client, scope }: Place): boolean {
  return client !== undefined && scope !== "project";
}

function removeCommand({ scope, folder }: Place): AgentCommand {
  return { args: ["mcp", "remove", "--scope", scope, SERVER_NAME], folder };
}

function isShared({ scope }: Place): boolean {
  return scope === "project";
}
