// SPDX-License-Identifier: Apache-2.0
// The files of the plugin in Hermes Agent's folder. Its config.yaml is not touched: Hermes' own command enables a
// plugin there.
import { join } from "node:path";
import { JsoncError } from "../../../jsonc/document.ts";
import type { FileEdit, Installer, InstallPlan, InstallRequest, Place } from "../../installer.ts";
import { removeOwnFile, writeOwnFile } from "../../own-file.ts";
import { manifestText, shimText } from "./plugin.ts";

export const hermesInstaller: Installer = {
  name: "hermes",
  title: "Hermes Agent",
  client: "hermes",
  install,
  uninstall,
};

const MANIFEST = { isShared: false, what: "plugin manifest" };
const SHIM = { isShared: false, what: "plugin" };

function install({ scope, route, matcher, ...place }: InstallRequest): InstallPlan {
  if (scope !== "user") throw new JsoncError(`Hermes Agent has no ${scope} scope: leave --scope out`);
  if (route === "resident")
    throw new JsoncError("Hermes Agent has no hooks that ask a server: leave --route out");
  if (matcher !== undefined) {
    throw new JsoncError("Hermes Agent has no matchers: write rules for the tools, and leave --matcher out");
  }
  const { manifest, shim } = pathsOf(place);
  const [command, ...args] = place.program;
  const server = JSON.stringify({ command, args: [...args, "mcp"] });
  return {
    files: [
      writeOwnFile({ ...MANIFEST, path: manifest }, manifestText()),
      writeOwnFile({ ...SHIM, path: shim }, shimText(place.program)),
    ],
    route: "command",
    notes: [
      "Hermes Agent loads a plugin once it is enabled: hermes plugins enable isthmos",
      `to give the model the reveal tool too, add to mcp_servers in Hermes' config.yaml: isthmos: ${server}`,
    ],
  };
}

function uninstall(place: Place): readonly FileEdit[] {
  if (place.scope !== "user") return [];
  const { manifest, shim } = pathsOf(place);
  return [removeOwnFile({ ...SHIM, path: shim }), removeOwnFile({ ...MANIFEST, path: manifest })];
}

function pathsOf({ env }: Pick<Place, "env">): { readonly manifest: string; readonly shim: string } {
  const home = env.variables.HERMES_HOME;
  const folder = join(home?.startsWith("/") ? home : join(env.home, ".hermes"), "plugins", "isthmos");
  return { manifest: join(folder, "plugin.yaml"), shim: join(folder, "__init__.py") };
}
