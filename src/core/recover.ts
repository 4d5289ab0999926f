// SPDX-License-Identifier: Apache-2.0
// The part of an original that a marker names, in the marker's own units: what the hole took, byte for byte.
import { type Part, type Problem, takeSpan, takeText } from "./recover/span.ts";

export type { Part, Range } from "./recover/span.ts";

export type Recovered = { readonly bytes: Uint8Array } | Problem;

/** The bytes of the part, or why there are none, in words for the user. A range may end past the end. */
export function recoverPart(original: Uint8Array, part: Part): Recovered {
  const text = takeText(original, part.field);
  if ("problem" in text) return text;
  const span = takeSpan(text, part);
  return "problem" in span ? span : { bytes: text.subarray(span.from, span.to) };
}
