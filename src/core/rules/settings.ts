// SPDX-License-Identifier: Apache-2.0
import type { CompiledRule } from "./policy.ts";

export type Mode = "live" | "shadow" | "off";

/** Where the store's key is: in its file, in the keychain of the system, or sealed under a passphrase. */
export const KEY_KINDS = ["file", "keychain", "passphrase"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The file's `"store"` object; what is absent is at its default. */
export interface StoreSettings {
  readonly enabled: boolean;
  readonly ttlHours?: number;
  readonly maxBytes?: number;
  readonly maxEntries?: number;
  readonly maxEntryBytes?: number;
  readonly key?: KeyKind;
}

/** What a rules file says, checked. */
export interface Settings {
  readonly mode: Mode;
  /** In the file's order; a rule that was left out leaves a gap in `index`. */
  readonly rules: readonly CompiledRule[];
  readonly store: StoreSettings;
}

/** Something in the file to put right, with the words for the user. */
export interface Problem {
  readonly message: string;
  /** 1-based; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** Position of the rule in the file, 0-based; messages count from 1. */
  readonly rule?: number;
  /** error: a part of the file has no effect; warning: it has one, maybe not the one that was meant. */
  readonly severity: "error" | "warning";
}

/** Without a rules file. */
export const NO_RULES: Settings = { mode: "live", rules: [], store: { enabled: true } };
