// SPDX-License-Identifier: Apache-2.0
// The only reader of the environment: variables and home folder in, a frozen Env out.
import { join } from "node:path";
import { KEY_KINDS, type KeyKind } from "./core/rules/settings.ts";

/** A resolved setting and where it came from: a variable's name, or "default". */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

export interface Env {
  readonly home: string;
  readonly rulesFile: Setting<string>;
  /** Folder of log, health record, store and seen index. */
  readonly stateDir: Setting<string>;
  readonly keyFile: Setting<string>;
  /** ISTHMOS_SHADOW=1 and ISTHMOS_DISABLE=1 win over the rules file's `mode`. */
  readonly shadow: Setting<boolean>;
  readonly disabled: Setting<boolean>;
  readonly noDedup: Setting<boolean>;
  /** Time budget of one call, ms. */
  readonly budgetMs: Setting<number>;
  /** Store limits from the environment; they win over the rules file's `"store"`. Undefined: not set. */
  readonly storeTtlHours: Setting<number | undefined>;
  readonly storeMaxBytes: Setting<number | undefined>;
  readonly storeMaxEntries: Setting<number | undefined>;
  readonly storeMaxEntryBytes: Setting<number | undefined>;
  /** Where a new key of the store is kept. */
  readonly storeKey: Setting<KeyKind | undefined>;
  /** Folder of the Claude Code client's settings and transcripts. */
  readonly claudeDir: Setting<string>;
  /** Folders of PATH. */
  readonly searchPath: readonly string[];
  readonly colour: boolean;
  /** The working folder, asked for when first read; undefined where it was deleted. */
  readonly cwd: string | undefined;
  /** What was set to a value that cannot be used, in words for `doctor` and `config`. */
  readonly problems: readonly string[];
  /** All variables as they came, to hand on to a program that is started. */
  readonly variables: Variables;
}

type Variables = Readonly<Record<string, string | undefined>>;

const BUDGET_MS = 2000;

/**
 * Resolves every setting; `homedir` is asked only where HOME is unset, `cwd` only where the folder is read. Never
 * throws for a bad value: default and a problem.
 */
export function readEnv(
  variables: Variables,
  homedir: () => string,
  cwd: () => string = () => process.cwd(),
): Env {
  const problems: string[] = [];
  // A relative home would make every folder that isthmos is started in a home of its own, with its own rules.
  const home = variables.HOME?.startsWith("/") ? variables.HOME : safeHome(homedir);
  const dir = (name: string, xdg: string, fallback: string, rest: string): Setting<string> => {
    if (variables[name]) return { value: variables[name], source: name };
    const base = variables[xdg];
    // The XDG specification: a relative path is invalid and ignored.
    if (base?.startsWith("/")) return { value: join(base, rest), source: xdg };
    return { value: join(home, fallback, rest), source: "default" };
  };
  const flag = (name: string): Setting<boolean> => {
    const text = variables[name] ?? "";
    return text === ""
      ? { value: false, source: "default" }
      : { value: text !== "0" && text !== "false", source: name };
  };
  const count = (name: string, min: number): Setting<number | undefined> => {
    const text = variables[name];
    if (text === undefined || text === "") return { value: undefined, source: "default" };
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return { value, source: name };
    problems.push(`${name} must be a whole number of at least ${min}`);
    return { value: undefined, source: "default" };
  };
  const budget = count("ISTHMOS_BUDGET_MS", 0);

  return Object.freeze({
    home,
    rulesFile: dir("ISTHMOS_RULES", "XDG_CONFIG_HOME", ".config", "isthmos/rules.json"),
    stateDir: dir("ISTHMOS_STATE_DIR", "XDG_STATE_HOME", ".local/state", "isthmos"),
    keyFile: dir("ISTHMOS_KEY_FILE", "XDG_DATA_HOME", ".local/share", "isthmos/store.key"),
    shadow: flag("ISTHMOS_SHADOW"),
    disabled: flag("ISTHMOS_DISABLE"),
    noDedup: flag("ISTHMOS_NO_DEDUP"),
    budgetMs: { value: budget.value ?? BUDGET_MS, source: budget.source },
    storeTtlHours: count("ISTHMOS_STORE_TTL_HOURS", 1),
    storeMaxBytes: count("ISTHMOS_STORE_MAX_BYTES", 1),
    storeMaxEntries: count("ISTHMOS_STORE_MAX_ENTRIES", 1),
    storeMaxEntryBytes: count("ISTHMOS_STORE_MAX_ENTRY_BYTES", 1),
    storeKey: readKeyKind(variables.ISTHMOS_STORE_KEY, problems),
    claudeDir: variables.CLAUDE_CONFIG_DIR
      ? { value: variables.CLAUDE_CONFIG_DIR, source: "CLAUDE_CONFIG_DIR" }
      : { value: join(home, ".claude"), source: "default" },
    searchPath: (variables.PATH ?? "").split(":").filter((folder) => folder.startsWith("/")),
    colour: (variables.NO_COLOR ?? "") === "" && variables.TERM !== "dumb",
    // A getter, so that the hook path never asks.
    get cwd() {
      return tryCwd(cwd);
    },
    problems,
    variables,
  });
}

function readKeyKind(text: string | undefined, problems: string[]): Setting<KeyKind | undefined> {
  const kind = KEY_KINDS.find((known) => known === text);
  if (kind === undefined && text) problems.push(`ISTHMOS_STORE_KEY must be one of ${KEY_KINDS.join(", ")}`);
  return { value: kind, source: kind === undefined ? "default" : "ISTHMOS_STORE_KEY" };
}

function safeHome(homedir: () => string): string {
  try {
    return homedir();
  } catch {
    return "/";
  }
}

function tryCwd(cwd: () => string): string | undefined {
  try {
    return cwd();
  } catch {
    return undefined;
  }
}

/** The passphrase of the store's key, read when it is needed: it is no setting, and `config` must not show it. */
export function readPassphrase(): string | undefined {
  return process.env.ISTHMOS_PASSPHRASE || undefined;
}

/** The system that this process runs on, as Node.js calls it. */
export function hostPlatform(): string {
  return process.platform;
}
