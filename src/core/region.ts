// SPDX-License-Identifier: Apache-2.0

/** A text the model will see, found inside the host's result. */
export interface Region {
  /** The text's bytes: UTF-8, or WTF-8 where the host's JSON held a lone surrogate. */
  readonly bytes: Uint8Array;
  /** What the host lets us take: anything; only the end (one hole, its marker last); nothing. */
  readonly cut: "any" | "tail" | "none";
  /** Names (a file list) are neither failures nor JSON. */
  readonly content: "text" | "names";
}
