// SPDX-License-Identifier: Apache-2.0
// Environment and rules file, put together: the mode, the rules, the store's limits.
import type { Mode, Settings } from "./core/rules/settings.ts";
import type { Env } from "./env.ts";
import { type LoadedRules, loadRulesFile } from "./rules-file.ts";
import { STORE_DEFAULTS, type StoreOptions } from "./store/vault.ts";

export interface Setup {
  readonly env: Env;
  readonly loaded: LoadedRules;
  readonly mode: Mode;
  /** False: nothing is stored, so nothing is cut that would need it. */
  readonly storeEnabled: boolean;
  readonly store: StoreOptions;
}

/** Reads the rules file and resolves what depends on both. Never throws. */
export function readSetup(env: Env): Setup {
  const loaded = loadRulesFile(env.rulesFile.value);
  return {
    env,
    loaded,
    mode: resolveMode(env, loaded.settings.mode),
    ...resolveStore(env, loaded.settings.store),
  };
}

/** The switches of the environment win; off wins over shadow. */
function resolveMode(env: Env, written: Mode): Mode {
  if (env.disabled.value) return "off";
  return env.shadow.value ? "shadow" : written;
}

function resolveStore(env: Env, written: Settings["store"]): Pick<Setup, "storeEnabled" | "store"> {
  return {
    storeEnabled: written.enabled,
    store: {
      stateDir: env.stateDir.value,
      keyFile: env.keyFile.value,
      keyKind: env.storeKey.value ?? written.key ?? "file",
      ttlHours: env.storeTtlHours.value ?? written.ttlHours ?? STORE_DEFAULTS.ttlHours,
      maxBytes: env.storeMaxBytes.value ?? written.maxBytes ?? STORE_DEFAULTS.maxBytes,
      maxEntries: env.storeMaxEntries.value ?? written.maxEntries ?? STORE_DEFAULTS.maxEntries,
      maxEntryBytes: env.storeMaxEntryBytes.value ?? written.maxEntryBytes ?? STORE_DEFAULTS.maxEntryBytes,
    },
  };
}
