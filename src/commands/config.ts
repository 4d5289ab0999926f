// SPDX-License-Identifier: Apache-2.0
// `isthmos config`: every resolved setting and where it comes from.
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { reportNotice } from "../report.ts";
import { readSetup, type Setup } from "../setup.ts";
import { VERSION } from "../version.ts";

interface Row {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly source: string;
}

/** Exit code 0, or 1 where a variable has a value that cannot be used. */
export function run({ json }: { readonly json: boolean }, env: Env, io: Io): number {
  const rows = listSettings(readSetup(env));
  if (json) {
    const settings = Object.fromEntries(rows.map(({ name, value, source }) => [name, { value, source }]));
    io.stdout(`${JSON.stringify({ version: VERSION, settings, problems: env.problems }, undefined, 2)}\n`);
  } else {
    const width = Math.max(...rows.map(({ name }) => name.length));
    for (const { name, value, source } of rows) io.stdout(`${name.padEnd(width)}  ${value}  (${source})\n`);
    for (const problem of env.problems) reportNotice(problem);
  }
  return env.problems.length === 0 ? 0 : 1;
}

function listSettings({ env, loaded, mode, storeEnabled, store }: Setup): Row[] {
  const { settings } = loaded;
  const file = "rules file";
  const modeSource = env.disabled.value
    ? env.disabled.source
    : env.shadow.value
      ? env.shadow.source
      : settings.mode === "live"
        ? "default"
        : file;
  const limit = (
    name: string,
    value: number | string,
    fromEnv: { source: string },
    written: number | string | undefined,
  ): Row => ({
    name,
    value,
    source: fromEnv.source === "default" && written !== undefined ? file : fromEnv.source,
  });
  return [
    { name: "mode", value: mode, source: modeSource },
    { name: "rules", value: env.rulesFile.value, source: env.rulesFile.source },
    { name: "state", value: env.stateDir.value, source: env.stateDir.source },
    { name: "key", value: env.keyFile.value, source: env.keyFile.source },
    { name: "claude", value: env.claudeDir.value, source: env.claudeDir.source },
    { name: "references", value: !env.noDedup.value, source: env.noDedup.source },
    { name: "budget_ms", value: env.budgetMs.value, source: env.budgetMs.source },
    { name: "store.enabled", value: storeEnabled, source: storeEnabled ? "default" : file },
    limit("store.ttl_hours", store.ttlHours, env.storeTtlHours, settings.store.ttlHours),
    limit("store.max_bytes", store.maxBytes, env.storeMaxBytes, settings.store.maxBytes),
    limit("store.max_entries", store.maxEntries, env.storeMaxEntries, settings.store.maxEntries),
    limit("store.max_entry_bytes", store.maxEntryBytes, env.storeMaxEntryBytes, settings.store.maxEntryBytes),
    limit("store.key", store.keyKind ?? "file", env.storeKey, settings.store.key),
  ];
}
