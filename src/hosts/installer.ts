// SPDX-License-Identifier: Apache-2.0
// What an agent's folder gives so that `init` and `uninstall` can wire isthmos into it. It knows the agent's files
// and their form; reading, writing, backups, records and undoing are not its matter.
import type { Env } from "../env.ts";

/** Where an agent is wired: for all of the user's work, for all who work on this project, or for the user here only. */
export const SCOPES = ["user", "project", "local"] as const;
export type Scope = (typeof SCOPES)[number];

/** resident: the agent asks the server it keeps running; command: it starts the program at each event. */
export const ROUTES = ["auto", "resident", "command"] as const;
export type Route = (typeof ROUTES)[number];

/** The words that start isthmos, before its command. */
export type Program = readonly [string, ...string[]];

/** An agent's own program on this machine. */
export interface FoundClient {
  readonly path: string;
  /** As `N.N.N`; undefined where it did not say. */
  readonly version: string | undefined;
}

/** Where something is wired. */
export interface Place {
  readonly scope: Scope;
  /** The project's folder, absolute; for the user's scope the folder that `init` ran in, or undefined if it is gone. */
  readonly folder: string | undefined;
  readonly env: Env;
  readonly program: Program;
  readonly client: FoundClient | undefined;
}

export interface InstallRequest extends Place {
  readonly route: Route;
  /** The user's own expression for tools; undefined: the one that is there, else the agent's default. */
  readonly matcher: string | undefined;
}

/** A call of the agent's own program. */
export interface AgentCommand {
  readonly args: readonly string[];
  /** Where it is to run. */
  readonly folder: string | undefined;
}

/** A change of one file. */
export interface FileEdit {
  readonly path: string;
  /** A new one may be read by others than the user. */
  readonly isShared: boolean;
  /** What becomes of it, in a few words for the person. */
  readonly what: string;
  /**
   * The text afterwards: of the text now, or of no file (undefined); the same text where nothing is to be done,
   * undefined where there is to be no file. Throws JsoncError, whose words follow the file's path.
   */
  edit(text: string | undefined): string | undefined;
  /** What makes the agent's own program change it in the same way, in order. Tried before the edit. */
  commands?(text: string | undefined): readonly AgentCommand[];
}

export interface InstallPlan {
  readonly files: readonly FileEdit[];
  readonly route: Exclude<Route, "auto">;
  /** Worth knowing: one sentence each. */
  readonly notes: readonly string[];
}

export interface Installer {
  /** As for `--agent`. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The name of the agent's program, as it is looked for in PATH. */
  readonly client: string;
  /**
   * What wires isthmos there; `read` gives the text of a file as it is now. Throws JsoncError where the request itself
   * cannot be met.
   */
  install(request: InstallRequest, read: (path: string) => string | undefined): InstallPlan;
  /**
   * What takes exactly isthmos' own entries away. `before` tells the text of a file as it was before `init`, where
   * that is known: emptied containers that it did not have go too. Where it is not known they stay.
   */
  uninstall(place: Place, before: (path: string) => string | undefined): readonly FileEdit[];
}
