// SPDX-License-Identifier: Apache-2.0
// What settings files and log cannot tell: the wired programs are run, the server is started, the client and its
// transcripts are asked. Nothing of the user's is written to.
import type { FoundServers, ServerEntry } from "../../hosts/claude-code/mcp-servers.ts";
import { readServers, type ServerState } from "../../servers.ts";
import { findClient, type InstalledClient } from "./client.ts";
import type { Facts } from "./facts.ts";
import { readRegistered } from "./registered.ts";
import { makeTrialHome } from "./sample.ts";
import type { WiredFiles } from "./settings-files.ts";
import { readTranscripts, type Transcripts } from "./transcripts.ts";
import { type CommandTrial, tryCommands } from "./try-command.ts";
import { type ServerTrial, tryServer } from "./try-server.ts";

export interface Reality {
  readonly client?: InstalledClient;
  readonly commands: readonly CommandTrial[];
  /** The trial of the entry that counts. */
  readonly server?: ServerTrial;
  readonly registered: FoundServers;
  readonly transcripts: Transcripts;
  /** Servers that run now. */
  readonly running: readonly ServerState[];
}

/** Looks. Rejects only where no trial can be made at all (no room for a temporary folder). */
export async function lookAround(facts: Facts): Promise<Reality> {
  const { env, wired } = facts;
  const registered = readRegistered(env);
  const transcripts = readTranscripts(facts);
  const running = readServers(env.stateDir.value);
  const home = makeTrialHome(env);
  try {
    const asking = findClient(env);
    const commands = await tryCommands(facts, home);
    const entry = chooseEntry(registered, wired);
    const hook = wired.ours.find(({ event, type }) => event === "PostToolUse" && type === "mcp_tool");
    const server =
      entry?.type === "stdio" && entry.command !== "" ? await tryServer(entry, hook, env, home) : undefined;
    const client = await asking;
    return {
      ...{ commands, registered, transcripts, running },
      ...(client !== undefined && { client }),
      ...(server !== undefined && { server }),
    };
  } finally {
    home.remove();
  }
}

/** The entry that the client starts: of the project's own file only what the user agreed to. */
export function chooseEntry(
  { entries, approved, refused }: FoundServers,
  { approvedServers }: WiredFiles,
): ServerEntry | undefined {
  const isApproved =
    !refused.has("isthmos") &&
    ["isthmos", "*"].some((name) => approved.has(name) || approvedServers.has(name));
  return entries.find(({ scope }) => scope !== "project" || isApproved);
}
