// SPDX-License-Identifier: Apache-2.0
import { cleanName } from "../../report.ts";
import type { Entry } from "../../store/entries.ts";

/** What `store list` and `store show` answer of an original as JSON. Never a part of the original. */
export function toJson({ id, status, renewedAt, expiresAt, fileBytes, head, reason }: Entry): object {
  return {
    id,
    status,
    ...(head !== undefined && {
      tool: cleanName(head.tool),
      kind: cleanName(head.kind),
      bytes: head.bytes,
      saved_at: new Date(head.savedAt).toISOString(),
    }),
    file_bytes: fileBytes,
    renewed_at: new Date(renewedAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    ...(reason !== undefined && { reason }),
  };
}

/** A time for people, to the minute. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const AGES = [
  { unit: "d", ms: 24 * 60 * 60 * 1000 },
  { unit: "h", ms: 60 * 60 * 1000 },
  { unit: "m", ms: 60 * 1000 },
  { unit: "s", ms: 1000 },
] as const;

/** How long ago, in its largest whole unit: `3d`, `59m`, `0s`. */
export function formatAge(ms: number): string {
  const age = Math.max(0, ms);
  const { unit, ms: step } = AGES.find(({ ms: least }) => age >= least) ?? AGES[AGES.length - 1]!;
  return `${Math.floor(age / step)}${unit}`;
}
