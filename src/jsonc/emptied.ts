// SPDX-License-Identifier: Apache-2.0
import type { Path, TreeNode } from "../core/rules/source.ts";
import { nodeAt, parseText } from "./document.ts";
import { removeAt } from "./edit.ts";

/** A string, passed over, or the beginning of a comment. */
const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/[/*]/g;

/**
 * What becomes of the containers at `paths`, the innermost first, where a removal has left them empty: one that
 * `before` did not have goes, unless a comment stands in it; one that was as empty before gets its blanks back. Without
 * `before` nobody knows whose they are, so they stay.
 */
export function tidyEmptied(text: string, paths: readonly Path[], before: string | undefined): string {
  if (before === undefined) return text;
  const old = parseText(before);
  let body = text;
  for (const path of paths) {
    const node = nodeAt(body, parseText(body), path);
    if (node?.children?.length !== 0) continue;
    const was = nodeAt(before, old, path);
    if (was === undefined) {
      if (!hasComment(textOf(body, node))) body = removeAt(body, path);
    } else if (isSameInside(textOf(body, node), textOf(before, was))) {
      body = body.slice(0, node.offset) + textOf(before, was) + body.slice(node.offset + node.length);
    }
  }
  return body;
}

/** True if there is a comment in a piece of JSON with comments. */
export function hasComment(text: string): boolean {
  return (text.match(STRING_OR_COMMENT) ?? []).some((found) => found.startsWith("/"));
}

function isSameInside(one: string, other: string): boolean {
  return one[0] === other[0] && one.slice(1, -1).trim() === other.slice(1, -1).trim();
}

function textOf(text: string, { offset, length }: TreeNode): string {
  return text.slice(offset, offset + length);
}
