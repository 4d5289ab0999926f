// SPDX-License-Identifier: Apache-2.0
// What the tests of this folder share: a policy with everything off, one call, and documents as text.
import fc from "fast-check";
import type { Cuts } from "../../../src/core/cuts.ts";
import { type JsonContext, pruneJson } from "../../../src/core/json/prune.ts";
import { type JsonIndex, scan } from "../../../src/core/json/scan.ts";
import { EXAMPLE_ID } from "../../../src/core/marker.ts";
import type { Policy } from "../../../src/core/rules/policy.ts";
import { applySplices, type Splice } from "../../../src/core/splice.ts";

const NO_POLICY: Policy = {
  rules: [],
  dropKeys: [],
  maxItems: 0,
  maxLines: 0,
  keepLast: undefined,
  maxStr: 0,
  dedup: false,
  budget: undefined,
  compact: false,
  stripAnsi: false,
  collapseCr: false,
  spilled: "pass",
};

export const policyOf = (part: Partial<Policy>): Policy => ({ ...NO_POLICY, ...part });
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

export function scanText(text: string): JsonIndex {
  const index = scan(encode(text));
  if (index === undefined) throw new Error(`not JSON: ${text.slice(0, 200)}`);
  return index;
}

export interface Result {
  readonly out: string;
  readonly cuts: Cuts;
  readonly splices: readonly Splice[];
}

export function prune(text: string, part: Partial<Policy>, context: Partial<JsonContext> = {}): Result {
  const index = scanText(text);
  const { splices, cuts } = pruneJson(index, policyOf(part), {
    stored: new Set(),
    pointerPrefix: "",
    nested: false,
    ...context,
  });
  return { out: decode(applySplices(index.bytes, splices, EXAMPLE_ID)), cuts, splices };
}

/** The end of every marker that cites an id. */
export const FULL = `, full: isthmos reveal ${EXAMPLE_ID}]`;

const SPACE = fc.constantFrom("", "", "", "", " ", "\n  ", "\r\n\t");
const KEY = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("id", "name", "rows", "items", "text", "vector") },
  { weight: 2, arbitrary: fc.constantFrom("node_id", "html_url", "n\\u006fde_id", "error", "status") },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "a/b", "t~", "é", "\\ud83d", "") },
);
const LONG = "a sentence that is long enough to be worth a cut, ";
const STRING = fc.oneof(
  fc.constantFrom('""', '"x"', '"\\u00e9\\n"', '"failed: disk full"', '"\\ud83d"', '"a\\/b"'),
  fc.integer({ min: 0, max: 6 }).map((times) => `"${LONG.repeat(times)}"`),
  fc.integer({ min: 0, max: 30 }).map((times) => `"${"line of a log\\n".repeat(times)}"`),
);
const NUMBER = fc.constantFrom("0", "-0", "1.10", "1E2", "12345678901234567890", "1e400", "0.5");
const WORD = fc.constantFrom("true", "false", "null");

const { value } = fc.letrec<{ value: string; array: string; object: string; scalar: string }>((tie) => ({
  scalar: fc.oneof(STRING, NUMBER, WORD),
  value: fc.oneof({ maxDepth: 4, depthSize: "small" }, tie("scalar"), tie("array"), tie("object")),
  array: fc.oneof(
    list(tie("object"), 9, "+1"),
    list(STRING, 12, "max"),
    list(NUMBER, 60, "max"),
    list(tie("value"), 5, "="),
  ),
  object: fc
    .tuple(fc.array(fc.tuple(SPACE, KEY, SPACE, SPACE, tie("value"), SPACE), { maxLength: 4 }), SPACE)
    .map(
      ([members, space]) =>
        `{${members.map(([a, key, b, c, child, d]) => `${a}"${key}"${b}:${c}${child}${d}`).join(",")}${
          members.length === 0 ? space : ""
        }}`,
    ),
}));

function list(
  item: fc.Arbitrary<string>,
  maxLength: number,
  size: fc.SizeForArbitrary,
): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(SPACE, item, SPACE), { maxLength, size }), SPACE)
    .map(
      ([items, space]) =>
        `[${items.map((parts) => parts.join("")).join(",")}${items.length === 0 ? space : ""}]`,
    );
}

/** A document that has something to cut: members with names to drop, long arrays and strings, JSON in a string. */
export const DOCUMENT = fc.tuple(value, value, fc.boolean()).map(([first, second, wraps]) => {
  const inner = `{"rows":${first},"node_id":[${second}]}`;
  return wraps ? `{"text":${JSON.stringify(inner)},"rest":${second}}` : `[${inner}, {"all":${second}}]`;
});

/** True if no object of the document, nor of the documents in its strings, has two members of one name. */
export function hasUniqueNames(text: string): boolean {
  const index = scanText(text);
  const names: Set<string>[] = [];
  const ends: number[] = [];
  for (let node = 0; node < index.count; node++) {
    while ((ends.at(-1) ?? index.count) <= node) {
      ends.pop();
      names.pop();
    }
    const source = decode(index.bytes.subarray(index.start[node], index.end[node]));
    if (index.kind[node] === 0) {
      ends.push(index.next[node] ?? 0);
      names.push(new Set());
    }
    if (index.kind[node] === 7) {
      const name: unknown = JSON.parse(source);
      const seen = names.at(-1);
      if (typeof name !== "string" || seen === undefined || seen.has(name)) return false;
      seen.add(name);
    }
    if (index.kind[node] === 2 && /^"\s*[{[]/.test(source)) {
      const inner: unknown = JSON.parse(source);
      if (typeof inner === "string" && scan(encode(inner)) !== undefined && !hasUniqueNames(inner))
        return false;
    }
  }
  return true;
}
