// SPDX-License-Identifier: Apache-2.0
// Tool output that the rules really cut, and rules that really cut it, for the property tests. Payloads are bytes.
import fc from "fast-check";

/** Runs of one property: many with SLOW=1. */
export const RUNS = process.env.SLOW ? 10_000 : 200;
/** A property that does many runs in SLOW mode takes this long at most, ms. */
export const PROPERTY_TIMEOUT_MS = process.env.SLOW ? 3_600_000 : 120_000;

/** The tool of every generated call. */
export const TOOL = "mcp__tracker__list";

/** Stands for bytes that are not UTF-8 until the text is encoded. */
const BROKEN = "\ue000";

/** The bytes of a generated text. */
export function toBytes(text: string): Uint8Array {
  const pieces = text.split(BROKEN).flatMap((piece) => [Buffer.from(piece), Buffer.of(0xff, 0xc3)]);
  return Uint8Array.from(Buffer.concat(pieces.slice(0, -1)));
}

const SPACE = fc.constantFrom("", "", "", "", " ", "\n  ", "\r\n\t");
const KEY = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("id", "title", "body", "rows", "labels", "vector", "log") },
  { weight: 3, arbitrary: fc.constantFrom("node_id", "html_url", "avatar_url", "n\\u006fde_id") },
  { weight: 2, arbitrary: fc.constantFrom("status", "error", "level", "exit_code") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "__proto__",
      "constructor",
      "toString",
      "a/b",
      "t~x",
      "größe",
      "\\ud83d",
      "",
      "12",
    ),
  },
);
const SENTENCE = "The list keeps its old order until the next start of the program. ";
const WIDE = "検索結果が空になる。設定を変えても同じです。👩‍👩‍👧 ";
const NUMBER = fc.constantFrom("0", "-0", "1.10", "1E2", "12345678901234567890", "1e400", "0.5", "-12.75e-3");
const WORD = fc.constantFrom("true", "false", "null");
const SHORT = fc.constantFrom(
  '""',
  '"x"',
  '"\\u00e9\\n"',
  '"\\ud83d"',
  '"a\\/b"',
  '"open"',
  '"failed"',
  `"${BROKEN}"`,
);

/** A line with escape sequences of a terminal. */
function colouredLine(n: number): string {
  const kinds = [
    `\x1b[3${n % 8}mstep ${n}\x1b[0m of the build`,
    `\x1b]8;;https://example.org/${n}\x1b\\report ${n}\x1b]8;;\x07`,
    `\x1b[2J\x1b[H\x1b(Btop ${n}\x1b[5Cof\x1b[K`,
    `\x1b[1;31mERROR\x1b[0m in part ${n}\x1b[`,
    `part\x1b[38;5;${n % 256}m ${n} \x1b[1mé\x1b[22m`.repeat((n % 20) + 1),
  ];
  return kinds[n % kinds.length] ?? "";
}

/** A line that was written over. */
function progressLine(n: number): string {
  const times = Array.from({ length: (n % 9) + 2 }, (_, i) => i);
  const kinds = [
    times.map((i) => `fetching ${n}: ${i}0%`).join("\r"),
    times.map((i) => `\x1b[2K\x1b[1G\x1b[36m⠋\x1b[39m building ${i}/${n}`).join(""),
    times.map((i) => `\r${"█".repeat(i)}${"░".repeat(11 - i)} ${n}\x1b[K`).join(""),
    `a long first message ${n}\rdone ${n}`,
    `ERROR: try ${n}\rgoing on with ${n} \b\b.`,
    `\x1b[32m${n}%\x1b[0m\r\x1b[32m${n + 1} %\x1b[0m`,
    `${"w".repeat(n)}\r${"W".repeat(n >> 1)}\ttab`,
    `${"w".repeat(n)}\r${"W".repeat(n >> 1)}\r`,
  ];
  return kinds[n % kinds.length] ?? "";
}

/** Lines of a log, a build or a test run, without line ends. */
const logLine = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.nat(999_999).map((n) => `[${n}] compiled src/part-${n % 97}.ts in ${n % 89} ms`),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("waiting for the lock on the build folder", "GET /healthz 200 0.3ms"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "ERROR src/app.ts:12:7 expected 4, got 5",
      "FAIL test/login.test.ts > keeps the session",
      "fatal: disk full",
      "ОШИБКА: нет места",
      "0 errors, 0 warnings",
    ),
  },
  { weight: 2, arbitrary: fc.oneof(fc.nat(999).map(colouredLine), fc.nat(999).map(progressLine)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", "\ttab", "nul \0 byte", "\x1b[31mred\x1b[0m", `broken ${BROKEN} byte`),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 12 }).map((n) => SENTENCE.repeat(n) + WIDE.repeat(n % 4)),
  },
);
const run = fc
  .tuple(logLine, fc.integer({ min: 3, max: 30 }))
  .map(([line, times]) => Array<string>(times).fill(line));
const traceback = fc
  .integer({ min: 3, max: 20 })
  .map((depth) => [
    "Traceback (most recent call last):",
    ...Array.from({ length: depth }, (_, i) => [
      `  File "/srv/app/layer${i}.py", line ${i + 3}, in call`,
      "    step()",
    ]).flat(),
    "ValueError: bad value in the last layer",
  ]);
const diff = fc
  .integer({ min: 2, max: 25 })
  .map((n) => [
    "diff --git a/src/x.ts b/src/x.ts",
    "--- a/src/x.ts",
    "+++ b/src/x.ts",
    `@@ -1,${2 * n} +1,${2 * n} @@`,
    ...Array.from({ length: n }, (_, i) => [
      `-  const value${i} = 1;`,
      `+  const value${i} = 2;`,
      ` // line ${i}`,
    ]).flat(),
  ]);
const block = fc.oneof(
  { weight: 6, arbitrary: fc.array(logLine, { minLength: 8, maxLength: 40 }) },
  { weight: 3, arbitrary: run },
  { weight: 1, arbitrary: traceback },
  { weight: 1, arbitrary: diff },
);

/** A text of many lines; no JSON, no marker. */
const textPayload: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(block, { minLength: 1, maxLength: 7 }),
    fc.constantFrom("\n", "\n", "\n", "\r\n"),
    fc.boolean(),
  )
  .map(([blocks, end, ends]) => `$ make\n${blocks.flat().join(end)}${ends ? end : ""}`);

const logString = fc
  .array(block, { minLength: 1, maxLength: 3 })
  .map((blocks) => JSON.stringify(blocks.flat().join("\n")));
const proseString = fc
  .integer({ min: 0, max: 20 })
  .map((n) => `"${(SENTENCE + WIDE).repeat(n).slice(0, n * 60)}"`);
/** Parts that are repeated stay small. */
const small = (text: string): string => (text.length > 1500 ? "null" : text);
const scalar = fc.oneof(SHORT, NUMBER, WORD, proseString);

const { value, record } = fc.letrec<{ value: string; record: string; list: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "large" },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: logString },
    { weight: 2, arbitrary: tie("list") },
    { weight: 2, arbitrary: tie("record") },
  ),
  record: fc
    .tuple(fc.array(fc.tuple(SPACE, KEY, SPACE, SPACE, tie("value"), SPACE), { maxLength: 6 }), SPACE)
    .map(([members, space]) =>
      members.length === 0
        ? `{${space}}`
        : `{${members.map(([a, key, b, c, child, d]) => `${a}"${key}"${b}:${c}${child}${d}`).join(",")}}`,
    ),
  list: fc.oneof(
    arrayOf(tie("record"), 12),
    arrayOf(fc.oneof(SHORT, proseString), 20),
    arrayOf(NUMBER, 60),
    arrayOf(tie("value"), 8),
  ),
}));

function arrayOf(item: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(SPACE, item, SPACE), { maxLength: most }), SPACE)
    .map(([items, space]) =>
      items.length === 0 ? `[${space}]` : `[${items.map(([a, text, b]) => a + text + b).join(",")}]`,
    );
}

/** What a list call of an API answers: many records of one shape, a few of them failing. */
const records = fc
  .tuple(
    fc.integer({ min: 4, max: 60 }),
    fc.integer({ min: 1, max: 19 }),
    record.map(small),
    fc.constantFrom("", " ", "\n  "),
  )
  .map(([count, failing, extra, space]) => {
    const items = Array.from({ length: count }, (_, i) => {
      const status = i % 20 === failing ? "failure" : "open";
      return `{"id":${i},${space}"node_id":"I_kwDOA${i}Xc5","status":"${status}","title":"${SENTENCE.slice(0, 20 + i)}","extra":${extra}}`;
    });
    return `[${items.join(`,${space}`)}]`;
  });

const document = fc.oneof(
  { weight: 3, arbitrary: records },
  {
    weight: 2,
    arbitrary: fc
      .tuple(records, logString)
      .map(([list, log]) => `{"total": 60,"items":${list},"log":${log}}`),
  },
  // JSON in the text of an MCP result, and in a string of another document.
  {
    weight: 1,
    arbitrary: records.map((list) => `{"content":[{"type":"text","text":${JSON.stringify(list)}}]}`),
  },
  { weight: 1, arbitrary: fc.tuple(SPACE, record, SPACE).map(([a, text, b]) => a + text + b) },
  { weight: 1, arbitrary: fc.tuple(value, logString).map(([child, log]) => `[${child},{"log":${log}}]`) },
);

/** A JSON document: odd keys, numbers and spellings, arrays of every kind, logs and documents in strings. */
const jsonPayload: fc.Arbitrary<string> = document;

/** JSON lines with lines that are none. */
const ndjsonPayload: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: 12, max: 80 }),
    record.map(small),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.nat(3),
  )
  .map(([count, extra, end, ends, others]) => {
    const flat = extra.replace(/[\r\n\t]/g, " ");
    const lines = Array.from({ length: count }, (_, i) => {
      if (i > 10 && i % 29 < others && i % 11 === 0) return "not a record: the writer restarted";
      if (i % 17 > 12) return '{"level":"info","msg":"heartbeat"}';
      return `{"level":"${i % 23 === 9 ? "error" : "info"}","n":${i},"node_id":"x${i}","extra":${flat}}`;
    });
    return lines.join(end) + (ends ? end : "");
  });

export interface Payload {
  readonly kind: "json" | "lines" | "text";
  /** For `toBytes`. */
  readonly text: string;
}

export const payload: fc.Arbitrary<Payload> = fc.oneof(
  { weight: 3, arbitrary: jsonPayload.map((text) => ({ kind: "json" as const, text })) },
  { weight: 1, arbitrary: ndjsonPayload.map((text) => ({ kind: "lines" as const, text })) },
  { weight: 3, arbitrary: textPayload.map((text) => ({ kind: "text" as const, text })) },
);

const limit = (...values: number[]) => fc.constantFrom(...values);
const optional = { requiredKeys: ["tool"] as ["tool"] };

/** One rule as the file has it; it matches TOOL. */
export const rule = fc.record(
  {
    tool: fc.constantFrom(TOOL, "mcp__tracker__*", "*", "mcp__{tracker,other}__list", "mcp__*__list"),
    drop_keys: fc.subarray(["node_id", "*_url", "__proto__", "toString", "body"]),
    max_items: limit(0, 1, 2, 3, 5, 10),
    max_lines: limit(0, 1, 4, 10, 20),
    keep_last: limit(0, 1, 3, 50),
    max_bytes: limit(0, 256, 400, 1000, 3000),
    head_bytes: limit(1, 100, 700),
    max_str: limit(0, 1, 40, 120, 400),
    dedup: fc.boolean(),
    compact: fc.boolean(),
    strip_ansi: fc.boolean(),
    collapse_cr: fc.boolean(),
    min_bytes: limit(0, 0, 300),
  },
  optional,
);

/** The rules of a file: some that match TOOL, some that match another tool. */
export const rules = fc
  .tuple(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([own, foreign]) => [
    ...own,
    ...(foreign ? [{ tool: "Bash", max_lines: 1, drop_keys: ["id", "title"] }] : []),
  ]);
