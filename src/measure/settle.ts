// SPDX-License-Identifier: Apache-2.0
// What one call counts for, from our own figures and the host's report (C14).
import type { CallRow } from "./row.ts";

/** Bytes that a host may trim or add at the ends of a text (line ends) without having replaced it. */
const TRIM_BYTES = 64;

export interface Settled {
  readonly in: number;
  readonly out: number;
  /** The rewrite did not reach the model. */
  readonly rejected: boolean;
}

/**
 * The sizes to book for `call`; `delivered` is what the host reported, undefined where it did not.
 * - Nothing changed, or nothing can be changed (a failure): what reached the model is both `in` and `out`, so a
 *   host's own cut is never a saving of ours.
 * - Changed: `out` is what was delivered, whatever we answered. Where that is less than our answer by more than
 *   line ends, the host put its own preview there, as it would have done without us: nothing is saved.
 * - Shadow: our figures, against what was delivered.
 */
export function settle(call: CallRow, delivered: number | undefined): Settled {
  const { inBytes, outBytes } = call;
  if (call.failure || inBytes === outBytes) {
    const bytes = delivered ?? inBytes;
    return { in: bytes, out: bytes, rejected: false };
  }
  if (delivered === undefined) return { in: inBytes, out: outBytes, rejected: false };
  if (call.shadow) return settleShadow(inBytes, outBytes, delivered);

  const trimmed = outBytes - delivered;
  if (trimmed > TRIM_BYTES) return { in: delivered, out: delivered, rejected: true };
  if (trimmed > 0) return { in: inBytes - trimmed, out: delivered, rejected: false };
  return { in: inBytes, out: delivered, rejected: delivered === inBytes || -trimmed > TRIM_BYTES };
}

// An answer larger than its original (an excerpt in place of a preview) is booked as it is.
function settleShadow(inBytes: number, outBytes: number, delivered: number): Settled {
  const before = Math.min(inBytes, delivered);
  return { in: before, out: outBytes > inBytes ? outBytes : Math.min(outBytes, before), rejected: false };
}
