// SPDX-License-Identifier: Apache-2.0
// The way of one result through rules, engine and store, in this process and in a folder of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyResult, type Context, measureResult } from "../../src/apply.ts";
import type { Cuts } from "../../src/core/cuts.ts";
import { addCuts } from "../../src/core/cuts.ts";
import { parseRules } from "../../src/core/rules/parse.ts";
import { applySplices } from "../../src/core/splice.ts";
import { readEnv } from "../../src/env.ts";
import type { Region, ToolCall } from "../../src/hosts/host.ts";
import { monotonicMs } from "../../src/io.ts";
import { readSetup, type Setup } from "../../src/setup.ts";
import { openStore, type Store } from "../../src/store/vault.ts";
import { TOOL } from "./arbitraries.ts";

export interface Applied {
  readonly output: Uint8Array;
  readonly changed: boolean;
  readonly id: string | undefined;
  readonly cuts: Readonly<Cuts>;
  /** What was written into the log. */
  readonly outBytes: number;
}

export interface Bench {
  readonly dir: string;
  readonly stateDir: string;
  readonly store: Store;
  /** Applies rules (as the file has them) to one text. */
  apply(bytes: Uint8Array, rules: readonly object[], options?: ApplyOptions): Applied;
  remove(): void;
}

export interface ApplyOptions {
  readonly tool?: string;
  readonly cut?: Region["cut"];
  readonly content?: Region["content"];
  /** Members of the rules file beside `rules`. */
  readonly file?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** A fresh folder with no key, store or log. */
export function makeBench(): Bench {
  const dir = mkdtempSync(join(tmpdir(), "isthmos-bench-"));
  const stateDir = join(dir, ".local/state/isthmos");
  return {
    dir,
    stateDir,
    store: openStore(setupOf(dir, [], {}).store),
    apply: (bytes, rules, options = {}) => {
      const { tool = TOOL, cut = "any", content = "text" } = options;
      const call: ToolCall = { tool, regions: [{ bytes, cut, content }], spilled: false, own: false };
      const context: Context = { setup: setupOf(dir, rules, options), startedAt: monotonicMs() };
      const outcome = applyResult(call, context);
      measureResult(call, outcome, context);
      const rewrite = outcome.rewrites?.[0];
      const cuts: Cuts = {};
      for (const compression of outcome.decision?.compressions ?? []) addCuts(cuts, compression.cuts);
      return {
        output: rewrite === undefined ? bytes : applySplices(bytes, rewrite.splices, rewrite.id),
        changed: rewrite !== undefined,
        id: rewrite?.id,
        cuts,
        outBytes: outcome.decision?.compressions[0]?.outBytes ?? bytes.length,
      };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function setupOf(dir: string, rules: readonly object[], { file, env }: ApplyOptions): Setup {
  // The machine may be slow; what the budget does has its own tests.
  const variables = { HOME: dir, ISTHMOS_BUDGET_MS: "60000", ...env };
  const base = readSetup(readEnv(variables, () => dir));
  const parsed = parseRules(JSON.stringify({ ...file, rules }));
  if (!parsed.usable || parsed.problems.length > 0) {
    throw new Error(`rules of a test: ${JSON.stringify(parsed.problems)}`);
  }
  const { settings } = parsed;
  const mode = base.mode === "live" ? settings.mode : base.mode;
  return {
    ...base,
    mode,
    storeEnabled: settings.store.enabled,
    loaded: { path: "", status: "ok", reason: undefined, settings, problems: [] },
  };
}
