// SPDX-License-Identifier: Apache-2.0
// `isthmos store purge`: removes originals, or everything that isthmos keeps; says what and how many bytes.
import type { Env } from "../../env.ts";
import type { Io } from "../../io.ts";
import { formatBytes, formatCount } from "../../measure/units.ts";
import { reportError, reportNotice } from "../../report.ts";
import { readSetup } from "../../setup.ts";
import { type PurgeOptions, type PurgeReport, purge } from "../../store/purge.ts";
import { StoreError } from "../../store/store-error.ts";
import { openStore, type Store } from "../../store/vault.ts";

export interface PurgeArgs {
  /** Whole ids or their first digits; or one of the words. */
  readonly what: { readonly ids: readonly string[] } | "expired" | "all" | "everything";
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Exit code 0, or 1 where an id is not stored or something cannot be removed. */
export function run({ what, dryRun, json }: PurgeArgs, env: Env, io: Io): number {
  const { store: options } = readSetup(env);
  const store = openStore(options);
  const missing: string[] = [];
  const chosen = typeof what === "object" ? { ids: findAll(what.ids, store, missing) } : what;
  let report: PurgeReport;
  try {
    const { stateDir, keyFile, ttlHours } = options;
    report = purge({ stateDir, keyFile, ttlHours, what: chosen, dryRun } satisfies PurgeOptions);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (json) io.stdout(`${JSON.stringify({ status: "error", reason: error.message, hint: error.hint })}\n`);
    else reportError(error.message, error.hint);
    return 1;
  }
  const problems = [...missing, ...report.problems];
  if (json) {
    const status = problems.length === 0 ? "ok" : "error";
    const answer = { status, dry_run: dryRun, purged: report.purged, left: report.left, problems };
    io.stdout(`${JSON.stringify(answer, undefined, 2)}\n`);
  } else {
    io.stdout(`${describe(report, dryRun)}\n`);
    if (report.left.length > 0) reportNotice(`left as it is: ${report.left.join(", ")}`);
    for (const problem of problems) reportError(problem);
  }
  return problems.length === 0 ? 0 : 1;
}

function findAll(texts: readonly string[], store: Store, missing: string[]): string[] {
  return texts.flatMap((text) => {
    const found = store.find(text);
    if ("id" in found && store.has(found.id)) return [found.id];
    missing.push("id" in found ? `no original of the id ${text} is stored` : found.problem);
    return [];
  });
}

function describe({ purged }: PurgeReport, dryRun: boolean): string {
  if (purged.length === 0) return "nothing to remove";
  const bytes = purged.reduce((sum, pile) => sum + pile.bytes, 0);
  const piles = purged.map(
    (pile) => `${pile.what} ${formatCount(pile.files, "file")}, ${formatBytes(pile.bytes)}`,
  );
  return `${dryRun ? "would remove" : "removed"} ${formatBytes(bytes)}: ${piles.join("; ")}`;
}
