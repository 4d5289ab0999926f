// SPDX-License-Identifier: Apache-2.0
// What settings files and log cannot tell: the wired programs are run, the server is started, the client and its
// transcripts are asked. Nothing of the user's is written to.
import type { FoundServers } from "../../hosts/claude-code/mcp-servers.ts";
import { monotonicMs } from "../../io.ts";
import { readServers, type ServerState } from "../../servers.ts";
import { findClient, type InstalledClient } from "./client.ts";
import type { Facts } from "./facts.ts";
import { readRegistered } from "./registered.ts";
import { chooseEntry } from "./registration.ts";
import { makeTrialHome } from "./sample.ts";
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

/** What is tried answers within milliseconds; a person waits for whatever hangs. All trials together take no longer. */
const TRIALS_MS = 3000;

/** Looks. Rejects only where no trial can be made at all (no room for a temporary folder). */
export async function lookAround(facts: Facts): Promise<Reality> {
  const { env, wired } = facts;
  const registered = readRegistered(env);
  const transcripts = readTranscripts(facts);
  const running = readServers(env.stateDir.value);
  const home = makeTrialHome(env);
  try {
    const entry = chooseEntry(registered, wired);
    const hook = wired.ours.find(({ event, type }) => event === "PostToolUse" && type === "mcp_tool");
    const endsAt = monotonicMs() + TRIALS_MS;
    const [client, commands, server] = await Promise.all([
      findClient(env, TRIALS_MS),
      tryCommands(facts, home, endsAt),
      entry && tryServer(entry, hook, env, home, endsAt),
    ]);
    return {
      ...{ commands, registered, transcripts, running },
      ...(client !== undefined && { client }),
      ...(server !== undefined && { server }),
    };
  } finally {
    home.remove();
  }
}
