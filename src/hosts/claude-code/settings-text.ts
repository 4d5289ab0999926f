// SPDX-License-Identifier: Apache-2.0
import type { ParseError } from "jsonc-parser";

/** The object in a settings file, comments allowed; undefined for an empty text, and in words what is wrong with another. */
export function parseSettings(text: string): Record<string, unknown> | string | undefined {
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "") return undefined;
  const parsed = parseJson(plain);
  if ("error" in parsed) return parsed.error;
  return isRecord(parsed.value) ? parsed.value : "the settings must be an object";
}

function parseJson(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Comments and trailing commas need the parser that knows them; plain files do without it.
    const { parse } = require("jsonc-parser") as typeof import("jsonc-parser");
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    return first === undefined ? { value } : { error: `not JSON at line ${lineOf(text, first.offset)}` };
  }
}

/**
 * True for a file that Claude Code does not read at all, though people write such: JSON with comments or a trailing
 * comma. Observed with clients 2.1.197 and 2.1.332, which then run none of its hooks and say nothing.
 */
export function isUnreadByClient(text: string): boolean {
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "" || typeof parseSettings(text) !== "object") return false;
  try {
    JSON.parse(plain);
    return false;
  } catch {
    return true;
  }
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** True for a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
