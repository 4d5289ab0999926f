// SPDX-License-Identifier: Apache-2.0
import type { Splice } from "./splice.ts";

/** How often each kind of cut was made; left out where none. Keys, items, lines and runs count units of the original. */
export interface Cuts {
  keys?: number;
  items?: number;
  lines?: number;
  /** Strings and single lines that lost their middle. */
  strings?: number;
  /** Lines that a repeat marker stands for. */
  runs?: number;
  /** Bytes of insignificant white space. */
  space?: number;
  seen?: number;
}

export interface Compression {
  /** Of the region's bytes; empty where nothing changes. */
  readonly splices: readonly Splice[];
  /** UTF-8 bytes the model would see. */
  readonly outBytes: number;
  /** True if a marker cites the stored original. */
  readonly citesId: boolean;
  readonly cuts: Readonly<Cuts>;
}
