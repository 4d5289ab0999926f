// SPDX-License-Identifier: Apache-2.0
import type { TreeNode } from "../core/rules/source.ts";

/** How a text is laid out. */
export interface Style {
  /** White space of one level. */
  readonly unit: string;
  readonly eol: string;
  /** A blank after colons and commas that stand in a line. */
  readonly spaced: boolean;
  /** The members of the outermost value stand on lines of their own. */
  readonly manyLines: boolean;
}

const DEFAULT_UNIT = "  ";

export function readStyle(text: string, root: TreeNode): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const [first] = root.children ?? [];
  if (first === undefined) return { unit: DEFAULT_UNIT, eol, spaced: true, manyLines: true };
  const manyLines = text.slice(root.offset, first.offset).includes("\n");
  const indent = manyLines ? ownIndent(text, first.offset) : undefined;
  const outer = lineIndent(text, root.offset);
  const unit = indent?.startsWith(outer) ? indent.slice(outer.length) : indent;
  // Without line ends, what stands after the first colon tells.
  const value = first.children?.[1];
  const name = first.children?.[0];
  const gap = name && value ? text.slice(name.offset + name.length, value.offset) : " ";
  return { unit: unit || DEFAULT_UNIT, eol, spaced: manyLines || /\s/.test(gap), manyLines };
}

/** White space at the start of the line that holds `offset`. */
export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** The white space before `offset` if nothing else stands before it on its line. */
export function ownIndent(text: string, offset: number): string | undefined {
  const indent = lineIndent(text, offset);
  const before = text[offset - indent.length - 1];
  return before === undefined || before === "\n" || before === "\r" ? indent : undefined;
}

/** A value as text; `indent` is that of the line it begins in. */
export function printValue(value: unknown, style: Style, manyLines: boolean, indent: string): string {
  if (manyLines) return printLines(value, style, indent);
  if (!style.spaced) return JSON.stringify(value);
  // Line feeds are only between tokens: in strings they are escaped.
  return JSON.stringify(value, undefined, 1).replace(/,\n */g, ", ").replace(/\n */g, "");
}

/** Lists of plain values take one line, as people write them. */
function printLines(value: unknown, style: Style, indent: string): string {
  const inner = indent + style.unit;
  const wrap = (open: string, parts: readonly string[], close: string) =>
    `${open}${style.eol}${parts.map((part) => inner + part).join(`,${style.eol}`)}${style.eol}${indent}${close}`;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object"))
      return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    return wrap(
      "[",
      value.map((item: unknown) => printLines(item, style, inner)),
      "]",
    );
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value);
  if (members.length === 0) return "{}";
  return wrap(
    "{",
    members.map(([name, item]) => `${JSON.stringify(name)}: ${printLines(item, style, inner)}`),
    "}",
  );
}
