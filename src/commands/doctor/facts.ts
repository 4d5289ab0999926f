// SPDX-License-Identifier: Apache-2.0
import type { Env } from "../../env.ts";
import { readSetup, type Setup } from "../../setup.ts";
import { openStore, type Store } from "../../store/vault.ts";
import { showPath } from "./finding.ts";
import { readSettings, type WiredFiles } from "./settings-files.ts";
import { readTraffic, type Traffic } from "./traffic.ts";

/** What the checks look at, read once. */
export interface Facts {
  readonly env: Env;
  readonly setup: Setup;
  readonly store: Store;
  readonly wired: WiredFiles;
  readonly traffic: Traffic;
  /** Ms since the epoch. */
  readonly now: number;
  /** A path as it is shown. */
  readonly show: (path: string) => string;
}

/** Reads rules, settings files and log; changes nothing and throws nothing that is expected. */
export function gatherFacts(env: Env, now: number): Facts {
  const setup = readSetup(env);
  return {
    env,
    setup,
    store: openStore(setup.store),
    wired: readSettings(env),
    traffic: readTraffic(env.stateDir.value, now),
    now,
    show: (path) => showPath(path, env.home),
  };
}
