// SPDX-License-Identifier: Apache-2.0
// What a host adapter must give. The adapter owns the envelope; everything else sees only these types.
import type { Region } from "../core/region.ts";
import type { Splice } from "../core/splice.ts";

export type { Region } from "../core/region.ts";

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
  /** Where the host keeps the whole of a spilled result, if its event says so: in a folder of its own for such files. */
  readonly spillFile?: string;
  /**
   * UTF-8 bytes of what the model gets of a spilled result without us. Given where an excerpt can be made: from
   * `spillFile`, or without one from the regions, which are then the whole text.
   */
  readonly previewBytes?: number;
  /**
   * False where the model sees the text with something that the region does not hold, such as other line numbers:
   * it may not be said to be identical to another one (C12). True if left out.
   */
  readonly referable?: boolean;
  /** Output of isthmos itself (C10): never changed. */
  readonly own: boolean;
}

/** Texts of one result as the model reads them in a row: a line feed between two. Regions and deliveries are joined so. */
export function joinTexts(texts: readonly Uint8Array[]): Uint8Array {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only;
  const size = texts.reduce((sum, text) => sum + text.length + 1, -1);
  const out = new Uint8Array(Math.max(0, size)).fill(0x0a);
  let at = 0;
  for (const text of texts) {
    out.set(text, at);
    at += text.length + 1;
  }
  return out;
}

/** What the host says it delivered for one call, texts joined by `joinTexts`, the host's decoration removed. */
export interface Delivery {
  readonly tool: string;
  readonly useId?: string;
  readonly bytes: Uint8Array;
}

/** A failed call: the host accepts no rewrite of it. */
export interface FailureEvent {
  readonly kind: "failure";
  readonly tool: string;
  readonly useId?: string;
  /** UTF-8 bytes of what the model sees. */
  readonly bytes: number;
}

/** The calls of one turn as they reached the model. */
export interface BatchEvent {
  readonly kind: "batch";
  readonly session?: string;
  readonly agent?: string;
  readonly deliveries: readonly Delivery[];
}

/** The session's context was begun, resumed, forked, cleared or compacted: what was said before may be gone. */
export interface BoundaryEvent {
  readonly kind: "boundary";
  readonly session: string;
  /** True where the session begins or is taken up again, false where it is compacted. */
  readonly starts: boolean;
}

export type HostEvent<Call extends ToolCall = ToolCall> =
  | { readonly kind: "result"; readonly call: Call }
  | FailureEvent
  | BatchEvent
  | BoundaryEvent
  /** A known event that needs no answer and no record. */
  | { readonly kind: "ignored" };

/** The new text of one region; `id` is what its markers cite. */
export interface Rewrite {
  readonly splices: readonly Splice[];
  /** The text that the splices are of, where it is not the region's: that of the host's file. The region gives way to it. */
  readonly of?: Uint8Array;
  readonly id?: string;
}

export interface Host<Call extends ToolCall = ToolCall> {
  /** As in the measurement log's `host`. */
  readonly name: string;
  /** The event in `input`, or undefined if it is not this host's or not well-formed. Never throws. */
  decode(input: Uint8Array): HostEvent<Call> | undefined;
  /**
   * The host's answer that replaces the result: `rewrites[i]` belongs to `call.regions[i]`, undefined leaves
   * it. At least one is given. One JSON document, without a line end. Throws where an edit does not fit the
   * region (a name list that loses its middle); the original is then what stands.
   */
  encode(call: Call, rewrites: readonly (Rewrite | undefined)[]): Uint8Array;
}
