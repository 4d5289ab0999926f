// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, readEnv } from "../../src/env.ts";
import { readSetup } from "../../src/setup.ts";
import { openStore, type Store } from "../../src/store/vault.ts";
import { makeText } from "./temp-store.ts";

/** A home of its own with a store. */
export interface StoreHome {
  readonly home: string;
  readonly env: Env;
  readonly store: Store;
  /** Saves a text of its own for each seed; its id. */
  save(seed: string, tool?: string): string;
  entryPath(id: string): string;
}

export function makeStoreHome(variables: Readonly<Record<string, string>> = {}): StoreHome {
  const home = mkdtempSync(join(tmpdir(), "isthmos-home-"));
  const env = readEnv({ HOME: home, ...variables }, () => home);
  const store = openStore(readSetup(env).store);
  return {
    home,
    env,
    store,
    save: (seed, tool = "Bash") => store.save(makeText(seed), { tool, kind: "text" }),
    entryPath: (id) => join(env.stateDir.value, "store", `${id}.bin`),
  };
}
