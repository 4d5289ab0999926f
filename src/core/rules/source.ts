// SPDX-License-Identifier: Apache-2.0
// The text of a rules file → its value, and from a part of the value back to line and column. Plain JSON is
// read by JSON.parse; comments, trailing commas and positions need jsonc-parser, loaded only then.
import type { Node as TreeNode } from "jsonc-parser";

export type { TreeNode };

/** Keys and list positions from the top of the file down to a value. */
export type Path = readonly (string | number)[];

/** What stands in the text, or where and why it cannot be read. */
export type Source = { readonly value: unknown } | { readonly fault: string; readonly offset: number };

/** Deeper values have no meaning in a rules file: rules, a rule, its list of keys, a key. */
const VALUE_MAX_DEPTH = 6;

const FAULTS = new Map([
  ["InvalidSymbol", "an unknown word"],
  ["InvalidNumberFormat", "a number that is none"],
  ["PropertyNameExpected", "a key in double quotes is missing"],
  ["ValueExpected", "a value is missing"],
  ["ColonExpected", 'a ":" is missing'],
  ["CommaExpected", 'a "," is missing'],
  ["CloseBraceExpected", 'a "}" is missing'],
  ["CloseBracketExpected", 'a "]" is missing'],
  ["EndOfFileExpected", "something follows after the end"],
  ["InvalidCommentToken", "a comment that is none"],
  ["UnexpectedEndOfComment", "a comment is not closed"],
  ["UnexpectedEndOfString", "a string is not closed"],
  ["UnexpectedEndOfNumber", "a number is not complete"],
  ["InvalidUnicode", "a \\u escape without four hex digits"],
  ["InvalidEscapeCharacter", "an unknown escape in a string"],
  ["InvalidCharacter", "a control character in a string"],
]);

/** Reads JSON, comments and trailing commas allowed. Never throws. */
export function readSource(text: string): Source {
  try {
    return { value: JSON.parse(text) };
  } catch {
    if (text.trim() === "") return { fault: "the file is empty", offset: 0 };
    const parsed = readTree(text);
    return "fault" in parsed ? parsed : { value: toValue(parsed.tree, 0) };
  }
}

/** The text's syntax tree, or where and why there is none. Never throws. */
export function readTree(
  text: string,
): { readonly tree: TreeNode } | { readonly fault: string; readonly offset: number } {
  const jsonc: typeof import("jsonc-parser") = require("jsonc-parser");
  const errors: import("jsonc-parser").ParseError[] = [];
  try {
    const tree = jsonc.parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (tree !== undefined && first === undefined) return { tree };
    const words = first === undefined ? undefined : FAULTS.get(jsonc.printParseErrorCode(first.error));
    return { fault: `not JSON: ${words ?? "a value is missing"}`, offset: first?.offset ?? 0 };
  } catch {
    // jsonc-parser descends by recursion and runs out of stack.
    return { fault: "nested too deeply", offset: 0 };
  }
}

function toValue(node: TreeNode, depth: number): unknown {
  if (node.type !== "object" && node.type !== "array") return node.value;
  const children = depth < VALUE_MAX_DEPTH ? (node.children ?? []) : [];
  if (node.type === "array") return children.map((child) => toValue(child, depth + 1));
  // fromEntries makes `__proto__` a key like any other; the last of equal keys counts, as with JSON.parse.
  return Object.fromEntries(
    children.map(({ children: [key, value] = [] }) => [key?.value, value && toValue(value, depth + 1)]),
  );
}

/** The tree's node at `path`: a value, or with `at` "key" the key that names it; the nearest one above it if none. */
export function findNode(tree: TreeNode, path: Path, at: "key" | "value"): TreeNode {
  let node = tree;
  let key: TreeNode | undefined;
  for (const step of path) {
    const next: TreeNode | undefined =
      typeof step === "number"
        ? node.children?.[step]
        : node.children?.findLast((member) => member.children?.[0]?.value === step);
    if (next === undefined) return node;
    key = next.type === "property" ? next.children?.[0] : undefined;
    node = (next.type === "property" ? next.children?.[1] : next) ?? node;
  }
  return at === "key" && key !== undefined ? key : node;
}

/** The keys that stand again in an object's node, each once; none for another kind of node. */
export function findRepeatedKeys(object: TreeNode): string[] {
  if (object.type !== "object") return [];
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const member of object.children ?? []) {
    const name = String(member.children?.[0]?.value);
    (seen.has(name) ? repeated : seen).add(name);
  }
  return [...repeated];
}

/** Answers the line and column (1-based, UTF-16 units) of an offset in `text`. */
export function positionIn(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (const end of text.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}
