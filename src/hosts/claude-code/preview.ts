// SPDX-License-Identifier: Apache-2.0
// What the client shows in place of a result that it spills: a notice with size and path, and the first 2,000
// characters, back to a line end if one is in their second half. Observed with client 2.1.332.
import { utf8Length } from "../../core/utf8.ts";

const PREVIEW_MAX_UNITS = 2000;
const BEFORE_SIZE = "<persisted-output>\nOutput too large (";
const BEFORE_PATH = "). Full output saved to: ";
const BEFORE_PREVIEW = "\n\nPreview (first 2KB):\n";
const AFTER_PREVIEW = "\n...\n</persisted-output>";

/** UTF-8 bytes of the preview of a text of `size` bytes that begins with `head` (2,000 characters or more) and lies at `path`. */
export function previewBytes(head: Uint8Array, size: number, path: string): number {
  // A character takes at most three bytes a UTF-16 unit.
  const text = new TextDecoder().decode(head.subarray(0, 3 * PREVIEW_MAX_UNITS)).slice(0, PREVIEW_MAX_UNITS);
  const lineEnd = text.lastIndexOf("\n");
  const shown = lineEnd > PREVIEW_MAX_UNITS / 2 ? text.slice(0, lineEnd) : text;
  const notice = `${BEFORE_SIZE}${formatSize(size)}${BEFORE_PATH}${path}${BEFORE_PREVIEW}`;
  return utf8Length(notice) + utf8Length(shown) + AFTER_PREVIEW.length;
}

/** 79893 → 78KB, 86938 → 84.9KB. */
function formatSize(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${kilobytes.toFixed(1).replace(/\.0$/, "")}KB`;
  return `${(kilobytes / 1024).toFixed(1).replace(/\.0$/, "")}MB`;
}
