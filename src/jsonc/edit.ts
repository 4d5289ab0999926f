// SPDX-License-Identifier: Apache-2.0
// Edits of a user's JSON as text: what is not touched keeps every byte, comments, order, commas and line ends
// included. What is added takes the layout around it, at the end of its container; to remove it again gives the
// text as it was. Texts are without a byte order mark; errors are JsoncError.
import type { Path, TreeNode } from "../core/rules/source.ts";
import { JsoncError, nodeAt, parseText, problemAt } from "./document.ts";
import { lineIndent, ownIndent, printValue, readStyle, type Style } from "./style.ts";
import { scanTrivia, type Trivia } from "./trivia.ts";

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly put: string;
}

/** Puts a value at `path`: replaces the one that is there, else adds the last name that is missing and all below it. */
export function setAt(text: string, path: Path, value: unknown): string {
  const root = requireRoot(text);
  const present = nodeAt(text, root, path);
  const style = readStyle(text, root);
  if (present !== undefined) {
    const manyLines = isOverLines(text, present) || (present.children?.length === 0 && style.manyLines);
    const put = printValue(value, style, manyLines, lineIndent(text, present.offset));
    return apply(text, [{ start: present.offset, end: endOf(present), put }]);
  }
  let depth = path.length - 1;
  while (nodeAt(text, root, path.slice(0, depth)) === undefined) depth--;
  const container = nodeAt(text, root, path.slice(0, depth))!;
  let nested = value;
  for (const step of path.slice(depth + 1).reverse()) nested = { [step]: nested };
  return append(text, container, String(path[depth]), nested, style);
}

/** Adds a value at the end of the list at `path`, which must be there. */
export function appendAt(text: string, path: Path, value: unknown): string {
  const root = requireRoot(text);
  const list = nodeAt(text, root, path);
  if (list?.type !== "array") throw new JsoncError(`${path.join(".")} must be a list`);
  return append(text, list, undefined, value, readStyle(text, root));
}

/** Removes the member or item at `path`; the same text if there is none. */
export function removeAt(text: string, path: Path): string {
  const root = parseText(text);
  const container = nodeAt(text, root, path.slice(0, -1));
  const value = nodeAt(text, root, path);
  if (container === undefined || value === undefined) return text;
  const kids = container.children ?? [];
  const at = kids.findIndex((kid) => kid === value || kid.children?.[1] === value);
  const kid = kids[at];
  return kid === undefined ? text : remove(text, container, kids, at, kid);
}

/** A byte order mark, if there is one, and what follows it. */
export function splitMark(text: string): { readonly mark: string; readonly body: string } {
  return text.startsWith("\uFEFF") ? { mark: "\uFEFF", body: text.slice(1) } : { mark: "", body: text };
}

/** The edit of a text with a byte order mark, which stays. */
export function withoutMark(text: string, edit: (body: string) => string): string {
  const { mark, body } = splitMark(text);
  return mark + edit(body);
}

function requireRoot(text: string): TreeNode {
  const root = parseText(text);
  if (root === undefined) throw new JsoncError("the file is empty");
  return root;
}

function append(
  text: string,
  container: TreeNode,
  name: string | undefined,
  value: unknown,
  style: Style,
): string {
  const wanted = name === undefined ? "array" : "object";
  if (container.type !== wanted) {
    throw problemAt(text, container.offset, `${wanted === "array" ? "a list" : "an object"} must stand here`);
  }
  const kids = container.children ?? [];
  const last = kids.at(-1);
  const close = endOf(container) - 1;
  const trivia = between(text, last === undefined ? container.offset + 1 : endOf(last), close);
  const comma = last && trivia.find(({ kind }) => kind === "comma");
  const place = last === undefined ? trivia.at(-1) : lastOnLine(text, comma?.end ?? endOf(last), trivia);
  const at = place?.end ?? comma?.end ?? (last === undefined ? container.offset + 1 : endOf(last));
  const isApart = kids.length === 0 ? style.manyLines : isOverLines(text, container);
  const manyLines = isApart || place?.kind === "line";
  const indent = kids[0] && ownIndent(text, kids[0].offset);
  const outer = lineIndent(text, container.offset);
  const inner = indent ?? outer + style.unit;
  const body = printValue(value, style, manyLines, inner);
  const item =
    name === undefined ? body : `${JSON.stringify(name)}:${style.spaced || manyLines ? " " : ""}${body}`;
  const lead = manyLines ? style.eol + inner : last !== undefined && style.spaced ? " " : "";
  const cuts: Cut[] = [];
  if (last !== undefined && comma === undefined)
    cuts.push({ start: endOf(last), end: endOf(last), put: "," });
  const isClosed = last !== undefined || !manyLines || text.slice(at, close).includes("\n");
  cuts.push({
    start: at,
    end: isClosed ? at : close,
    put: `${lead}${item}${comma ? "," : ""}${isClosed ? "" : style.eol + outer}`,
  });
  return apply(text, cuts);
}

function remove(
  text: string,
  container: TreeNode,
  kids: readonly TreeNode[],
  at: number,
  kid: TreeNode,
): string {
  const previous = kids[at - 1];
  const close = endOf(container) - 1;
  const from = previous === undefined ? container.offset + 1 : endOf(previous);
  const before = between(text, from, kid.offset);
  const after = between(text, endOf(kid), kids[at + 1]?.offset ?? close);
  const comma = after.find(({ kind }) => kind === "comma") ?? before.find(({ kind }) => kind === "comma");
  const lead = before.at(-1);
  const rest =
    comma !== undefined && comma.start >= endOf(kid) && comma === after[0] ? comma.end : endOf(kid);
  // A line comment needs its line end.
  const isCommentEnd = lead?.kind === "line" && !/^[ \t]*\r?\n/.test(text.slice(rest));
  const start = isCommentEnd ? text.indexOf("\n", lead.end) + 1 : (lead?.end ?? from);
  const cuts: Cut[] = [{ start, end: endOf(kid), put: "" }];
  if (comma !== undefined) cuts.push({ start: comma.start, end: comma.end, put: "" });
  const isEmptied = kids.length === 1 && [...before, ...after].every(({ kind }) => kind === "comma");
  return apply(text, isEmptied ? [{ start: container.offset + 1, end: close, put: "" }] : cuts);
}

/** The last of the comments that follow `from` on its line, if any. */
function lastOnLine(text: string, from: number, trivia: readonly Trivia[]): Trivia | undefined {
  let last: Trivia | undefined;
  for (const one of trivia) {
    if (one.kind === "comma" || one.start < from) continue;
    if (text.slice(last?.end ?? from, one.start).includes("\n")) break;
    last = one;
  }
  return last;
}

function isOverLines(text: string, container: TreeNode): boolean {
  const [first] = container.children ?? [];
  return first !== undefined && text.slice(container.offset, first.offset).includes("\n");
}

function between(text: string, from: number, to: number): readonly Trivia[] {
  return scanTrivia(text, from, to) ?? [];
}

function endOf(node: TreeNode): number {
  return node.offset + node.length;
}

function apply(text: string, cuts: readonly Cut[]): string {
  let out = "";
  let done = 0;
  // Of two at one place the first given comes first.
  for (const { start, end, put } of cuts.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(done, start) + put;
    done = end;
  }
  return out + text.slice(done);
}
