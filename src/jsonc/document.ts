// SPDX-License-Identifier: Apache-2.0
import {
  findNode,
  findRepeatedKeys,
  type Path,
  positionIn,
  readTree,
  type TreeNode,
} from "../core/rules/source.ts";
import { scanTrivia } from "./trivia.ts";

/** Why a text cannot be edited: a sentence that follows its path, with the line where there is one. */
export class JsoncError extends Error {}

/** The syntax tree of JSON with comments and trailing commas; undefined where there is none but white space and comments. */
export function parseText(text: string): TreeNode | undefined {
  const trivia = scanTrivia(text, 0, text.length);
  if (trivia?.every(({ kind }) => kind !== "comma")) return undefined;
  const parsed = readTree(text);
  if ("fault" in parsed) throw problemAt(text, parsed.offset, parsed.fault);
  return parsed.tree;
}

/** An error that names the line of `offset`. */
export function problemAt(text: string, offset: number, message: string): JsoncError {
  return new JsoncError(`line ${positionIn(text)(offset).line}: ${message}`);
}

/** The value's node at `path`, or undefined if something on the way is missing. Throws where a name on the way stands twice. */
export function nodeAt(text: string, root: TreeNode | undefined, path: Path): TreeNode | undefined {
  let node = root;
  for (const step of path) {
    if (node?.type !== (typeof step === "string" ? "object" : "array")) return undefined;
    if (typeof step === "string" && findRepeatedKeys(node).includes(step)) {
      throw problemAt(text, node.offset, `"${step}" stands twice in one object`);
    }
    const next: TreeNode = findNode(node, [step], "value");
    node = next === node ? undefined : next;
  }
  return node;
}

/** The plain value of a node, all of it. Names become own members, `__proto__` too. */
export function toValue(node: TreeNode | undefined): unknown {
  if (node === undefined) return undefined;
  const children = node.children ?? [];
  if (node.type === "array") return children.map(toValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    children.map(({ children: [key, value] = [] }) => [String(key?.value), toValue(value)]),
  );
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
