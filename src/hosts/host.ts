// SPDX-License-Identifier: Apache-2.0
// What a host adapter must give. The adapter owns the envelope; everything else sees only these types.
import type { Splice } from "../core/splice.ts";

/** A text the model will see, found inside the host's result. */
export interface Region {
  /** The text's bytes: UTF-8, or WTF-8 where the host's JSON held a lone surrogate. */
  readonly bytes: Uint8Array;
  /** What the host lets us take: anything; only the end (one hole, its marker last); nothing. */
  readonly cut: "any" | "tail" | "none";
  /** Names (a file list) are neither failures nor JSON. */
  readonly content: "text" | "names";
}

/** One tool result on its way to the model. */
export interface ToolCall {
  readonly tool: string;
  /** Session, sub-agent and use ids as the host gives them; never written to disk as they are. */
  readonly session?: string;
  readonly agent?: string;
  readonly useId?: string;
  readonly regions: readonly Region[];
  /** The host replaces this result by a preview and a file of its own. */
  readonly spilled: boolean;
  /** Output of isthmos itself (C10): never changed. */
  readonly own: boolean;
}

/** What the host says it delivered for one call, regions joined as the model reads them, host's decoration removed. */
export interface Delivery {
  readonly tool: string;
  readonly useId?: string;
  readonly bytes: Uint8Array;
}

export type HostEvent<Call extends ToolCall = ToolCall> =
  | { readonly kind: "result"; readonly call: Call }
  /** A failed call: the host accepts no rewrite of it; `bytes` is the size of what the model sees. */
  | { readonly kind: "failure"; readonly tool: string; readonly useId?: string; readonly bytes: number }
  /** The turn's calls as they reached the model. */
  | {
      readonly kind: "batch";
      readonly session?: string;
      readonly agent?: string;
      readonly deliveries: readonly Delivery[];
    }
  /** The session's context was begun, resumed, forked, cleared or compacted: what was said before may be gone. */
  | { readonly kind: "boundary"; readonly session: string; readonly starts: boolean }
  /** A known event that needs no answer and no record. */
  | { readonly kind: "ignored" };

/** The new text of one region; `id` is what its markers cite. */
export interface Rewrite {
  readonly splices: readonly Splice[];
  readonly id?: string;
}

export interface Host<Call extends ToolCall = ToolCall> {
  /** As in the measurement log's `host`. */
  readonly name: string;
  /** The event in `input`, or undefined if it is not this host's or not well-formed. Never throws. */
  decode(input: Uint8Array): HostEvent<Call> | undefined;
  /**
   * The host's answer that replaces the result: `rewrites[i]` belongs to `call.regions[i]`, undefined leaves
   * it. At least one is given. One JSON document, without a line end.
   */
  encode(call: Call, rewrites: readonly (Rewrite | undefined)[]): Uint8Array;
}
