// SPDX-License-Identifier: Apache-2.0
// Which files of OpenCode wire isthmos, in which scope, and what becomes of each. Observed with OpenCode 1.18.33.
import { join } from "node:path";
import { JsoncError } from "../../../jsonc/document.ts";
import type { FileEdit, Installer, InstallPlan, InstallRequest, Place } from "../../installer.ts";
import { removeOwnFile, writeOwnFile } from "../../own-file.ts";
import { pluginText } from "./plugin.ts";
import { hasServer, registerServer, SERVER_NAME, unregisterServer } from "./servers.ts";

export const openCodeInstaller: Installer = {
  name: "opencode",
  title: "OpenCode",
  client: "opencode",
  install,
  uninstall,
};

const CONFIG = { isShared: false, what: `MCP server ${SERVER_NAME}` };
const PLUGIN = { isShared: false, what: "plugin" };

function install(request: InstallRequest, read: (path: string) => string | undefined): InstallPlan {
  const { program, client, scope, route, matcher } = request;
  if (scope === "local") throw new JsoncError("OpenCode has no local scope: it is user or project");
  if (route === "resident")
    throw new JsoncError("OpenCode has no hooks that ask a server: leave --route out");
  if (matcher !== undefined) {
    throw new JsoncError("OpenCode has no matchers: write rules for the tools, and leave --matcher out");
  }
  const isShared = scope === "project";
  const paths = configPaths(request);
  const present = paths.filter((path) => read(path) !== undefined);
  const path = present.find((one) => tryHasServer(read(one), request)) ?? present[0] ?? newConfig(request);
  return {
    files: [
      writeOwnFile({ ...PLUGIN, isShared, path: pluginPath(request) }, pluginText(program)),
      { ...CONFIG, isShared, path, edit: (text) => registerServer(text, program, client) },
    ],
    route: "command",
    notes: [],
  };
}

function tryHasServer(text: string | undefined, { program }: Place): boolean {
  try {
    return hasServer(text, program);
  } catch {
    // The edit says what is wrong with the file, if it is the one to be changed.
    return false;
  }
}

function uninstall(place: Place, before: (path: string) => string | undefined): readonly FileEdit[] {
  const { program, scope, folder } = place;
  if (scope === "local" || (scope === "project" && folder === undefined)) return [];
  const isShared = scope === "project";
  return [
    removeOwnFile({ ...PLUGIN, isShared, path: pluginPath(place) }),
    ...configPaths(place).map(
      (path): FileEdit => ({
        ...CONFIG,
        isShared,
        path,
        edit: (text) => text && unregisterServer(text, before(path), program),
      }),
    ),
  ];
}

/** Where OpenCode looks, the one that a user would edit first. */
function configPaths(place: Place): string[] {
  const folders = place.scope === "user" ? [userFolder(place)] : [place.folder ?? "", projectFolder(place)];
  return folders.flatMap((folder) => ["opencode.jsonc", "opencode.json"].map((name) => join(folder, name)));
}

function newConfig(place: Place): string {
  return join(place.scope === "user" ? userFolder(place) : (place.folder ?? ""), "opencode.json");
}

function pluginPath(place: Place): string {
  return join(place.scope === "user" ? userFolder(place) : projectFolder(place), "plugin", "isthmos.js");
}

function userFolder({ env }: Place): string {
  const base = env.variables.XDG_CONFIG_HOME;
  return join(base?.startsWith("/") ? base : join(env.home, ".config"), "opencode");
}

function projectFolder({ folder }: Place): string {
  return join(folder ?? "", ".opencode");
}
