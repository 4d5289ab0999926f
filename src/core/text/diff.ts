// SPDX-License-Identifier: Apache-2.0
// Finds diffs and patches, alone or inside a longer text (C8): from the header of a file to its last hunk
// line, and commit headers between them. Not told by a header or a hunk that counts: not found.
import { isDigit } from "./bytes.ts";
import { binaryEnd, bodyStart, contextDiffEnd, hunkEnd, startsLine } from "./hunk.ts";
import { contentEnd, type Lines } from "./lines.ts";
import { FIXED } from "./marks.ts";

/** Lines between `diff --git` and the hunks. */
const EXTENDED_HEADERS = [
  "old mode ",
  "new mode ",
  "deleted file mode ",
  "new file mode ",
  "copy from ",
  "copy to ",
  "rename from ",
  "rename to ",
  "similarity index ",
  "dissimilarity index ",
  "index ",
  "mode ",
  "Binary files ",
];

/** An abbreviated commit id has at least this many hex digits. */
const COMMIT_MIN_DIGITS = 7;

/** Sets FIXED on the lines of diffs and patches, and of commit headers in front of them. */
export function markDiffs(lines: Lines, marks: Uint8Array): void {
  let gap = 0;
  for (let line = 0; line < lines.count; ) {
    const end = diffEnd(lines, line);
    if (end === line) {
      line++;
      continue;
    }
    const from = isCommitHeader(lines, gap, line) ? gap : line;
    for (let at = from; at < end; at++) marks[at]! |= FIXED;
    gap = end;
    line = end;
  }
}

/** The line after the diff of one file, or the lone hunk, that starts at `line`; `line` if none does. */
function diffEnd(lines: Lines, line: number): number {
  switch (lines.text[bodyStart(lines, line)]) {
    case 0x64:
      return gitDiffEnd(lines, line);
    case 0x2d:
      return hunksEnd(lines, line);
    case 0x49: {
      if (!startsLine(lines, line, "Index: ")) return line;
      const body = startsLine(lines, line + 1, "====") ? line + 2 : line + 1;
      const end = hunksEnd(lines, body);
      return end > body ? end : line;
    }
    case 0x40:
      return hunkEnd(lines, line);
    case 0x2a:
      return contextDiffEnd(lines, line);
    default:
      return line;
  }
}

function gitDiffEnd(lines: Lines, line: number): number {
  const isGit = ["--git ", "--cc ", "--combined "].some((kind) => startsLine(lines, line, `diff ${kind}`));
  if (!isGit) {
    if (!startsLine(lines, line, "diff -")) return line;
    const end = hunksEnd(lines, line + 1);
    return end > line + 1 ? end : line;
  }
  let next = line + 1;
  while (next < lines.count && EXTENDED_HEADERS.some((header) => startsLine(lines, next, header))) next++;
  if (startsLine(lines, next, "GIT binary patch")) return binaryEnd(lines, next + 1);
  return hunksEnd(lines, next);
}

/** The line after `--- `, `+++ ` and the hunks below them, or `line` where that does not stand there. */
function hunksEnd(lines: Lines, line: number): number {
  if (!startsLine(lines, line, "--- ") || !startsLine(lines, line + 1, "+++ ")) return line;
  let next = line + 2;
  for (let end = next; next < lines.count; next = end) {
    end = startsLine(lines, next, "@@") ? hunkEnd(lines, next) : next;
    if (end === next) break;
  }
  return next > line + 2 ? next : line;
}

/** True if the lines `from` to `to` start like a commit in front of its patch: `commit <id>`, `From <id>`, `<id> subject`, or the end of a mail (`-- `). */
function isCommitHeader(lines: Lines, from: number, to: number): boolean {
  let line = from;
  while (line < to && contentEnd(lines, line) === lines.starts[line]) line++;
  if (line === to) return from > 0;
  if (from > 0 && startsLine(lines, line, "-- ")) return true;
  let at = bodyStart(lines, line);
  const named = startsLine(lines, line, "commit ") ? 7 : startsLine(lines, line, "From ") ? 5 : 0;
  at += named;
  let digits = at;
  while (digits < lines.starts[line + 1]! && isHexDigit(lines.text[digits]!)) digits++;
  return digits - at >= COMMIT_MIN_DIGITS && (named > 0 || to - line === 1);
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x61 && byte <= 0x66);
}
