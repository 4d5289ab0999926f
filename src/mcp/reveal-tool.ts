// SPDX-License-Identifier: Apache-2.0
// The tool `reveal`: arguments as a model writes them (numbers and switches may be text) in, one JSON text out.
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { parseRange } from "../argv.ts";
import type { Env } from "../env.ts";
import { checkRequest } from "../reveal/request.ts";
import { type RevealRequest, reveal } from "../reveal.ts";

type Range = NonNullable<RevealRequest["lines"]>;

/** An argument that cannot be used, in words. */
export class ArgumentError extends Error {}

/** A value of an argument, or undefined if it is none of that kind. */
type Read<T> = (value: unknown) => T | undefined;

const readText: Read<string> = (value) => (typeof value === "string" ? value : undefined);

const readRange: Read<Range> = (value) => {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  const trimmed = text.trim();
  return parseRange(/^\d+$/.test(trimmed) ? `${trimmed}:${trimmed}` : trimmed);
};

const readCount: Read<number> = (value) => {
  const count = typeof value === "string" && /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : value;
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
};

const readSwitch: Read<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : undefined;
};

const RANGE = "a range A:B with A not above B";
const NUMBER = "a whole number";
const SWITCH = "true or false";

const ARGUMENTS = ["id", "lines", "items", "bytes", "field", "search", "regex", "errors", "context"];
const LIMITS = ["max_bytes", "max_matches"];

/** The request that the arguments of a tool call make. Throws ArgumentError. */
export function parseRevealArguments(args: unknown): RevealRequest {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    throw new ArgumentError("arguments must be an object");
  const given = new Map<string, unknown>(Object.entries(args));
  const known = [...ARGUMENTS, ...LIMITS];
  const unknown = [...given.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(`there is no argument ${unknown.slice(0, 100)}: there are ${known.join(", ")}`);
  const take = <T>(name: string, read: Read<T>, words: string): T | undefined => {
    const value = given.get(name);
    // What a model leaves empty it does not mean.
    if (value === undefined || value === null || value === "") return undefined;
    const taken = read(value);
    if (taken === undefined) throw new ArgumentError(`${name} must be ${words}`);
    return taken;
  };
  const id = take("id", readText, "a text")?.trim();
  if (!id) throw new ArgumentError("id is missing: the hex digits at the end of the marker");
  const request = {
    id,
    // An empty pointer is the whole document, as no pointer is.
    field: take("field", readText, "a JSON pointer"),
    lines: take("lines", readRange, RANGE),
    items: take("items", readRange, RANGE),
    bytes: take("bytes", readRange, RANGE),
    // Empty, it is refused in words: no text was asked for, so no page of the whole is what was meant.
    search: given.get("search") === "" ? "" : take("search", readText, "a text"),
    regex: take("regex", readSwitch, SWITCH),
    errors: take("errors", readSwitch, SWITCH),
    context: take("context", readCount, NUMBER),
    maxBytes: take("max_bytes", readCount, NUMBER),
    maxMatches: take("max_matches", readCount, NUMBER),
  };
  const wrong = checkRequest(request);
  if (wrong?.status === "error") throw new ArgumentError(wrong.reason);
  return request;
}

/** Answers a call of the tool, and tells `counted` its status. Throws ArgumentError. */
export function callReveal(args: unknown, env: Env, counted: (status: string) => void): CallToolResult {
  const answer = reveal(parseRevealArguments(args), env);
  counted(answer.status);
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    ...(answer.status === "error" && { isError: true }),
  };
}
