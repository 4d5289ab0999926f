// SPDX-License-Identifier: Apache-2.0

/** broken: isthmos does not work as configured; warning: it works, and something wants a look; note: worth knowing. */
export type Level = "ok" | "note" | "warning" | "broken";

/** What a finding is about, in the order in which `doctor` looks. */
export type Check =
  | "rules"
  | "mode"
  | "env"
  | "key"
  | "store"
  | "log"
  | "private"
  | "hook"
  | "client"
  | "trial"
  | "server"
  | "matcher"
  | "calls"
  | "rewrites"
  | "reveals"
  | "failures"
  | "fix";

/** One thing `doctor` found. Texts may hold foreign names: they are cleaned where they are printed. */
export interface Finding {
  readonly check: Check;
  readonly level: Level;
  readonly message: string;
  /** The next step. */
  readonly hint?: string;
}

/** Adds a finding of one check. */
export type Add = (level: Level, message: string, hint?: string) => void;

/** How far back what happened lately goes, ms. */
export const RECENT_MS = 72 * 60 * 60 * 1000;
/** RECENT_MS for people. */
export const RECENT_WORDS = "72 hours";

/** A time for people, to the minute. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A path with `~` for the home folder. */
export function showPath(path: string, home: string): string {
  if (path === home) return "~";
  const prefix = home.endsWith("/") ? home : `${home}/`;
  return path.startsWith(prefix) ? `~/${path.slice(prefix.length)}` : path;
}

/** The first `count` names, and how many more there are. */
export function listSome(names: readonly string[], count: number): string {
  const shown = names.slice(0, count).join(", ");
  return names.length > count ? `${shown} and ${names.length - count} more` : shown;
}
